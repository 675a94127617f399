package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.tests.lab.machine.Disk;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** The whole node agent on a real machine: from an object to a thin pool, and back. */
@ExtendWith(AgentLog.class)
@FullOnly("InstallTests have the same agent on a real cluster")
class NodeAgentLabTests {
    private static final long MIB = 1L << 20;

    @TempDir static Path folder;
    private static AgentNode agent;

    @BeforeAll
    static void boot() throws Exception {
        agent = AgentNode.boot(folder, NodeOptions.named(AgentNode.NAME, List.of(256 * MIB)));
    }

    @AfterAll
    static void end() throws Exception {
        if (agent != null) {
            agent.close();
        }
    }

    private static VolumeGroupStatus entry() throws Exception {
        return agent.entry("vg1").orElseThrow();
    }

    @Test
    void aThinClassLivesFromItsObjectThroughAKillAndANewDiskToItsDeletion() throws Exception {
        int process = agent.startAgent();
        var spec =
                """
                {"default": true, "deviceDiscoveryPolicy": "Dynamic", "thinPoolConfig":
                 {"name": "pool", "sizePercent": 90, "overprovisionRatio": 10}}
                """;
        agent.create("vg1", spec);
        assertEquals(List.of("/dev/ubdb"), agent.await("vg1", VolumeGroupState.READY).devices());
        AgentNode.until(() -> agent.capacity("vg1") >= 0);
        long pool = poolBytes();
        assertEquals(10 * pool, agent.capacity("vg1"));

        agent.shell("kill -9 " + process);
        agent.startAgent();
        Disk added = agent.node().addDisk(256 * MIB);
        AgentNode.until(() -> entry().devices().contains(added.device()));
        agent.await("vg1", VolumeGroupState.READY);
        assertTrue(poolBytes() > pool);
        AgentNode.until(() -> agent.capacity("vg1") == 10 * poolBytes());

        agent.remove("vg1");
        assertEquals("", agent.shell("vgs --noheadings"));
        for (var disk : List.of("/dev/ubdb", added.device())) {
            assertEquals("", agent.shell("blkid -p " + disk + " || true"));
        }
        AgentNode.until(() -> agent.capacity("vg1") < 0);
    }

    private static long poolBytes() throws Exception {
        return (long) agent.lvs("lv_size", "vg1/pool");
    }
}
