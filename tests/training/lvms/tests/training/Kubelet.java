package lvms.tests.training;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import lvms.csi.SocketChannel;
import lvms.proto.csi.v1.CapacityRange;
import lvms.proto.csi.v1.GetPluginCapabilitiesRequest;
import lvms.proto.csi.v1.GetPluginInfoRequest;
import lvms.proto.csi.v1.IdentityGrpc;
import lvms.proto.csi.v1.NodeExpandVolumeRequest;
import lvms.proto.csi.v1.NodeGetCapabilitiesRequest;
import lvms.proto.csi.v1.NodeGetInfoRequest;
import lvms.proto.csi.v1.NodeGetVolumeStatsRequest;
import lvms.proto.csi.v1.NodeGrpc;
import lvms.proto.csi.v1.NodePublishVolumeRequest;
import lvms.proto.csi.v1.NodeUnpublishVolumeRequest;
import lvms.proto.csi.v1.ProbeRequest;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;
import lvms.proto.csi.v1.VolumeCapability.BlockVolume;
import lvms.proto.csi.v1.VolumeCapability.MountVolume;
import lvms.proto.registration.v1.InfoRequest;
import lvms.proto.registration.v1.RegistrationGrpc;
import lvms.proto.registration.v1.RegistrationStatus;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;

/**
 * Registers the plugins of a node agent and calls them, as kubelet does. No volume is there: what
 * is about one is refused, after the agent has looked for it.
 *
 * @param root kubelet's folder
 */
public record Kubelet(Path root) {
    private static final Duration DEADLINE = Duration.ofMinutes(3); // by QEMU

    /** What says nothing about the request: the agent was not reached or did not look. */
    private static final Set<Status.Code> UNANSWERED =
            EnumSet.of(
                    Status.Code.UNAVAILABLE,
                    Status.Code.DEADLINE_EXCEEDED,
                    Status.Code.UNIMPLEMENTED,
                    Status.Code.CANCELLED,
                    Status.Code.UNKNOWN);

    /**
     * Registers every plugin whose socket is there, and asks it about a volume; waits until there
     * is one.
     *
     * @param volume handle of a volume that is not on this machine
     */
    public void work(String volume) throws IOException, InterruptedException {
        var folder = root.resolve("plugins_registry");
        long end = System.nanoTime() + DEADLINE.toNanos();
        while (!register(folder, volume)) {
            if (System.nanoTime() > end) {
                throw new IOException("no plugin in " + folder + " after " + DEADLINE);
            }
            Thread.sleep(50);
        }
    }

    private boolean register(Path folder, String volume) throws IOException {
        if (!Files.isDirectory(folder)) {
            return false;
        }
        try (var files = Files.newDirectoryStream(folder, "*.sock")) {
            boolean any = false;
            for (var socket : files) {
                any = true;
                call(endpoint(socket), volume);
                confirm(socket);
            }
            return any;
        }
    }

    private static Path endpoint(Path socket) {
        try (var channel = new SocketChannel(socket)) {
            return Path.of(
                    registration(channel).getInfo(InfoRequest.getDefaultInstance()).getEndpoint());
        }
    }

    private static void confirm(Path socket) {
        try (var channel = new SocketChannel(socket)) {
            registration(channel)
                    .notifyRegistrationStatus(
                            RegistrationStatus.newBuilder().setPluginRegistered(true).build());
        }
    }

    private static RegistrationGrpc.RegistrationBlockingStub registration(SocketChannel channel) {
        return RegistrationGrpc.newBlockingStub(channel.grpc())
                .withDeadlineAfter(DEADLINE.toSeconds(), TimeUnit.SECONDS);
    }

    /** Kubelet makes a connection for each call; one for some of them costs the agent no less. */
    private void call(Path socket, String volume) {
        try (var channel = new SocketChannel(socket)) {
            var identity =
                    IdentityGrpc.newBlockingStub(channel.grpc())
                            .withDeadlineAfter(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            identity.getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
            identity.getPluginCapabilities(GetPluginCapabilitiesRequest.getDefaultInstance());
            answered(() -> identity.probe(ProbeRequest.getDefaultInstance()));
        }
        try (var channel = new SocketChannel(socket)) {
            var node =
                    NodeGrpc.newBlockingStub(channel.grpc())
                            .withDeadlineAfter(DEADLINE.toSeconds(), TimeUnit.SECONDS);
            node.nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
            node.nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance());
            about(node, volume);
        }
    }

    /** The life of a volume: a pod begins, is asked about, grows, and ends. */
    private void about(NodeGrpc.NodeBlockingStub node, String volume) {
        var target =
                root.resolve("pods/training/volumes/kubernetes.io~csi/training/mount").toString();
        var mounted =
                VolumeCapability.newBuilder().setMount(MountVolume.newBuilder().setFsType("xfs"));
        var raw = VolumeCapability.newBuilder().setBlock(BlockVolume.getDefaultInstance());
        for (var access : new VolumeCapability.Builder[] {mounted, raw}) {
            var capability =
                    access.setAccessMode(
                            AccessMode.newBuilder().setMode(Mode.SINGLE_NODE_MULTI_WRITER));
            answered(
                    () ->
                            node.nodePublishVolume(
                                    NodePublishVolumeRequest.newBuilder()
                                            .setVolumeId(volume)
                                            .setTargetPath(target)
                                            .setVolumeCapability(capability)
                                            .build()));
        }
        answered(() -> node.nodePublishVolume(NodePublishVolumeRequest.getDefaultInstance()));
        answered(
                () ->
                        node.nodeGetVolumeStats(
                                NodeGetVolumeStatsRequest.newBuilder()
                                        .setVolumeId(volume)
                                        .setVolumePath(target)
                                        .build()));
        answered(
                () ->
                        node.nodeExpandVolume(
                                NodeExpandVolumeRequest.newBuilder()
                                        .setVolumeId(volume)
                                        .setVolumePath(target)
                                        .setCapacityRange(
                                                CapacityRange.newBuilder()
                                                        .setRequiredBytes(1L << 30))
                                        .build()));
        answered(
                () ->
                        node.nodeUnpublishVolume(
                                NodeUnpublishVolumeRequest.newBuilder()
                                        .setVolumeId(volume)
                                        .setTargetPath(target)
                                        .build()));
    }

    private static void answered(Runnable call) {
        try {
            call.run();
        } catch (StatusRuntimeException e) {
            if (UNANSWERED.contains(e.getStatus().getCode())) {
                throw e;
            }
        }
    }
}
