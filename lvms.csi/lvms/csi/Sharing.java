package lvms.csi;

import lvms.proto.csi.v1.VolumeCapability;

/** Who may share a volume that is on one node: what CSI's access modes mean here. */
public enum Sharing {
    /**
     * Every pod of the node. SINGLE_NODE_WRITER is one of these modes: Kubernetes sends it for
     * ReadWriteOnce to a driver without SINGLE_NODE_MULTI_WRITER.
     */
    PODS_OF_THE_NODE,
    /** One pod: no other target path on the node may have the volume. */
    ONE_POD,
    /** The request names no mode, or one that CSI does not have; CSI requires one. */
    UNNAMED,
    /** Pods of several nodes, or only readers: a volume on one node cannot offer that. */
    IMPOSSIBLE;

    /** Returns what the access mode of a capability means. */
    public static Sharing of(VolumeCapability capability) {
        return switch (capability.getAccessMode().getMode()) {
            case SINGLE_NODE_WRITER, SINGLE_NODE_MULTI_WRITER -> PODS_OF_THE_NODE;
            case SINGLE_NODE_SINGLE_WRITER -> ONE_POD;
            case UNKNOWN, UNRECOGNIZED -> UNNAMED;
            case SINGLE_NODE_READER_ONLY,
                    MULTI_NODE_READER_ONLY,
                    MULTI_NODE_SINGLE_WRITER,
                    MULTI_NODE_MULTI_WRITER ->
                    IMPOSSIBLE;
        };
    }
}
