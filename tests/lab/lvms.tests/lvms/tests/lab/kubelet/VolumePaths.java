package lvms.tests.lab.kubelet;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Where kubelet puts a volume on the node. */
record VolumePaths(String staging, String target, String volumeData) {
    static final String ROOT = "/var/lib/kubelet";
    private static final String PLUGIN = ROOT + "/plugins/kubernetes.io/csi";

    static VolumePaths filesystem(String driver, String handle, String volume, String podUid) {
        var device = PLUGIN + "/" + driver + "/" + sha256(handle);
        var folder = podFolder(podUid) + "/volumes/kubernetes.io~csi/" + volume;
        return new VolumePaths(
                device + "/globalmount", folder + "/mount", folder + "/vol_data.json");
    }

    static VolumePaths block(String volume, String podUid) {
        var devices = PLUGIN + "/volumeDevices";
        return new VolumePaths(
                devices + "/staging/" + volume,
                devices + "/publish/" + volume + "/" + podUid,
                devices + "/" + volume + "/data/vol_data.json");
    }

    static String podFolder(String podUid) {
        return ROOT + "/pods/" + podUid;
    }

    private static String sha256(String text) {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of().formatHex(digest.digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
