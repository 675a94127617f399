package lvms.olm;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Set;

/**
 * Webhooks as a ClusterServiceVersion has them: OLM makes Service, certificate and configuration.
 *
 * @param objects of an installation
 */
record Webhooks(List<KubeObject> objects) {
    /** What means the same in both forms. */
    private static final List<String> SAME =
            List.of(
                    "admissionReviewVersions",
                    "failurePolicy",
                    "matchPolicy",
                    "objectSelector",
                    "reinvocationPolicy",
                    "rules",
                    "sideEffects",
                    "timeoutSeconds");

    /** What is said in another way. */
    private static final Set<String> OTHERWISE = Set.of("name", "clientConfig");

    /** Returns them in the order of the manifests. */
    ListTree definitions() {
        var list = ListTree.builder();
        for (var configuration : objects) {
            if (configuration.kind().endsWith("WebhookConfiguration")) {
                for (var webhook : configuration.objects("webhooks")) {
                    list.add(definition(configuration.kind(), webhook));
                }
            }
        }
        return list.build();
    }

    private ObjectTree definition(String kind, ObjectTree webhook) {
        var service = webhook.object("clientConfig", "service").orElseThrow();
        long port = service.number("port").orElse(443);
        var called = named("Service", service.text("name").orElseThrow());
        var target =
                called.objects("spec", "ports").stream()
                        .filter(p -> p.number("port").orElseThrow() == port)
                        .findFirst()
                        .orElseThrow()
                        .at("targetPort");
        var out =
                ObjectTree.builder()
                        .put("type", kind.replace("WebhookConfiguration", "AdmissionWebhook"))
                        .put("generateName", webhook.text("name").orElseThrow())
                        .put("deploymentName", behind(called))
                        .put("containerPort", port)
                        .put("targetPort", target)
                        .put("webhookPath", service.text("path").orElseThrow());
        webhook.members()
                .forEach(
                        (name, value) -> {
                            if (SAME.contains(name)) {
                                out.put(name, value);
                            } else if (!OTHERWISE.contains(name)) {
                                throw new IllegalArgumentException(
                                        "OLM has no " + name + " of a webhook");
                            }
                        });
        return out.build();
    }

    private KubeObject named(String kind, String name) {
        return objects.stream()
                .filter(o -> o.kind().equals(kind) && o.name().equals(name))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no " + kind + " " + name));
    }

    /** Returns the Deployment whose pods the Service selects. */
    private String behind(KubeObject service) {
        var selector = service.textMap("spec", "selector").entrySet();
        return objects.stream()
                .filter(o -> o.kind().equals("Deployment"))
                .filter(
                        o ->
                                o.textMap("spec", "template", "metadata", "labels")
                                        .entrySet()
                                        .containsAll(selector))
                .map(KubeObject::name)
                .findFirst()
                .orElseThrow();
    }
}
