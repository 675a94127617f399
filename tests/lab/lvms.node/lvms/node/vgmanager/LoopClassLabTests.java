package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeGroupState;
import lvms.api.listing.LoopState;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Loop devices of a class on a node that loses its power, beside the whole node agent. */
@Lasts(seconds = 60)
class LoopClassLabTests {
    private static final long MIB = 1L << 20;
    private static final String SPEC =
            """
            {"deviceClassName": "dev", "volumeGroupName": "data", "spareGb": 0,
             "allowEmptying": true, "retainOnDelete": false,
             "loops": [{"name": "a", "path": "/mnt", "sizeGb": 1, "auto": true}]}
            """;

    @TempDir static Path folder;
    private static AgentNode agent;
    private static AgentVolumes volumes;

    @BeforeAll
    static void boot() throws Exception {
        agent = AgentNode.boot(folder, NodeOptions.named(AgentNode.NAME, List.of(512 * MIB)));
        volumes = new AgentVolumes(agent);
    }

    @AfterAll
    static void end() throws Exception {
        if (agent != null) {
            agent.close();
        }
    }

    private static LoopState loop() throws Exception {
        return agent.entry("n1-dev").stream()
                .flatMap(entry -> entry.loops().stream())
                .findFirst()
                .orElseThrow();
    }

    private static String backing(String device) throws Exception {
        return agent.shell("losetup --noheadings --output BACK-FILE " + device).strip();
    }

    @Test
    @Safety(7)
    void aVolumeOnALoopDeviceKeepsItsContentThroughAPowerCut() throws Exception {
        agent.shell("modprobe loop && mkfs.ext4 -q /dev/ubdb && mount /dev/ubdb /mnt");
        agent.startAgent();
        agent.create("n1-dev", SPEC);
        var ready = agent.await("n1-dev", VolumeGroupState.READY);
        var made = loop();
        assertEquals(List.of(made.deviceName()), ready.devices());
        assertEquals(made.file(), backing(made.deviceName()));
        assertTrue(made.file().startsWith("/mnt/data@a@"), made.file());
        assertEquals("1073741824", agent.shell("stat --format=%s " + made.file()).strip());

        volumes.make("vol", "dev", "");
        var device = "/dev/data/" + volumes.get("vol").uid();
        agent.shell(
                """
                lvchange -ay data && mkfs.ext4 -q %1$s && mkdir -p /run/v && mount %1$s /run/v &&
                echo precious > /run/v/file && umount /run/v && sync\
                """
                        .formatted(device));

        agent.node().powerCut();
        agent.node().boot();
        agent.shell("modprobe loop && truncate --size=8M /run/other && losetup -f /run/other");
        agent.startAgent();
        var gone = "loop device \"a\": its file " + made.file() + " is gone";
        AgentNode.until(() -> agent.entry("n1-dev").orElseThrow().reason().startsWith(gone));
        assertFalse(agent.node().run("ls", made.file()).succeeded());

        agent.shell("mount /dev/ubdb /mnt");
        agent.await("n1-dev", VolumeGroupState.READY);
        AgentNode.until(() -> loop().isSuccessful());
        assertEquals(made.file(), backing(loop().deviceName()));
        agent.shell("lvchange -ay data && mkdir -p /run/v && mount " + device + " /run/v");
        assertEquals("precious", agent.shell("cat /run/v/file").strip());
        agent.shell("umount /run/v");

        volumes.remove("vol");
        agent.remove("n1-dev");
        assertEquals("lost+found", agent.shell("ls /mnt").strip());
        assertEquals("/run/other", backing("--all"));
        agent.shell("umount /mnt");
    }
}
