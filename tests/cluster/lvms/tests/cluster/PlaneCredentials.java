package lvms.tests.cluster;

import lvms.k8s.tls.Authority;
import lvms.k8s.tls.CertifiedKey;

import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.HexFormat;
import java.util.List;

/** The certificates, keys and tokens of a control plane, as files in a folder. */
final class PlaneCredentials {
    /** First addresses of the service ranges, where pods find the API server, of both families. */
    private static final List<InetAddress> SERVICE =
            List.of(InetAddress.ofLiteral("10.96.0.1"), InetAddress.ofLiteral("fd00:10:96::1"));

    private static final List<String> SERVER_NAMES =
            List.of(
                    "localhost",
                    "kubernetes",
                    "kubernetes.default",
                    "kubernetes.default.svc",
                    "kubernetes.default.svc.cluster.local");

    private static final String AUDIT_POLICY =
            """
            apiVersion: audit.k8s.io/v1
            kind: Policy
            omitStages: [RequestReceived, ResponseStarted]
            rules:
            - level: Metadata
            """;

    private final Path folder;
    private final Authority authority;
    private final List<InetAddress> serverAddresses;
    private final String adminToken;

    private PlaneCredentials(Path folder, Authority authority, InetAddress serverAddress) {
        this.folder = folder;
        this.authority = authority;
        this.serverAddresses =
                List.of(
                        serverAddress,
                        SERVICE.getFirst(),
                        SERVICE.getLast(),
                        InetAddress.getLoopbackAddress());
        this.adminToken = randomToken();
    }

    static PlaneCredentials make(Path folder, InetAddress serverAddress) throws IOException {
        try {
            var made =
                    new PlaneCredentials(
                            Files.createDirectories(folder),
                            Authority.make("kubernetes-ca", Duration.ofDays(3650)),
                            serverAddress);
            made.authority.save(folder);
            Files.writeString(made.auditPolicy(), AUDIT_POLICY);
            made.saveServer(false);
            made.client("kube-apiserver-kubelet-client", List.of("system:masters"));
            // Signs the tokens of service accounts; the certificate stands for the public key.
            made.client("service-account", List.of());
            Files.writeString(made.tokens(), made.adminToken + ",admin,admin,\"system:masters\"\n");
            return made;
        } catch (GeneralSecurityException e) {
            throw new IOException("certificates", e);
        }
    }

    /** Writes the API server's certificate, one that expired an hour ago if asked. */
    void saveServer(boolean expired) throws IOException {
        try {
            var server =
                    expired
                            ? authority.expiredServer(
                                    "kube-apiserver", SERVER_NAMES, serverAddresses)
                            : authority.server("kube-apiserver", SERVER_NAMES, serverAddresses);
            server.save(folder, "apiserver");
        } catch (GeneralSecurityException e) {
            throw new IOException("the API server's certificate", e);
        }
    }

    /** Issues a certificate of a user and returns it; its files carry the user's name. */
    CertifiedKey client(String user, List<String> groups) throws IOException {
        try {
            var issued = authority.client(user, groups);
            issued.save(folder, fileName(user));
            return issued;
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate of " + user, e);
        }
    }

    /** Writes a kubelet's serving certificate, {@code kubelet.crt} and its key, into a folder. */
    void saveKubelet(Path target, String node, InetAddress address) throws IOException {
        try {
            authority
                    .server("system:node:" + node, List.of(node), List.of(address))
                    .save(target, "kubelet");
            Files.writeString(target.resolve("ca.crt"), authority.pem());
        } catch (GeneralSecurityException e) {
            throw new IOException("the certificate of kubelet on " + node, e);
        }
    }

    String authorityPem() throws IOException {
        return Files.readString(file("ca.crt"));
    }

    /** Returns the bearer token of the cluster's administrator. */
    String adminToken() {
        return adminToken;
    }

    /** Returns the file that {@code --token-auth-file} reads. */
    Path tokens() {
        return file("tokens.csv");
    }

    /** Returns the file that {@code --audit-policy-file} reads. */
    Path auditPolicy() {
        return file("audit-policy.yaml");
    }

    Path file(String name) {
        return folder.resolve(name);
    }

    static String fileName(String user) {
        return user.replaceAll("[^A-Za-z0-9-]+", "-");
    }

    private static String randomToken() {
        var bytes = new byte[16];
        new SecureRandom().nextBytes(bytes);
        return HexFormat.of().formatHex(bytes);
    }
}
