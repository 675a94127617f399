package lvms.operator.openshift;

import lvms.k8s.object.KubeObject;
import lvms.k8s.serving.TlsBounds;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.stream.Stream;

/**
 * What a cluster's administrator asks of every port with TLS: {@code spec.tlsSecurityProfile} of
 * the APIServer {@code cluster}.
 *
 * @param minimum as {@code --tls-min-version} has it, such as {@code VersionTLS12}
 * @param cipherSuites IANA names for TLS 1.2; empty if the profile says nothing about them
 */
public record TlsProfile(String minimum, List<String> cipherSuites) {
    private static final String TLS_1_2 = "VersionTLS12";
    private static final String TLS_1_3 = "VersionTLS13";

    // Source: OpenShift's API, config/v1 TLSProfiles, which has OpenSSL's names
    private static final List<String> INTERMEDIATE =
            List.of(
                    "ECDHE-ECDSA-AES128-GCM-SHA256",
                    "ECDHE-RSA-AES128-GCM-SHA256",
                    "ECDHE-ECDSA-AES256-GCM-SHA384",
                    "ECDHE-RSA-AES256-GCM-SHA384",
                    "ECDHE-ECDSA-CHACHA20-POLY1305",
                    "ECDHE-RSA-CHACHA20-POLY1305");
    private static final List<String> OLD =
            Stream.concat(
                            INTERMEDIATE.stream(),
                            Stream.of(
                                    "ECDHE-ECDSA-AES128-SHA256",
                                    "ECDHE-RSA-AES128-SHA256",
                                    "ECDHE-ECDSA-AES128-SHA",
                                    "ECDHE-RSA-AES128-SHA",
                                    "ECDHE-ECDSA-AES256-SHA",
                                    "ECDHE-RSA-AES256-SHA",
                                    "AES128-GCM-SHA256",
                                    "AES256-GCM-SHA384",
                                    "AES128-SHA256",
                                    "AES128-SHA",
                                    "AES256-SHA",
                                    "DES-CBC3-SHA"))
                    .toList();

    public TlsProfile {
        cipherSuites = List.copyOf(cipherSuites);
    }

    /** Reads an APIServer; one without a profile has the platform's default, Intermediate. */
    static TlsProfile of(KubeObject apiServer) {
        var profile = apiServer.object("spec", "tlsSecurityProfile").orElse(ObjectTree.EMPTY);
        return switch (profile.text("type").orElse("")) {
            case "Old" -> named(TLS_1_2, OLD);
            case "Modern" -> new TlsProfile(TLS_1_3, List.of());
            case "Custom" ->
                    named(
                            profile.text("custom", "minTLSVersion").orElse(TLS_1_2),
                            profile.texts("custom", "ciphers"));
            default -> named(TLS_1_2, INTERMEDIATE);
        };
    }

    /** Versions below 1.2 have no name of their own here, since the JDK refuses them. */
    private static TlsProfile named(String minimum, List<String> names) {
        return minimum.equals(TLS_1_3)
                ? new TlsProfile(TLS_1_3, List.of())
                : new TlsProfile(TLS_1_2, names.stream().map(CipherName::iana).toList());
    }

    /** Returns the suites that this JDK does not have. */
    List<String> unknown() {
        var known = TlsBounds.known();
        return cipherSuites.stream().filter(suite -> !known.contains(suite)).toList();
    }

    /**
     * Returns the part that this JDK can do. If it has none of the suites, that is TLS 1.3, whose
     * suites nobody chooses: its own suites of TLS 1.2 are those that the profile does not want.
     */
    TlsProfile supported() {
        var unknown = unknown();
        if (unknown.isEmpty()) {
            return this;
        }
        var left = cipherSuites.stream().filter(suite -> !unknown.contains(suite)).toList();
        return new TlsProfile(left.isEmpty() ? TLS_1_3 : minimum, left);
    }

    /** Returns it in the words of a server; only of a profile that this JDK can do. */
    TlsBounds bounds() {
        return TlsBounds.of(minimum, cipherSuites);
    }

    /** Returns it as flags of a node agent. */
    public List<String> flags() {
        return cipherSuites.isEmpty()
                ? List.of("--tls-min-version=" + minimum)
                : List.of(
                        "--tls-min-version=" + minimum,
                        "--tls-cipher-suites=" + String.join(",", cipherSuites));
    }
}
