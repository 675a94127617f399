package lvms.k8s.admission;

import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

/**
 * Where the API server is told of webhooks.
 *
 * @param type MutatingWebhookConfiguration or ValidatingWebhookConfiguration
 */
public record WebhookConfiguration(ResourceType type, String name) {
    private static final String GROUP = "admissionregistration.k8s.io";
    private static final ResourceType MUTATING = type("Mutating", "mutating");
    private static final ResourceType VALIDATING = type("Validating", "validating");

    public static WebhookConfiguration mutating(String name) {
        return new WebhookConfiguration(MUTATING, name);
    }

    public static WebhookConfiguration validating(String name) {
        return new WebhookConfiguration(VALIDATING, name);
    }

    private static ResourceType type(String kind, String plural) {
        return new ResourceType(
                GROUP,
                "v1",
                kind + "WebhookConfiguration",
                plural + "webhookconfigurations",
                false);
    }

    public ObjectKey key() {
        return ObjectKey.cluster(name);
    }
}
