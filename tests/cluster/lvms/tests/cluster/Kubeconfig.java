package lvms.tests.cluster;

import lvms.k8s.tls.CertifiedKey;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;

/**
 * Writes kubeconfigs of one server, which name no other file.
 *
 * @param server the server's address
 * @param authorityPem who signed its certificate
 */
record Kubeconfig(URI server, String authorityPem) {
    Path withToken(Path file, String token) throws IOException {
        return write(file, "token: " + token);
    }

    Path withCertificate(Path file, CertifiedKey credential) throws IOException {
        try {
            var certificate = base64(credential.chainPem());
            var key = base64(credential.keyPem());
            return write(
                    file, "client-certificate-data: " + certificate, "client-key-data: " + key);
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate for " + file, e);
        }
    }

    private Path write(Path file, String... userFields) throws IOException {
        var text =
                """
                apiVersion: v1
                kind: Config
                clusters:
                - name: cluster
                  cluster:
                    server: %s
                    certificate-authority-data: %s
                users:
                - name: user
                  user:
                    %s
                contexts:
                - name: context
                  context:
                    cluster: cluster
                    user: user
                current-context: context
                """
                        .formatted(server, base64(authorityPem), String.join("\n    ", userFields));
        return Files.writeString(file, text);
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
