package lvms.tests.sanity;

import lvms.tests.lab.machine.Node;

import java.nio.file.Path;
import java.util.List;

/**
 * One run of the suite.
 *
 * @param deviceClass thick or thin
 * @param access {@code mount} or {@code block}
 * @param filesystem empty for the driver's default and for block
 */
record Run(String deviceClass, String access, String filesystem) {
    // XFS needs 300 MiB; both are whole extents, since the suite compares sizes exactly.
    private static final long SIZE_BYTES = 320L << 20;
    private static final long GROWN_BYTES = 640L << 20;

    String parameters() {
        return "topolvm.io/device-class: " + deviceClass + "\n";
    }

    /** What a VolumeAttributesClass would have: the suite sends nothing unless it is told what. */
    String mutableParameters() {
        return "topolvm.io/read-ahead: 128Ki\n";
    }

    /** What a VolumeSnapshotClass would have; it is for thick volumes, and thin ones ignore it. */
    String snapshotParameters() {
        return "lvms.topolvm.io/snapshot-size: 50%\n";
    }

    List<String> command(Path program, String folder, String node, String controller) {
        return List.of(
                program.toString(),
                "--csi.endpoint=" + node,
                "--csi.controllerendpoint=" + controller,
                "--csi.mountdir=" + folder + "/mount",
                "--csi.stagingdir=" + folder + "/staging",
                "--csi.testvolumeaccesstype=" + access,
                "--csi.testvolumesize=" + SIZE_BYTES,
                "--csi.testvolumeexpandsize=" + GROWN_BYTES,
                "--csi.testvolumeparameters=" + Node.SHARE + "/parameters.yaml",
                "--csi.testvolumemutableparameters=" + Node.SHARE + "/mutable-parameters.yaml",
                "--csi.testsnapshotparameters=" + Node.SHARE + "/snapshot-parameters.yaml",
                "--ginkgo.json-report=" + Node.SHARE + "/sanity.json",
                "--ginkgo.v",
                "--ginkgo.no-color");
    }

    @Override
    public String toString() {
        return String.join("-", deviceClass, access, filesystem).replaceFirst("-$", "");
    }
}
