package lvms.tests.lab.kubelet;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;

import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** A CSI PersistentVolume as the node service is told about it. */
record CsiVolume(KubeObject object) {
    String name() {
        return object.name();
    }

    String driver() {
        return object.text("spec", "csi", "driver").orElseThrow();
    }

    String handle() {
        return object.text("spec", "csi", "volumeHandle").orElseThrow();
    }

    boolean block() {
        return object.text("spec", "volumeMode").orElse("Filesystem").equals("Block");
    }

    Map<String, String> context() {
        return object.textMap("spec", "csi", "volumeAttributes");
    }

    String fsType() {
        return object.text("spec", "csi", "fsType").orElse("");
    }

    long capacityBytes() {
        return object.text("spec", "capacity", "storage")
                .map(Quantity::parse)
                .orElseThrow()
                .bytes();
    }

    Set<String> accessModes() {
        var modes = new HashSet<String>();
        object.list("spec", "accessModes").forEach(mode -> modes.add(mode.asText()));
        return modes;
    }

    /** The capability of every call; which mode RWO becomes depends on what the driver can. */
    VolumeCapability capability(boolean singleNodeMultiWriter) {
        var result = VolumeCapability.newBuilder();
        var mode = mode(object.list("spec", "accessModes").at(0).asText(), singleNodeMultiWriter);
        result.setAccessMode(VolumeCapability.AccessMode.newBuilder().setMode(mode));
        if (block()) {
            return result.setBlock(VolumeCapability.BlockVolume.getDefaultInstance()).build();
        }
        var mount = VolumeCapability.MountVolume.newBuilder().setFsType(fsType());
        object.list("spec", "mountOptions").forEach(option -> mount.addMountFlags(option.asText()));
        return result.setMount(mount).build();
    }

    private static Mode mode(String accessMode, boolean singleNodeMultiWriter) {
        return switch (accessMode) {
            case "ReadWriteMany" -> Mode.MULTI_NODE_MULTI_WRITER;
            case "ReadOnlyMany" -> Mode.MULTI_NODE_READER_ONLY;
            case "ReadWriteOncePod" ->
                    singleNodeMultiWriter
                            ? Mode.SINGLE_NODE_SINGLE_WRITER
                            : Mode.SINGLE_NODE_WRITER;
            default ->
                    singleNodeMultiWriter ? Mode.SINGLE_NODE_MULTI_WRITER : Mode.SINGLE_NODE_WRITER;
        };
    }
}
