package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Options;
import lvms.k8s.tree.Json;
import lvms.tests.lab.machine.Disk;
import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;

/** The whole node agent on a real machine: from an object to a thin pool, and back. */
class NodeAgentLabTests {
    private static final long MIB = 1L << 20;
    private static final String NAMESPACE = "lvms-system";
    private static final String NODE = "node1";
    private static final Duration DEADLINE = Duration.ofSeconds(90);

    @TempDir static Path folder;
    private static Lab lab;
    private static Node node;
    private static ApiServer server;
    private static KubeClient kube;

    @BeforeAll
    static void boot() throws Exception {
        lab = Lab.inFolder(folder);
        node = lab.add(NodeOptions.named(NODE, List.of(256 * MIB)));
        node.boot();
        server = ApiServer.start(Options.defaults().address(lab.hostAddress()));
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), "test")
                        .withFieldManager("test");
        NodeFixture.create(kube, NAMESPACE, NODE);
        Files.writeString(node.share().resolve("kubeconfig"), server.kubeconfigText());
    }

    @AfterAll
    static void end() throws Exception {
        if (kube != null) {
            kube.close();
        }
        if (server != null) {
            server.close();
        }
        lab.close();
    }

    private static int startAgent() throws Exception {
        var jvm =
                LabJvm.heap(256)
                        .by("env", "NODE_NAME=" + NODE, "NAMESPACE=" + NAMESPACE)
                        .by("KUBECONFIG=" + Node.SHARE + "/kubeconfig");
        return node.start("agent.log", jvm.command("lvms.launcher.Main", "vgmanager"));
    }

    private static void until(Callable<Boolean> state) throws Exception {
        NodeFixture.until(DEADLINE, state);
    }

    private static Optional<VolumeGroupStatus> entry() throws Exception {
        var key = ObjectKey.of(NAMESPACE, NODE);
        return LvmVolumeGroupNodeStatus.of(kube.get(LvmVolumeGroupNodeStatus.TYPE, key))
                .volumeGroup("vg1");
    }

    private static Optional<String> capacity() throws Exception {
        return kube.get(Types.NODE, ObjectKey.cluster(NODE)).annotation("capacity.topolvm.io/vg1");
    }

    @Test
    void aThinClassLivesFromItsObjectThroughAKillAndANewDiskToItsDeletion() throws Exception {
        int agent = startAgent();
        var key = ObjectKey.of(NAMESPACE, "vg1");
        var spec =
                """
                {"default": true, "deviceDiscoveryPolicy": "Dynamic", "thinPoolConfig":
                 {"name": "pool", "sizePercent": 90, "overprovisionRatio": 10}}
                """;
        kube.create(
                LvmVolumeGroup.TYPE,
                KubeObject.create(LvmVolumeGroup.TYPE, key).with(Json.parse(spec), "spec"));
        until(() -> entry().filter(e -> e.is(VolumeGroupState.READY)).isPresent());
        assertEquals(List.of("/dev/ubdb"), entry().orElseThrow().devices());
        until(() -> capacity().isPresent());
        long pool = poolBytes();
        assertEquals(Long.toString(10 * pool), capacity().orElseThrow());

        node.shell("kill -9 " + agent);
        startAgent();
        Disk added = node.addDisk(256 * MIB);
        until(() -> entry().orElseThrow().devices().contains(added.device()));
        until(() -> entry().filter(e -> e.is(VolumeGroupState.READY)).isPresent());
        assertTrue(poolBytes() > pool);
        until(() -> capacity().equals(Optional.of(Long.toString(10 * poolBytes()))));

        kube.delete(LvmVolumeGroup.TYPE, key, DeleteOptions.any());
        until(() -> kube.find(LvmVolumeGroup.TYPE, key).isEmpty());
        assertEquals("", node.shell("vgs --noheadings"));
        for (var disk : List.of("/dev/ubdb", added.device())) {
            assertEquals("", node.shell("blkid -p " + disk + " || true"));
        }
        until(() -> capacity().isEmpty());
    }

    private static long poolBytes() throws Exception {
        var text = node.shell("lvs --noheadings --units b --nosuffix -o lv_size vg1/pool");
        return Long.parseLong(text.strip());
    }
}
