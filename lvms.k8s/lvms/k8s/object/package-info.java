/**
 * Kubernetes objects that keep every field, and the value types found in them.
 *
 * <p>Begin with {@link lvms.k8s.object.KubeObject} and {@link lvms.k8s.object.ResourceType}; {@link
 * lvms.k8s.object.Types} has the common types.
 *
 * {@snippet :
 * var type = new ResourceType("apps", "v1", "StatefulSet", "statefulsets", true);
 * var set =
 *         KubeObject.create(type, ObjectKey.of("default", "db"))
 *                 .with(3, "spec", "replicas")
 *                 .with("db", "spec", "serviceName");
 * boolean ready = set.condition("Ready").map(Condition::holds).orElse(false);
 * long bytes = Quantity.parse("10Gi").bytes();
 * boolean chosen = LabelSelector.parse("app in (db, web)").matches(set.labels());
 * }
 *
 * <p>There are no classes for individual kinds. Nothing is validated: the server does that.
 */
package lvms.k8s.object;
