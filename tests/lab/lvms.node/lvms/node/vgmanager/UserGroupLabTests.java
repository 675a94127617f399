package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeGroupState;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The whole node agent on a machine with a group that a person made: it makes volumes in it beside
 * a group of its own, and nothing else becomes of it.
 */
@Lasts(seconds = 20)
@FullOnly("ListedGroupTests has groups that people made, on loop devices")
@ExtendWith(AgentLog.class)
class UserGroupLabTests {
    private static final long MIB = 1L << 20;
    private static final String GROUP =
            "vgs --noheadings -o vg_uuid,vg_tags,vg_extent_count,pv_name data";
    private static final String CLASSES =
            """
            lvcreate-option-classes:
              - {name: plain, options: ["--contiguous=y"]}
            device-classes:
              - {name: ssd, volume-group: data, spare-gb: 0, stripe: 2, stripe-size: 64k}
              - {name: gone, volume-group: other, spare-gb: 0}
              - name: thin
                volume-group: data
                type: thin
                thin-pool: {name: pool, overprovision-ratio: 5.0}
            """;

    @TempDir static Path folder;
    private static AgentNode agent;
    private static AgentVolumes volumes;

    @BeforeAll
    static void boot() throws Exception {
        var disks = List.of(256 * MIB, 256 * MIB, 256 * MIB, 256 * MIB);
        agent = AgentNode.boot(folder, NodeOptions.named(AgentNode.NAME, disks));
        volumes = new AgentVolumes(agent);
    }

    @AfterAll
    static void end() throws Exception {
        if (agent != null) {
            agent.close();
        }
    }

    @Test
    void aPersonsGroupIsServedBesideOneOfOurs() throws Exception {
        agent.shell("vgcreate -q -y data /dev/ubdb /dev/ubdc && vgcreate -q -y other /dev/ubdd");
        agent.shell("lvcreate -q -y -T -L 64M data/pool && lvcreate -q -y -n theirs -L 8M data");
        var before = agent.shell(GROUP);
        var classes = Files.createDirectories(agent.node().share().resolve("classes"));
        Files.writeString(classes.resolve(AgentNode.NAME + ".yaml"), CLASSES);
        int process = agent.startAgent("--user-device-classes=" + Node.SHARE + "/classes");
        AgentNode.until(() -> agent.capacity("thin") == 5 * 64 * MIB);
        agent.create("vg1", "{\"default\": true, \"deviceDiscoveryPolicy\": \"Dynamic\"}");
        assertEquals(List.of("/dev/ubde"), agent.await("vg1", VolumeGroupState.READY).devices());

        long free = agent.capacity("ssd");
        volumes.make("striped", "ssd", "");
        volumes.make("plain", "ssd", "plain");
        volumes.make("thin", "thin", "");
        volumes.make("own", "", "");
        assertEquals("2", volumes.column("stripes", "data", "striped"));
        assertEquals("1", volumes.column("stripes", "data", "plain"));
        assertEquals("pool", volumes.column("pool_lv", "data", "thin"));
        assertEquals("vg1", volumes.column("vg_name", "vg1", "own"));
        AgentNode.until(() -> agent.capacity("ssd") <= free - 64 * MIB);

        agent.create("ssd", AgentNode.selecting(false, "/dev/ubde"));
        var refused = agent.await("ssd", VolumeGroupState.FAILED);
        assertTrue(
                refused.reason().contains("ssd is that of an LVMVolumeGroup, too"),
                refused.reason());
        agent.remove("ssd");

        AgentNode.until(() -> agent.capacity("gone") > 0);
        agent.shell("vgremove -q -y other");
        AgentNode.until(() -> agent.capacity("gone") == 0);

        agent.shell("kill -9 " + process);
        agent.startAgent("--user-device-classes=" + Node.SHARE + "/classes");
        for (var name : List.of("striped", "plain", "thin", "own")) {
            volumes.remove(name);
        }
        agent.remove("vg1");
        AgentNode.until(() -> agent.capacity("ssd") >= free);
        assertEquals(before, agent.shell(GROUP));
        var left = agent.shell("lvs --noheadings -o lv_name data").lines().map(String::strip);
        assertEquals(List.of("pool", "theirs"), left.toList());
    }
}
