package lvms.tests.conformance.takeover;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tls.Authority;
import lvms.tests.cluster.workload.Product;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;

/**
 * The certificate of TopoLVM's webhook, as somebody makes it who has no cert-manager.
 *
 * @param bundle who vouches for it, in base64
 */
record WebhookCertificate(String bundle) {
    static final String SECRET = "topolvm-mutatingwebhook";
    static final String NAMESPACE = "topolvm-system";

    private static final String TEXT =
            """
            apiVersion: v1
            kind: Secret
            metadata: {name: %s, namespace: %s}
            type: kubernetes.io/tls
            data: {tls.crt: %s, tls.key: %s}
            """;

    /** Makes the namespace, and the certificate in it. */
    static WebhookCertificate make(Product product, Path folder) throws Exception {
        var namespace = ObjectKey.cluster(NAMESPACE);
        product.kube().create(Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, namespace));
        var authority = Authority.make("webhook-ca", Duration.ofDays(30));
        var host = "topolvm-controller." + NAMESPACE + ".svc";
        var pair = authority.server("webhook", List.of(host), List.of());
        var text =
                TEXT.formatted(SECRET, NAMESPACE, base64(pair.chainPem()), base64(pair.keyPem()));
        var file = Files.writeString(folder.resolve("secret.yaml"), text);
        product.kubectl("apply", "--server-side", "--filename=" + file);
        return new WebhookCertificate(base64(authority.pem()));
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes());
    }

    /** Returns a webhook configuration that trusts it; any other object as it is. */
    String trusted(String object) {
        return object.contains("kind: MutatingWebhookConfiguration")
                ? object.replace(
                        "clientConfig:\n", "clientConfig:\n      caBundle: " + bundle + "\n")
                : object;
    }
}
