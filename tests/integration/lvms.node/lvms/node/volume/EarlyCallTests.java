package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;

import io.grpc.Status.Code;

import lvms.csi.UnixSocketServer;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.csi.CsiClient;
import lvms.node.csi.KnownVolumes;
import lvms.node.csi.KubeletFolders;
import lvms.node.csi.LvmVolumeDevices;
import lvms.node.csi.NodeService;
import lvms.node.csi.VolumeCalls;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;

/**
 * Kubelet may ask for a volume before the agent knows which volumes its node has. After a boot each
 * failed call doubles the time until kubelet asks again, so the call waits.
 */
class EarlyCallTests extends VolumeControllerCase {
    private final CountDownLatch asked = new CountDownLatch(1);
    private volatile boolean answered;

    private Optional<NodeVolumes> volumes() {
        asked.countDown();
        return answered ? controller.volumes() : Optional.empty();
    }

    @Test
    void aCallThatComesTooSoonIsAnsweredWhenTheVolumesAreKnown() throws Exception {
        var root = Files.createDirectories(folder.toRealPath().resolve("kubelet"));
        try (var calls = new VolumeCalls(Duration.ofSeconds(30))) {
            var node =
                    new NodeService(
                            new NodeService.NodeIdentity(
                                    Volumes.NODE,
                                    "topology.topolvm.io/node",
                                    NodeService.Offer.ALL),
                            new LvmVolumeDevices(
                                    KnownVolumes.of(this::volumes),
                                    classes::current,
                                    groups,
                                    DeviceMapper.system()),
                            calls,
                            groups.formats(),
                            new KubeletFolders(root, "topolvm.io"),
                            _ -> {},
                            (_, _) -> {});
            var path = root.resolveSibling("s").resolve("csi.sock");
            try (var socket = UnixSocketServer.inOwnFolder(path, List.of(node))) {
                socket.start();
                assertEquals(Code.NOT_FOUND, codeOfEarlyCall(path));
            }
        }
    }

    private Code codeOfEarlyCall(Path socket) throws Exception {
        var target = folder.toRealPath().resolve("kubelet/target");
        var group = groupUuid();
        var kubelet = new CsiClient(socket);
        try {
            var call =
                    new FutureTask<>(
                            () -> CsiClient.codeOf(() -> kubelet.publish("none", target, group)));
            Thread.ofVirtual().start(call);
            asked.await();
            answered = true;
            return call.get();
        } finally {
            kubelet.close();
        }
    }
}
