package lvms.k8s.serving;

import java.security.NoSuchAlgorithmException;
import java.util.List;
import java.util.Set;

import javax.net.ssl.SSLContext;

/**
 * What a server accepts, in the words of Kubernetes' own flags {@code --tls-min-version} and {@code
 * --tls-cipher-suites}.
 *
 * @param protocols names of the JDK, the newest first
 * @param cipherSuites IANA names; empty for those that the JDK takes by itself. As in Go, they say
 *     nothing of TLS 1.3, whose suites are always there
 */
public record TlsBounds(List<String> protocols, List<String> cipherSuites) {
    private static final String TLS_1_3 = "TLSv1.3";
    private static final String TLS_1_2 = "TLSv1.2";

    /** TLS 1.2 and 1.3 with the JDK's own suites. */
    public static final TlsBounds DEFAULT = new TlsBounds(List.of(TLS_1_3, TLS_1_2), List.of());

    public TlsBounds {
        protocols = List.copyOf(protocols);
        cipherSuites = List.copyOf(cipherSuites);
    }

    /**
     * Reads the values of the flags.
     *
     * @param minimum such as {@code VersionTLS12}; empty for the default
     * @param cipherSuites IANA names; empty for the default
     * @throws IllegalArgumentException naming what is unknown, or what this JDK does not have
     */
    public static TlsBounds of(String minimum, List<String> cipherSuites) {
        var protocols =
                switch (minimum) {
                    case "VersionTLS13" -> List.of(TLS_1_3);
                    // those below are refused by every client of today, and by the JDK
                    case "", "VersionTLS10", "VersionTLS11", "VersionTLS12" -> DEFAULT.protocols();
                    default ->
                            throw new IllegalArgumentException(
                                    "unknown version of TLS "
                                            + minimum
                                            + ": must be VersionTLS12 or VersionTLS13");
                };
        if (cipherSuites.isEmpty() || protocols.size() == 1) {
            return new TlsBounds(protocols, List.of());
        }
        var known = known();
        for (var suite : cipherSuites) {
            if (!known.contains(suite)) {
                throw new IllegalArgumentException("unknown cipher suite " + suite);
            }
        }
        var wanted = Set.copyOf(cipherSuites);
        return new TlsBounds(
                protocols, known.stream().filter(s -> isOfTls13(s) || wanted.contains(s)).toList());
    }

    /** Returns whether a connection with these may go on. */
    boolean allow(String protocol, String cipherSuite) {
        return protocols.contains(protocol)
                && (cipherSuites.isEmpty() || cipherSuites.contains(cipherSuite));
    }

    private static boolean isOfTls13(String suite) {
        return suite.startsWith("TLS_") && !suite.contains("_WITH_");
    }

    /** Returns the cipher suites of this JDK, in its order. */
    public static List<String> known() {
        try {
            var all = SSLContext.getDefault().getSupportedSSLParameters();
            return List.of(all.getCipherSuites());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every JDK has TLS
        }
    }
}
