package lvms.k8s.testkit.tls;

import java.util.Base64;

/** The text form of certificates and keys (RFC 7468). */
final class Pem {
    private Pem() {}

    static String of(String label, byte[] der) {
        var body = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        return "-----BEGIN " + label + "-----\n" + body + "\n-----END " + label + "-----\n";
    }

    static byte[] decode(String text) {
        return Base64.getMimeDecoder().decode(text.replaceAll("-----[A-Z ]+-----", ""));
    }
}
