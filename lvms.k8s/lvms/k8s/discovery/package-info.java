/**
 * Which types a server serves, and how people call them.
 *
 * <p>Begin with {@code KubeClient.types()}, which returns {@link lvms.k8s.discovery.ServedTypes}:
 *
 * {@snippet :
 * var deployments = kube.types().named("deploy").orElseThrow();
 * System.out.println(deployments.type().kind() + " " + deployments.verbs());
 * for (var object : kube.list(deployments.type(), ListOptions.all())) {
 *     System.out.println(object.key());
 * }
 * }
 *
 * <p>It reads answers and asks nothing itself; OpenAPI schemas are not read.
 */
package lvms.k8s.discovery;
