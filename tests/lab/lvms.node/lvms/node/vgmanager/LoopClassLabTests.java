package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeGroupState;
import lvms.api.listing.LoopState;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;

/** Loop devices of a class on a node that loses its power, beside the whole node agent. */
@Lasts(seconds = 90)
@FullOnly("LoopClassTests has the same agent without the power cut")
@ExtendWith(AgentLog.class)
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
    private static boolean used;

    @BeforeAll
    static void boot() throws Exception {
        var disks = List.of(512 * MIB, 512 * MIB);
        agent = AgentNode.boot(folder, NodeOptions.named(AgentNode.NAME, disks));
        volumes = new AgentVolumes(agent);
    }

    /** Each test has a node on which nothing runs yet. */
    @BeforeEach
    void cutThePowerAfterAnother() throws Exception {
        if (used) {
            agent.node().powerCut();
            agent.node().boot();
        }
        used = true;
    }

    @AfterAll
    static void end() throws Exception {
        if (agent != null) {
            agent.close();
        }
    }

    private static LoopState loop(String group) throws Exception {
        return agent.entry(group).stream()
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
        var made = loop("n1-dev");
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
        AgentNode.until(() -> loop("n1-dev").isSuccessful());
        assertEquals(made.file(), backing(loop("n1-dev").deviceName()));
        agent.shell("lvchange -ay data && mkdir -p /run/v && mount " + device + " /run/v");
        assertEquals("precious", agent.shell("cat /run/v/file").strip());
        agent.shell("umount /run/v");

        volumes.remove("vol");
        agent.remove("n1-dev");
        assertEquals("lost+found", agent.shell("ls /mnt").strip());
        assertEquals("/run/other", backing("--all"));
        agent.shell("umount /mnt");
    }

    /** Its random name stands nowhere but in NativeStor's status, and nobody attaches it again. */
    @Test
    @Safety(7)
    void theLoopDeviceOfNativeStorIsTakenOverInUseAndIsThereAfterAPowerCut() throws Exception {
        var file = "/mnt/6f9619ff-8b86-d011-b42d-00c04fc964ff";
        agent.shell(
                """
                modprobe loop && mkfs.ext4 -q /dev/ubdc && mount /dev/ubdc /mnt &&
                truncate --size=2G %1$s && losetup -f %1$s &&
                lvm pvcreate -q -y $(losetup --noheadings --output NAME -j %1$s) &&
                lvm vgcreate -q -y old $(losetup --noheadings --output NAME -j %1$s) &&
                lvcreate -q -y -n data -L 64M old && mkfs.ext4 -q /dev/old/data &&
                mkdir -p /run/pod && mount /dev/old/data /run/pod &&
                echo precious > /run/pod/file && sync\
                """
                        .formatted(file));
        var device = agent.shell("losetup --noheadings --output NAME -j " + file).strip();
        var before = agent.shell("vgs --noheadings -o vg_uuid,vg_extent_count,vg_free_count old");

        agent.startAgent();
        agent.create(
                "n1-old",
                """
                {"deviceClassName": "old", "volumeGroupName": "old", "spareGb": 0,
                 "minimumDeviceSize": "2Gi", "allowEmptying": true, "adoptOn": ["%1$s"],
                 "loops": [{"name": "a", "path": "/mnt/", "sizeGb": 2, "auto": true,
                            "files": [{"node": "%1$s", "file": "%2$s"}]}]}
                """
                        .formatted(AgentNode.NAME, file));
        assertEquals(List.of(device), agent.await("n1-old", VolumeGroupState.READY).devices());
        assertEquals(LoopState.successful("a", file, device, ""), loop("n1-old"));
        assertEquals("lvms", agent.shell("vgs --noheadings -o vg_tags old").strip());
        assertEquals(
                before,
                agent.shell("vgs --noheadings -o vg_uuid,vg_extent_count,vg_free_count old"));
        agent.shell("echo more >> /run/pod/file && sync");
        assertEquals("precious\nmore", agent.shell("cat /run/pod/file").strip());
        assertEquals(List.of("6f9619ff-8b86-d011-b42d-00c04fc964ff", "lost+found"), files());

        agent.node().powerCut();
        agent.node().boot();
        agent.shell("modprobe loop && truncate --size=8M /run/other && losetup -f /run/other");
        agent.startAgent();
        var gone = "loop device \"a\": its file " + file + " is gone, and no new one is made";
        AgentNode.until(() -> agent.entry("n1-old").orElseThrow().reason().startsWith(gone));
        assertFalse(agent.node().run("ls", file).succeeded());

        agent.shell("mount /dev/ubdc /mnt");
        agent.await("n1-old", VolumeGroupState.READY);
        assertEquals(file, backing(loop("n1-old").deviceName()));
        agent.shell("lvchange -ay old && mkdir -p /run/pod && mount /dev/old/data /run/pod");
        assertEquals("precious\nmore", agent.shell("cat /run/pod/file").strip());

        agent.shell("umount /run/pod && lvremove -q -y old/data");
        agent.remove("n1-old");
        assertEquals(List.of("6f9619ff-8b86-d011-b42d-00c04fc964ff", "lost+found"), files());
    }

    private static List<String> files() throws Exception {
        return agent.shell("ls /mnt").lines().sorted().toList();
    }
}
