package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.filesystem.MkfsOptions;
import lvms.csi.Sharing;
import lvms.proto.csi.v1.NodePublishVolumeRequest;
import lvms.proto.csi.v1.VolumeCapability;

import java.io.IOException;

/**
 * What a checked NodePublishVolume request asks for.
 *
 * @param volume the volume
 * @param target where it has to appear
 * @param access filesystem or raw device, read-only or not
 * @param exclusive whether no other target on this node may have the volume
 */
record Publication(VolumeId volume, TargetPath target, Access access, boolean exclusive) {
    /** How the pod sees the volume. */
    sealed interface Access {
        /** Whether the target has to be read-only. */
        boolean readOnly();
    }

    /**
     * A mounted filesystem.
     *
     * @param filesystem its type
     * @param options how to mount it
     * @param mkfsOptions how to make it, as the PersistentVolume says; only who makes it looks at
     *     it, so that a volume with data is never refused for it
     */
    record Mounted(Filesystem filesystem, MountOptions options, String mkfsOptions)
            implements Access {
        @Override
        public boolean readOnly() {
            return options.readOnly();
        }
    }

    /** The block device itself. */
    record Raw(boolean readOnly) implements Access {}

    /** Checks a request in the order that csi-sanity expects: missing fields come first. */
    static Publication of(NodePublishVolumeRequest request) throws VolumeException {
        if (request.getVolumeId().isEmpty()) {
            throw new VolumeException(StatusCode.INVALID_ARGUMENT, "volume_id is missing");
        }
        var target = TargetPath.of("target_path", request.getTargetPath());
        if (!request.hasVolumeCapability()) {
            throw new VolumeException(StatusCode.INVALID_ARGUMENT, "volume_capability is missing");
        }
        var capability = request.getVolumeCapability();
        var access = access(capability, request);
        boolean exclusive = exclusive(capability);
        return new Publication(VolumeId.of(request.getVolumeId()), target, access, exclusive);
    }

    /** The same, with links in the target's folder resolved. */
    Publication resolved() throws IOException {
        return new Publication(volume, target.resolved(), access, exclusive);
    }

    private static Access access(VolumeCapability capability, NodePublishVolumeRequest request)
            throws VolumeException {
        boolean readonly = request.getReadonly();
        return switch (capability.getAccessTypeCase()) {
            case BLOCK -> new Raw(readonly);
            case MOUNT -> {
                var mount = capability.getMount();
                var filesystem = Filesystem.requested(mount.getFsType());
                yield new Mounted(
                        filesystem,
                        MountOptions.of(filesystem, mount.getMountFlagsList(), readonly),
                        request.getVolumeContextOrDefault(MkfsOptions.PARAMETER, ""));
            }
            case ACCESSTYPE_NOT_SET ->
                    throw new VolumeException(
                            StatusCode.INVALID_ARGUMENT,
                            "volume_capability is neither block nor mount");
        };
    }

    private static boolean exclusive(VolumeCapability capability) throws VolumeException {
        return switch (Sharing.of(capability)) {
            case PODS_OF_THE_NODE -> false;
            case ONE_POD -> true;
            case UNNAMED ->
                    throw new VolumeException(
                            StatusCode.INVALID_ARGUMENT, "access_mode is missing or unknown");
            case IMPOSSIBLE ->
                    throw new VolumeException(
                            StatusCode.FAILED_PRECONDITION,
                            "a local volume does not support access mode "
                                    + capability.getAccessMode().getMode());
        };
    }
}
