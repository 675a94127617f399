package lvms.operator.volume;

import lvms.k8s.object.Names;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;

/** Names of LogicalVolume objects. */
final class ObjectNames {
    private ObjectNames() {}

    /**
     * Returns the name of the object for a CSI name: the same in lower case, as in TopoLVM, or a
     * digest if an API server would refuse that.
     */
    static String of(String csiName) {
        var lower = csiName.toLowerCase(Locale.ROOT);
        return Names.isDnsSubdomain(lower) ? lower : "csi-" + digest(csiName);
    }

    private static String digest(String text) {
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(sha.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every Java platform has SHA-256", e);
        }
    }
}
