package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonObject;
import com.google.gson.JsonParser;

import lvms.api.LvmVolumeGroup;
import lvms.api.RaidHealth;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvcreateOptions;
import lvms.lvm2.Lvm;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.Program;
import lvms.node.volume.VolumeGroups;
import lvms.tests.lab.machine.GuestArchive;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.Callable;

/**
 * The life of a RAID 1 class on a node of the lab with SCSI disks that can be pulled out while they
 * are in use: one vanishes under load and comes back, one vanishes and is replaced.
 */
public final class RaidGuest {
    private static final long MIB = 1L << 20;
    private static final LvName VOLUME = new LvName("mirror", "data");
    private static final String TAG = "lvms.volume=pvc-1";
    private static final List<String> WWNS =
            List.of(
                    "/dev/disk/by-id/wwn-0x33333330000007d0",
                    "/dev/disk/by-id/wwn-0x3333333000000fa0",
                    "/dev/disk/by-id/wwn-0x3333333000001770");

    private final Lvm lvm;
    private final SituationReader reader;
    private final Absences absences = new Absences(InstantSource.system());
    private final MetricsRegistry registry = new MetricsRegistry();
    private final RaidMetrics metrics = new RaidMetrics(registry, "node1");

    private RaidGuest(Lvm lvm) {
        this.lvm = lvm;
        var host =
                new SystemHost(
                        BlockDevices.system(), device -> device.kernelName().startsWith("sd"));
        reader = new SituationReader(host, lvm, new InventoryReader(host, lvm), true);
    }

    public static void main(String[] arguments) throws Exception {
        program("modprobe", "scsi_debug", "per_host_store=1", "add_host=3", "dev_size_mb=128");
        for (var disk : WWNS) {
            await(disk, () -> Files.exists(Path.of(disk)));
        }
        try (var lvm = Lvm.open(GuestArchive.lvmOptions())) {
            new RaidGuest(lvm).run();
        }
    }

    private void run() throws Exception {
        var pair = WWNS.subList(0, 2);
        assertEquals(List.of("CreateGroup"), converge(pair));
        create();
        awaitHealthy(pair);
        try (var load = new RaidLoad(path())) {
            load.awaitMore(100);
            comesBack(pair, load);
            comesBackAfterTheGroupChanged(pair, load);
            isReplaced(load);
            load.awaitMore(100);
        }
        copiesAreEqual();
        theOneThatWasReplacedCanBeUsedAgain();
        growsAndGoes();
        anEmptyGroupGoesWithoutItsDevice();
    }

    private void create() throws Exception {
        create(VOLUME, 48 * MIB);
    }

    private void create(LvName name, long sizeBytes) throws Exception {
        var goal = VolumeGroupGoal.of(group(WWNS.subList(0, 2))).raid().orElseThrow();
        var request =
                new NewThickVolume(
                        name,
                        sizeBytes,
                        Set.of("lvms", TAG),
                        OptionalInt.empty(),
                        OptionalLong.empty(),
                        LvcreateOptions.of(goal.lvcreateOptions()),
                        true);
        var made = lvm.createThickVolume(request);
        assertEquals(Set.of("raid", "raid1"), made.layout());
        assertEquals(made.uuid(), lvm.createThickVolume(request).uuid(), "again: the same");
    }

    /**
     * A volume that is removed afterwards takes nothing back, though its groups were read before.
     */
    private void comesBack(List<String> paths, RaidLoad load) throws Exception {
        var other = new LvName("mirror", "other");
        create(other, 8 * MIB);
        var groups = new VolumeGroups(lvm);
        groups.limitedTo("mirror");
        pull(0);
        load.awaitMore(50);
        assertEquals(List.of(), converge(paths));
        assertLoss(paths, WWNS.get(0));
        plug(0);
        assertEquals(List.of("RefreshVolume", "RefreshVolume"), converge(paths));
        groups.limitedTo("mirror").removeVolume(other);
        assertEquals(0, lvm.volumeGroup("mirror").orElseThrow().missingPhysicalVolumes());
        awaitHealthy(paths);
        load.awaitMore(50);
    }

    private void comesBackAfterTheGroupChanged(List<String> paths, RaidLoad load) throws Exception {
        pull(1);
        lvm.changeVolumeGroupTags("mirror", Set.of("changed"), Set.of());
        load.awaitMore(50);
        plug(1);
        assertEquals(List.of("RestoreDevices", "RefreshVolume"), converge(paths));
        awaitHealthy(paths);
        load.awaitMore(50);
    }

    private void isReplaced(RaidLoad load) throws Exception {
        var before = WWNS.subList(0, 2);
        var after = List.of(WWNS.get(0), WWNS.get(2));
        pull(1);
        load.awaitMore(50);
        assertEquals(List.of(), converge(before));
        assertLoss(before, WWNS.get(1));
        assertEquals(List.of("ExtendGroup", "RepairVolume", "RemoveMissing"), converge(after));
        awaitHealthy(after);
        assertEquals(2, status(after).devices().size());
    }

    private void assertLoss(List<String> paths, String lost) throws Exception {
        var status = status(paths);
        assertEquals(VolumeGroupState.DEGRADED, status.state().orElseThrow());
        var raid = status.raid().orElseThrow();
        assertEquals(RaidHealth.DEGRADED, raid.health());
        assertEquals(1, raid.degradedMemberCount());
        var decision = (Decision.Blocked) plan(paths, false).next();
        System.out.println("message " + decision.message());
        assertTrue(decision.message().contains("nothing at " + lost), decision.message());
        assertTrue(decision.message().contains("pvc-1"), decision.message());
        assertGauge("lvms_raid_health_status", 1);
        assertGauge("lvms_raid_degraded_count", 1);
    }

    private void awaitHealthy(List<String> paths) throws Exception {
        await("in sync", this::inSync);
        var status = status(paths);
        assertEquals(VolumeGroupState.READY, status.state().orElseThrow(), status.reason());
        var raid = status.raid().orElseThrow();
        assertEquals(RaidHealth.HEALTHY, raid.health());
        assertEquals(OptionalInt.of(100), raid.minSyncPercent());
        assertGauge("lvms_raid_health_status", 0);
        assertGauge("lvms_raid_sync_percent", 100);
        assertGauge("lvms_raid_member_count", 2);
    }

    private void assertGauge(String name, int value) {
        var line = name + "{node=\"node1\",device_class=\"mirror\"} " + value;
        assertTrue(registry.text().contains(line + "\n"), registry.text());
    }

    private void copiesAreEqual() throws Exception {
        program("lvchange", "--syncaction", "check", VOLUME.toString());
        await("checked", () -> volume().syncAction().equals("idle"));
        assertEquals("0", line("lvs --noheadings -o raid_mismatch_count " + VOLUME));
    }

    /** Its label is outdated: LVM lists it nowhere, and lets nobody use it as it is. */
    private void theOneThatWasReplacedCanBeUsedAgain() throws Exception {
        plug(1);
        assertEquals(List.of("ExtendGroup"), converge(WWNS));
        assertEquals(3, status(WWNS).devices().size());
    }

    private void growsAndGoes() throws Exception {
        lvm.extendVolume(VOLUME, 64 * MIB);
        await("in sync", this::inSync);
        assertEquals(64 * MIB, volume().sizeBytes());
        assertEquals(Set.of("raid", "raid1"), volume().layout());
        lvm.removeVolume(VOLUME);
        assertEquals(List.of(), lvm.logicalVolumes("mirror"));
    }

    private void anEmptyGroupGoesWithoutItsDevice() throws Exception {
        pull(2);
        assertEquals(List.of("RemoveMissing", "RemoveGroup"), steps(WWNS, true));
        assertTrue(lvm.volumeGroup("mirror").isEmpty());
    }

    private List<String> converge(List<String> paths) throws Exception {
        return steps(paths, false);
    }

    /** Takes every step there is; returns their names. */
    private List<String> steps(List<String> paths, boolean removing) throws Exception {
        var taken = new ArrayList<String>();
        boolean replaced = false;
        while (true) {
            var plan = plan(paths, replaced);
            if (!((removing ? plan.nextOfRemoval() : plan.next())
                    instanceof Decision.Act(var step))) {
                metrics.update(plan.s());
                System.out.println("steps " + taken);
                return taken;
            }
            new StepRunner(lvm).run(step, plan.s());
            replaced |= step instanceof Step.ExtendGroup;
            taken.add(step.name());
        }
    }

    private VolumeGroupPlan plan(List<String> paths, boolean replaced) throws Exception {
        var s = read(paths);
        return new VolumeGroupPlan(s, absences.given(s, replaced));
    }

    private Situation read(List<String> paths) throws Exception {
        reader.inventory().invalidate();
        var group = group(paths);
        return reader.read(group, List.of(group)).situation();
    }

    private VolumeGroupStatus status(List<String> paths) throws Exception {
        var s = read(paths);
        metrics.update(s);
        return GroupReport.ready(s);
    }

    /** The last extent is copied a moment before the kernel's thread rests. */
    private boolean inSync() throws Exception {
        var volume = volume();
        return volume.syncPercent().orElse(0) == 100 && volume.syncAction().equals("idle");
    }

    private LogicalVolume volume() throws Exception {
        return lvm.logicalVolume(VOLUME).orElseThrow();
    }

    private static Path path() {
        return Path.of("/dev", VOLUME.vg(), VOLUME.lv());
    }

    private static LvmVolumeGroup group(List<String> paths) {
        var spec =
                """
                {"deviceSelector": {"paths": ["%s"]}, "raidConfig": {"type": "raid1"}}
                """
                        .formatted(String.join("\", \"", paths));
        var metadata = new JsonObject();
        metadata.addProperty("name", "mirror");
        var tree = new JsonObject();
        tree.add("metadata", metadata);
        tree.add("spec", JsonParser.parseString(spec));
        return LvmVolumeGroup.of(KubeObject.of(tree));
    }

    /** Pulls a disk out, in use or not. */
    private static void pull(int disk) throws Exception {
        var path = Path.of(WWNS.get(disk));
        var name = path.toRealPath().getFileName().toString();
        Files.writeString(Path.of("/sys/block", name, "device/delete"), "1");
        await(path + " gone", () -> Files.notExists(path));
    }

    private static void plug(int disk) throws Exception {
        Files.writeString(Path.of("/sys/class/scsi_host/host" + disk + "/scan"), "- - -");
        await(WWNS.get(disk), () -> Files.exists(Path.of(WWNS.get(disk))));
        program("udevadm", "settle");
    }

    private static String line(String command) throws Exception {
        return program(command.split(" ")).strip();
    }

    private static String program(String... command) throws Exception {
        var result = Program.of(Duration.ofMinutes(1), command).run();
        assertTrue(result.succeeded(), List.of(command) + ": " + result);
        return result.stdout();
    }

    private static void await(String what, Callable<Boolean> state) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!state.call()) {
            if (System.nanoTime() > end) {
                throw new IOException("not within 30 s: " + what);
            }
            Thread.sleep(50);
        }
    }
}
