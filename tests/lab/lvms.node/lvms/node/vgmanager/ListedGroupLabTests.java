package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.RaidHealth;
import lvms.api.VolumeGroupState;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * Groups that were listed node by node, beside the whole node agent: volumes come by the name of
 * the class, and groups outlive their objects, are taken over, and end with their last device.
 */
@Lasts(seconds = 60)
@FullOnly("ListedGroupTests has the same agent on loop devices")
@ExtendWith(AgentLog.class)
class ListedGroupLabTests {
    private static final long MIB = 1L << 20;

    private static final String MIRROR =
            """
            {"deviceClassName": "mirror", "volumeGroupName": "mirrored", "spareGb": 0,
             "deviceSelector": {"paths": ["/dev/sda", "/dev/sdb"]}, "raidConfig": {"type": "raid1"}}
            """;

    @TempDir static Path folder;
    private static AgentNode agent;
    private static AgentVolumes volumes;

    @BeforeAll
    static void boot() throws Exception {
        var disks = List.of(128 * MIB, 128 * MIB, 128 * MIB, 128 * MIB, 128 * MIB);
        agent = AgentNode.boot(folder, NodeOptions.named(AgentNode.NAME, disks));
        volumes = new AgentVolumes(agent);
        agent.startAgent();
    }

    @AfterAll
    static void end() throws Exception {
        if (agent != null) {
            agent.close();
        }
    }

    private static String listed(String deviceClass, String vg, String paths, String more) {
        return """
        {"deviceClassName": "%s", "volumeGroupName": "%s",
         "deviceSelector": {"optionalPaths": [%s]}%s}
        """
                .formatted(deviceClass, vg, paths, more);
    }

    /** All that LVM knows of a group and what is in it. */
    private static String report(String vg) throws Exception {
        return agent.shell("vgs --noheadings -o vg_uuid,vg_tags,pv_uuid,pv_name " + vg)
                + agent.shell(
                        "lvs --noheadings -o lv_uuid,lv_name,lv_tags,devices,lv_active " + vg);
    }

    @Test
    void volumesComeByTheNameOfTheClassAndInItsPresentShape() throws Exception {
        var disks = "\"/dev/ubdb\", \"/dev/ubdc\"";
        var shape = ", \"spareGb\": 0, \"stripe\": 2, \"stripeSize\": \"64k\"";
        agent.create("n1-hdd", listed("hdd", "spinning", disks, shape));
        agent.await("n1-hdd", VolumeGroupState.READY);
        volumes.make("striped", "hdd", "");
        assertEquals("2", volumes.column("stripes", "spinning", "striped"));
        assertEquals("64.00k", volumes.column("stripe_size", "spinning", "striped"));
        agent.change("n1-hdd", "{\"default\": true, \"stripe\": null, \"stripeSize\": null}");
        AgentNode.until(() -> agent.capacity("00default") > 0);
        volumes.make("linear", "", "");
        assertEquals("1", volumes.column("stripes", "spinning", "linear"));
        var kept = report("spinning");

        agent.change("n1-hdd", "{\"retainOnDelete\": true}");
        agent.remove("n1-hdd");
        AgentNode.until(() -> agent.capacity("hdd") == -1);
        assertEquals(kept, report("spinning"));
        agent.create("again", listed("hdd", "spinning", disks, ""));
        agent.await("again", VolumeGroupState.READY);
        assertEquals(kept, report("spinning"));
        AgentNode.until(() -> agent.capacity("hdd") > 0);
        volumes.remove("striped");
        volumes.remove("linear");
        agent.remove("again");
        assertFalse(agent.node().run("vgs", "spinning").succeeded());
    }

    /** What a TopolvmCluster asks for: nothing, then its annotation names the group. */
    @Test
    void aGroupThatPeopleUseIsRefusedUntilItIsAskedForOnThisNode() throws Exception {
        agent.shell(
                """
                vgcreate -q -y --addtag theirs people /dev/ubdf &&
                lvcreate -q -y -n data -L 16M people && mkfs.ext4 -q /dev/people/data &&
                mkdir -p /mnt/people && mount /dev/people/data /mnt/people &&
                echo precious > /mnt/people/file && sync
                """);
        var before = report("people");
        var list = ", \"retainOnDelete\": true, \"allowEmptying\": true";
        agent.create("n1-people", listed("slow", "people", "\"/dev/ubdf\"", list));
        agent.await("n1-people", VolumeGroupState.FAILED);
        assertTrue(
                agent.entry("n1-people").orElseThrow().reason().contains("is left alone"),
                agent.entry("n1-people").orElseThrow().reason());
        agent.change("n1-people", "{\"adoptOn\": [\"another\"]}");
        agent.change("n1-people", "{\"spareGb\": 0}");
        agent.await("n1-people", VolumeGroupState.FAILED);
        assertEquals(before, report("people"));
        assertEquals(-1, agent.capacity("slow"));
        agent.change("n1-people", "{\"adoptOn\": [\"another\", \"" + AgentNode.NAME + "\"]}");
        agent.await("n1-people", VolumeGroupState.READY);
        AgentNode.until(() -> agent.capacity("slow") > 0);
        assertEquals("lvms,theirs", agent.shell("vgs --noheadings -o vg_tags people").strip());
        assertEquals(before.lines().skip(1).toList(), report("people").lines().skip(1).toList());
        assertEquals("precious", agent.shell("cat /mnt/people/file").strip());
        volumes.make("beside", "slow", "");
        volumes.remove("beside");
        agent.shell("umount /mnt/people && lvremove -q -y people/data");
        agent.change("n1-people", "{\"retainOnDelete\": null}");
        agent.remove("n1-people");
        assertFalse(agent.node().run("vgs", "people").succeeded());
    }

    @Test
    void aGroupThatPeopleUseIsTakenOverWhileItIsMounted() throws Exception {
        agent.shell(
                """
                vgcreate -q -y made /dev/ubdd && lvcreate -q -y -n theirs -L 16M made &&
                mkfs.ext4 -q /dev/made/theirs && mkdir -p /mnt/theirs &&
                mount /dev/made/theirs /mnt/theirs && echo precious > /mnt/theirs/file && sync
                """);
        var before = report("made");
        var list = ", \"adopt\": true, \"allowEmptying\": true";
        agent.create("n1-made", listed("own", "made", "\"/dev/ubdd\"", list));
        agent.await("n1-made", VolumeGroupState.READY);
        assertEquals("lvms", agent.shell("vgs --noheadings -o vg_tags made").strip());
        assertEquals(before.lines().skip(1).toList(), report("made").lines().skip(1).toList());
        assertEquals("precious", agent.shell("cat /mnt/theirs/file").strip());
        volumes.make("ours", "own", "");

        agent.change(
                "n1-made",
                "{\"deviceSelector\": {\"optionalPaths\": [\"/dev/ubdd\", \"/dev/ubde\"]}}");
        AgentNode.until(() -> agent.entry("n1-made").orElseThrow().devices().size() == 2);
        agent.change("n1-made", "{\"deviceSelector\": {\"optionalPaths\": [\"/dev/ubde\"]}}");
        AgentNode.until(
                () -> agent.entry("n1-made").orElseThrow().reason().contains("volumes are on it"));
        agent.change("n1-made", "{\"deviceSelector\": null}");
        AgentNode.until(
                () ->
                        agent.entry("n1-made")
                                .orElseThrow()
                                .reason()
                                .startsWith("the class names no device any more"));
        assertTrue(agent.capacity("own") > 0);
        assertEquals("precious", agent.shell("cat /mnt/theirs/file").strip());

        agent.shell("umount /mnt/theirs && lvremove -q -y made/theirs");
        volumes.remove("ours");
        AgentNode.until(() -> !agent.node().run("vgs", "made").succeeded());
        AgentNode.until(() -> agent.capacity("own") == -1);
        AgentNode.until(() -> agent.shell("pvs --noheadings").isBlank());
        agent.remove("n1-made");
    }

    /** Its disks are SCSI disks, which can be pulled out while they are in use. */
    @Test
    void aVolumeOfAClassWithRaidOutlivesADisk() throws Exception {
        agent.shell(
                "modprobe sd_mod && modprobe scsi_debug per_host_store=1 add_host=3"
                        + " dev_size_mb=48");
        AgentNode.until(
                () -> agent.node().run("ls", "/dev/sda", "/dev/sdb", "/dev/sdc").succeeded());
        agent.create("n1-mirror", MIRROR);
        agent.await("n1-mirror", VolumeGroupState.READY);
        volumes.make("kept", "mirror", "");
        assertEquals("raid1", volumes.column("segtype", "mirrored", "kept"));
        write("before");
        awaitMirrored("/dev/sda", "/dev/sdb");

        agent.shell("echo 1 > /sys/block/sdb/device/delete");
        assertEquals("before", content());
        write("after!");
        AgentNode.until(
                () ->
                        agent.entry("n1-mirror")
                                .orElseThrow()
                                .reason()
                                .contains("nothing at /dev/sdb"));
        var lost = agent.entry("n1-mirror").orElseThrow();
        assertEquals(Optional.of(VolumeGroupState.DEGRADED), lost.state());
        assertEquals(RaidHealth.DEGRADED, lost.raid().orElseThrow().health());
        assertEquals(1, lost.raid().orElseThrow().degradedMemberCount());
        assertEquals("after!", content());

        agent.change(
                "n1-mirror", "{\"deviceSelector\": {\"paths\": [\"/dev/sda\", \"/dev/sdc\"]}}");
        agent.await("n1-mirror", VolumeGroupState.READY);
        awaitMirrored("/dev/sda", "/dev/sdc");
        assertEquals("after!", content());
        volumes.remove("kept");
        agent.remove("n1-mirror");
        assertFalse(agent.node().run("vgs", "mirrored").succeeded());
    }

    private static String device() throws Exception {
        return "/dev/mirrored/" + volumes.get("kept").uid();
    }

    private static void write(String word) throws Exception {
        agent.shell("echo %s | dd of=%s conv=fsync status=none".formatted(word, device()));
    }

    /** What is on the disks, past the memory of the node. */
    private static String content() throws Exception {
        return agent.shell(
                        "dd if=%s bs=4k count=1 iflag=direct status=none | head -n 1"
                                .formatted(device()))
                .strip();
    }

    /** Waits until the volume is in sync, and has an image on each of these disks and no other. */
    private static void awaitMirrored(String... disks) throws Exception {
        AgentNode.until(
                () ->
                        volumes.column("sync_percent", "mirrored", "kept").startsWith("100")
                                && volumes.column("raid_sync_action", "mirrored", "kept")
                                        .equals("idle"));
        var images = "lvs -a --noheadings -o lv_name,devices mirrored | grep _rimage_";
        assertEquals(
                List.of(disks),
                agent.shell(images + " | grep -o '/dev/sd[a-z]' | sort").lines().toList());
    }
}
