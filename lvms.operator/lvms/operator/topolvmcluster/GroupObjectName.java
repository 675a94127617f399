package lvms.operator.topolvmcluster;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Optional;

/**
 * Names of the LVMVolumeGroups of a TopolvmCluster: {@code topolvm-CLASS-NODE-HASH}. Class and node
 * are for people; the hash of both keeps names apart that are equal in small letters or cut, and
 * away from those of an LVMCluster's classes.
 */
final class GroupObjectName {
    private static final int MAX = 63;
    private static final int HASH_BYTES = 4;
    private static final String PREFIX = "topolvm";

    private GroupObjectName() {}

    static String of(String deviceClass, Optional<String> node) {
        var hash = "-" + hash(deviceClass + "/" + node.orElse(""));
        var readable = PREFIX + "-" + deviceClass + node.map(name -> "-" + name).orElse("");
        var words = readable.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9]+", "-");
        int length = Math.min(words.length(), MAX - hash.length());
        return words.substring(0, length).replaceAll("-+$", "") + hash;
    }

    private static String hash(String text) {
        try {
            var digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest, 0, HASH_BYTES);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e); // every Java has it
        }
    }
}
