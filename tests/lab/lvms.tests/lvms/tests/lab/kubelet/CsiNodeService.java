package lvms.tests.lab.kubelet;

import io.grpc.StatusRuntimeException;

import lvms.proto.csi.v1.CapacityRange;
import lvms.proto.csi.v1.NodeExpandVolumeRequest;
import lvms.proto.csi.v1.NodeGetCapabilitiesRequest;
import lvms.proto.csi.v1.NodeGetVolumeStatsRequest;
import lvms.proto.csi.v1.NodeGetVolumeStatsResponse;
import lvms.proto.csi.v1.NodeGrpc;
import lvms.proto.csi.v1.NodePublishVolumeRequest;
import lvms.proto.csi.v1.NodeServiceCapability.RPC.Type;
import lvms.proto.csi.v1.NodeStageVolumeRequest;
import lvms.proto.csi.v1.NodeUnpublishVolumeRequest;
import lvms.proto.csi.v1.NodeUnstageVolumeRequest;
import lvms.tests.lab.machine.Node;

import java.io.IOException;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/** The node service of one driver; a connection for each operation, two minutes for each call. */
record CsiNodeService(Node node, String socket) {
    private static final long CALL_MINUTES = 2;

    private interface Operation<T> {
        T run(NodeGrpc.NodeBlockingStub stub);
    }

    private <T> T call(Operation<T> operation) throws IOException, StatusRuntimeException {
        try (var channel = new PluginChannel(node, socket)) {
            var stub = NodeGrpc.newBlockingStub(channel.grpc());
            return operation.run(stub.withDeadlineAfter(CALL_MINUTES, TimeUnit.MINUTES));
        }
    }

    Set<Type> capabilities() throws IOException {
        var answer =
                call(
                        stub ->
                                stub.nodeGetCapabilities(
                                        NodeGetCapabilitiesRequest.getDefaultInstance()));
        var types = EnumSet.noneOf(Type.class);
        answer.getCapabilitiesList()
                .forEach(capability -> types.add(capability.getRpc().getType()));
        return types;
    }

    void stage(CsiVolume volume, VolumePaths paths, Set<Type> has) throws IOException {
        var request =
                NodeStageVolumeRequest.newBuilder()
                        .setVolumeId(volume.handle())
                        .setStagingTargetPath(paths.staging())
                        .setVolumeCapability(volume.capability(multiWriter(has)))
                        .putAllVolumeContext(volume.context())
                        .build();
        call(stub -> stub.nodeStageVolume(request));
    }

    void publish(
            CsiVolume volume,
            VolumePaths paths,
            boolean staged,
            boolean readOnly,
            Map<String, String> podInfo,
            Set<Type> has)
            throws IOException {
        var request =
                NodePublishVolumeRequest.newBuilder()
                        .setVolumeId(volume.handle())
                        .setStagingTargetPath(staged ? paths.staging() : "")
                        .setTargetPath(paths.target())
                        .setReadonly(readOnly)
                        .setVolumeCapability(volume.capability(multiWriter(has)))
                        .putAllVolumeContext(volume.context())
                        .putAllVolumeContext(podInfo)
                        .build();
        call(stub -> stub.nodePublishVolume(request));
    }

    void unpublish(String handle, VolumePaths paths) throws IOException {
        var request =
                NodeUnpublishVolumeRequest.newBuilder()
                        .setVolumeId(handle)
                        .setTargetPath(paths.target())
                        .build();
        call(stub -> stub.nodeUnpublishVolume(request));
    }

    void unstage(String handle, VolumePaths paths) throws IOException {
        var request =
                NodeUnstageVolumeRequest.newBuilder()
                        .setVolumeId(handle)
                        .setStagingTargetPath(paths.staging())
                        .build();
        call(stub -> stub.nodeUnstageVolume(request));
    }

    long expand(CsiVolume volume, VolumePaths paths, boolean staged, long bytes, Set<Type> has)
            throws IOException {
        var request =
                NodeExpandVolumeRequest.newBuilder()
                        .setVolumeId(volume.handle())
                        .setVolumePath(paths.target())
                        .setStagingTargetPath(staged ? paths.staging() : "")
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                        .setVolumeCapability(volume.capability(multiWriter(has)))
                        .build();
        return call(stub -> stub.nodeExpandVolume(request)).getCapacityBytes();
    }

    NodeGetVolumeStatsResponse stats(String handle, VolumePaths paths, boolean staged)
            throws IOException {
        var request =
                NodeGetVolumeStatsRequest.newBuilder()
                        .setVolumeId(handle)
                        .setVolumePath(paths.target())
                        .setStagingTargetPath(staged ? paths.staging() : "")
                        .build();
        return call(stub -> stub.nodeGetVolumeStats(request));
    }

    private static boolean multiWriter(Set<Type> has) {
        return has.contains(Type.SINGLE_NODE_MULTI_WRITER);
    }
}
