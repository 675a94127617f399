package lvms.operator.openshift;

import java.util.regex.Pattern;

/**
 * Names of cipher suites. OpenSSL has its own for those up to TLS 1.2: {@code
 * ECDHE-RSA-AES128-GCM-SHA256} is IANA's {@code TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256}, and {@code
 * AES128-SHA}, which has no key exchange in its name, {@code TLS_RSA_WITH_AES_128_CBC_SHA}. Source:
 * openssl-ciphers(1).
 */
final class CipherName {
    private static final Pattern EXCHANGE = Pattern.compile("((?:EC)?DHE-(?:ECDSA|RSA|DSS))-(.+)");

    private CipherName() {}

    /** Returns IANA's name; a name that is IANA's already, or unknown, leads to no known suite. */
    static String iana(String name) {
        if (name.startsWith("TLS_")) {
            return name;
        }
        var parts = EXCHANGE.matcher(name);
        return parts.matches() ? suite(parts.group(1), parts.group(2)) : suite("RSA", name);
    }

    private static String suite(String exchange, String cipher) {
        var written =
                cipher.replaceFirst("^AES(\\d+)-SHA", "AES$1-CBC-SHA")
                        .replaceFirst("^AES(\\d+)", "AES_$1")
                        .replaceFirst("^DES-CBC3", "3DES_EDE_CBC")
                        .replaceFirst("POLY1305$", "POLY1305_SHA256");
        return ("TLS_" + exchange + "_WITH_" + written).replace('-', '_');
    }
}
