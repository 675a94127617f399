package lvms.node;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import lvms.api.Names;
import lvms.deploy.Patience;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.command.LvmCommands;
import lvms.node.csi.CsiClient;
import lvms.proto.csi.v1.NodeGetInfoRequest;
import lvms.proto.csi.v1.NodeGetVolumeStatsRequest;
import lvms.proto.csi.v1.ProbeRequest;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;
import lvms.tests.support.Nodes;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.FutureTask;

/**
 * The node agent's call Probe says whether LVM works and the API server can be followed. LVM is the
 * machine's, which sees no disk here, behind a program that can be broken. An agent that has no LVM
 * yet is there for kubelet all the same.
 */
@Timeout(120)
class ProbeTests {
    private static final String NODE = "n1";
    private static final String PROGRAM =
            """
            #!/bin/sh
            test ! -e %1$s/broken || exit 127
            LVM_SYSTEM_DIR=%1$s exec lvm "$@"
            """;

    @TempDir Path folder;
    private ApiServer server;
    private KubeClient kube;
    private EventRecorder events;
    private NodeAgent agent;
    private CsiClient client;

    @BeforeEach
    void prepare() throws Exception {
        assumeTrue(LoopDisks.possible(), "needs root and LVM");
        Files.writeString(folder.resolve("lvm"), PROGRAM.formatted(folder));
        Files.writeString(
                folder.resolve("lvm.conf"), "devices { filter = [ \"r|.*|\" ] use_devicesfile=0 }");
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        Definitions.install(
                kube,
                List.of(
                        "topolvm.io_logicalvolumes",
                        "lvm.topolvm.io_lvmvolumegroups",
                        "lvm.topolvm.io_lvmvolumegroupnodestatuses"));
        Nodes.create(kube, KubeObject.create(Types.NODE, ObjectKey.cluster(NODE)));
        events = EventRecorder.open(kube, Names.VG_MANAGER, NODE);
    }

    @AfterEach
    void end() throws Exception {
        if (agent != null) {
            agent.close();
        }
        if (server != null) {
            events.close();
            kube.close();
            server.close();
        }
    }

    private Lvm lvm() throws Exception {
        var program = List.of("sh", folder.resolve("lvm").toString());
        return LvmCommands.open(LvmOptions.defaults().withExecCommand(program));
    }

    private void start(Lvm lvm) throws Exception {
        announce(false);
        agent.start(lvm);
    }

    /** Makes the agent; kubelet may reach it before it has LVM. */
    private void announce(boolean early) throws Exception {
        var settings =
                new NodeAgentSettings(
                        NODE,
                        "lvms",
                        "test",
                        folder.resolve("lvmd.yaml"),
                        folder.resolve("kubelet"),
                        Optional.empty(),
                        Optional.empty(),
                        NativestorSettings.NONE);
        agent = new NodeAgent(settings, kube, events, new MetricsRegistry());
        if (early) {
            agent.announce();
        }
        client = new CsiClient(settings.csi().socket());
    }

    private boolean ready() {
        return client.identity().probe(ProbeRequest.getDefaultInstance()).getReady().getValue();
    }

    /** Returns what the call fails with; empty while it does not. */
    private String trouble() {
        try {
            ready();
            return "";
        } catch (StatusRuntimeException e) {
            assertTrue(e.getStatus().getCode() == Status.Code.FAILED_PRECONDITION, e.toString());
            return e.getStatus().getDescription();
        }
    }

    @Test
    void anAgentThatCanWorkIsReady() throws Exception {
        start(lvm());
        Patience.until("it is ready", () -> trouble().isEmpty() && ready());
    }

    @Test
    void anAgentWhoseLvmRunsNoCommandSaysSo() throws Exception {
        var lvm = lvm();
        Files.createFile(folder.resolve("broken"));
        start(lvm);
        Patience.until(
                "it says what is wrong", () -> trouble().startsWith("LVM runs no command: "));
    }

    @Test
    void anAgentThatCannotFollowTheServerIsNotReady() throws Exception {
        server.faults()
                .answer(
                        r -> r.target().contains("/logicalvolumes"),
                        Integer.MAX_VALUE,
                        503,
                        "away");
        start(lvm());
        Patience.until("it answers", () -> trouble().isEmpty());
        assertTrue(!ready(), "volumes cannot be served yet");
    }

    /** After a boot, kubelet asks for volumes at once, and finding LVM takes seconds. */
    @Test
    void anAgentWithoutLvmYetIsThereForKubeletAndCallsWaitForLvm() throws Exception {
        announce(true);
        var info = client.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
        assertEquals(NODE, info.getNodeId());
        assertTrue(Files.exists(folder.resolve("kubelet/plugins_registry/topolvm.io-reg.sock")));
        assertTrue(!ready(), "it has no LVM");
        var target = folder.toRealPath().resolve("kubelet/target");
        var early =
                new FutureTask<>(
                        () -> CsiClient.codeOf(() -> client.publish("none", target, "no group")));
        Thread.ofVirtual().start(early);
        agent.start(lvm());
        assertEquals(Status.Code.NOT_FOUND, early.get());
        Patience.until("it is ready", () -> trouble().isEmpty() && ready());
    }

    @Test
    void aCallForAVolumeSaysWhyThereIsNoLvm() throws Exception {
        announce(true);
        agent.blocked("this image has no LVM");
        var refused =
                assertThrows(
                        StatusRuntimeException.class,
                        () -> client.node().nodeGetVolumeStats(stats("none")));
        assertEquals(Status.Code.ABORTED, refused.getStatus().getCode());
        assertEquals(
                "no volume is known yet: this image has no LVM",
                refused.getStatus().getDescription());
    }

    private NodeGetVolumeStatsRequest stats(String volume) {
        return NodeGetVolumeStatsRequest.newBuilder()
                .setVolumeId(volume)
                .setVolumePath(folder.toString())
                .build();
    }
}
