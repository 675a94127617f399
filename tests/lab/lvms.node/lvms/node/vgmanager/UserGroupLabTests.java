package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.VolumeGroupState;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The whole node agent on a machine with a group that a person made: it makes volumes in it beside
 * a group of its own, and nothing else becomes of it.
 */
@Lasts(seconds = 20)
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

    @BeforeAll
    static void boot() throws Exception {
        var disks = List.of(256 * MIB, 256 * MIB, 256 * MIB, 256 * MIB);
        agent = AgentNode.boot(folder, NodeOptions.named(AgentNode.NAME, disks));
    }

    @AfterAll
    static void end() throws Exception {
        if (agent != null) {
            agent.close();
        }
    }

    private static void make(String name, String deviceClass, String optionClass) throws Exception {
        agent.kube()
                .create(
                        LogicalVolume.TYPE,
                        LogicalVolume.create(
                                Driver.TOPOLVM,
                                new LogicalVolume.Spec(
                                        name,
                                        AgentNode.NAME,
                                        Quantity.parse("32Mi"),
                                        deviceClass,
                                        optionClass,
                                        "",
                                        ""),
                                Map.of()));
        AgentNode.until(() -> get(name).status().currentSize().isPresent());
    }

    private static LogicalVolume get(String name) throws Exception {
        return LogicalVolume.of(agent.kube().get(LogicalVolume.TYPE, ObjectKey.cluster(name)));
    }

    private static void remove(String name) throws Exception {
        var key = ObjectKey.cluster(name);
        agent.kube().delete(LogicalVolume.TYPE, key, DeleteOptions.any());
        AgentNode.until(() -> agent.kube().find(LogicalVolume.TYPE, key).isEmpty());
    }

    private static String column(String column, String volume) throws Exception {
        return agent.shell("lvs --noheadings -o " + column + " " + volume).strip();
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
        make("striped", "ssd", "");
        make("plain", "ssd", "plain");
        make("thin", "thin", "");
        make("own", "", "");
        assertEquals("2", column("stripes", "data/" + get("striped").uid()));
        assertEquals("1", column("stripes", "data/" + get("plain").uid()));
        assertEquals("pool", column("pool_lv", "data/" + get("thin").uid()));
        assertEquals("vg1", column("vg_name", "vg1/" + get("own").uid()));
        AgentNode.until(() -> agent.capacity("ssd") <= free - 64 * MIB);

        agent.create("ssd", AgentNode.selecting(false, "/dev/ubde"));
        var refused = agent.await("ssd", VolumeGroupState.FAILED);
        assertTrue(
                refused.reason().contains("ssd is the name of an LVMVolumeGroup, too"),
                refused.reason());
        agent.remove("ssd");

        AgentNode.until(() -> agent.capacity("gone") > 0);
        agent.shell("vgremove -q -y other");
        AgentNode.until(() -> agent.capacity("gone") == 0);

        agent.shell("kill -9 " + process);
        agent.startAgent("--user-device-classes=" + Node.SHARE + "/classes");
        for (var name : List.of("striped", "plain", "thin", "own")) {
            remove(name);
        }
        agent.remove("vg1");
        AgentNode.until(() -> agent.capacity("ssd") >= free);
        assertEquals(before, agent.shell(GROUP));
        var left = agent.shell("lvs --noheadings -o lv_name data").lines().map(String::strip);
        assertEquals(List.of("pool", "theirs"), left.toList());
    }
}
