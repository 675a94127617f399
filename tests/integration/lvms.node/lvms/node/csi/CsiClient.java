package lvms.node.csi;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import lvms.api.LogicalVolume;
import lvms.api.filesystem.MkfsOptions;
import lvms.csi.SocketChannel;
import lvms.proto.csi.v1.CapacityRange;
import lvms.proto.csi.v1.IdentityGrpc;
import lvms.proto.csi.v1.NodeExpandVolumeRequest;
import lvms.proto.csi.v1.NodeGetVolumeStatsRequest;
import lvms.proto.csi.v1.NodeGetVolumeStatsResponse;
import lvms.proto.csi.v1.NodeGrpc;
import lvms.proto.csi.v1.NodePublishVolumeRequest;
import lvms.proto.csi.v1.NodeUnpublishVolumeRequest;
import lvms.proto.csi.v1.ProbeRequest;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;
import lvms.proto.csi.v1.VolumeCapability.BlockVolume;
import lvms.proto.csi.v1.VolumeCapability.MountVolume;

import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Calls the CSI node service over its socket, as kubelet does. */
public final class CsiClient {
    private final SocketChannel channel;

    public CsiClient(Path socket) {
        channel = new SocketChannel(socket);
    }

    public NodeGrpc.NodeBlockingStub node() {
        return NodeGrpc.newBlockingStub(channel.grpc()).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    public IdentityGrpc.IdentityBlockingStub identity() {
        return IdentityGrpc.newBlockingStub(channel.grpc()).withDeadlineAfter(60, TimeUnit.SECONDS);
    }

    /** Returns whether the plugin says that it is ready; the call fails while its premises do. */
    public boolean ready() {
        try {
            return identity().probe(ProbeRequest.getDefaultInstance()).getReady().getValue();
        } catch (StatusRuntimeException _) {
            return false;
        }
    }

    public static VolumeCapability filesystem(String type, Mode mode, String... flags) {
        return VolumeCapability.newBuilder()
                .setMount(MountVolume.newBuilder().setFsType(type).addAllMountFlags(List.of(flags)))
                .setAccessMode(AccessMode.newBuilder().setMode(mode))
                .build();
    }

    public static VolumeCapability filesystem(String type) {
        return filesystem(type, Mode.SINGLE_NODE_MULTI_WRITER);
    }

    public static VolumeCapability block(Mode mode) {
        return VolumeCapability.newBuilder()
                .setBlock(BlockVolume.getDefaultInstance())
                .setAccessMode(AccessMode.newBuilder().setMode(mode))
                .build();
    }

    public void publish(String volume, Path target, VolumeCapability capability, boolean readonly) {
        var answer =
                node().nodePublishVolume(
                                NodePublishVolumeRequest.newBuilder()
                                        .setVolumeId(volume)
                                        .setTargetPath(target.toString())
                                        .setVolumeCapability(capability)
                                        .setReadonly(readonly)
                                        .build());
        if (!answer.isInitialized()) {
            throw new AssertionError(answer);
        }
    }

    /** Publishes a filesystem of a PersistentVolume that names a volume group. */
    public void publish(String volume, Path target, String groupUuid) {
        var answer =
                node().nodePublishVolume(
                                NodePublishVolumeRequest.newBuilder()
                                        .setVolumeId(volume)
                                        .setTargetPath(target.toString())
                                        .setVolumeCapability(filesystem("ext4"))
                                        .putVolumeContext(
                                                LogicalVolume.Home.GROUP_ATTRIBUTE, groupUuid)
                                        .build());
        if (!answer.isInitialized()) {
            throw new AssertionError(answer);
        }
    }

    /** Publishes a filesystem of a PersistentVolume that says how to make it. */
    public void publish(String volume, Path target, String type, String mkfsOptions) {
        var answer =
                node().nodePublishVolume(
                                NodePublishVolumeRequest.newBuilder()
                                        .setVolumeId(volume)
                                        .setTargetPath(target.toString())
                                        .setVolumeCapability(filesystem(type))
                                        .putVolumeContext(MkfsOptions.PARAMETER, mkfsOptions)
                                        .build());
        if (!answer.isInitialized()) {
            throw new AssertionError(answer);
        }
    }

    public void unpublish(String volume, Path target) {
        node().nodeUnpublishVolume(
                        NodeUnpublishVolumeRequest.newBuilder()
                                .setVolumeId(volume)
                                .setTargetPath(target.toString())
                                .build());
    }

    public long expand(String volume, Path path, long requiredBytes) {
        return node().nodeExpandVolume(
                        NodeExpandVolumeRequest.newBuilder()
                                .setVolumeId(volume)
                                .setVolumePath(path.toString())
                                .setCapacityRange(
                                        CapacityRange.newBuilder().setRequiredBytes(requiredBytes))
                                .build())
                .getCapacityBytes();
    }

    public NodeGetVolumeStatsResponse stats(String volume, String path) {
        return node().nodeGetVolumeStats(
                        NodeGetVolumeStatsRequest.newBuilder()
                                .setVolumeId(volume)
                                .setVolumePath(path)
                                .build());
    }

    /** The code with which a call fails. */
    public static Status.Code codeOf(Runnable call) {
        try {
            call.run();
            return Status.Code.OK;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    public void close() {
        channel.close();
    }
}
