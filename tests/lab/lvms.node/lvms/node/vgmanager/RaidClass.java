package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmVolumeGroup;
import lvms.api.RaidHealth;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvcreateOptions;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.device.BlockDevices;
import lvms.node.deviceclass.RaidGoal;
import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.InventoryReader;
import lvms.node.disk.SystemHost;
import lvms.node.vgmanager.plan.Decision;
import lvms.node.vgmanager.plan.MissingDevices;
import lvms.node.vgmanager.plan.Situation;
import lvms.node.vgmanager.plan.Step;
import lvms.node.vgmanager.plan.VolumeGroupPlan;

import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/** A RAID class on a node of the lab, and the passes that the product makes over its group. */
final class RaidClass {
    private static final String TAG = "lvms.volume=pvc-1";

    private final Lvm lvm;
    private final String name;
    private final String config;
    private final SituationReader reader;
    private final MissingDevices missingDevices = new MissingDevices(InstantSource.system());
    private final MetricsRegistry registry = new MetricsRegistry();
    private final RaidMetrics metrics = new RaidMetrics(registry, "node1");

    /**
     * A class that has no group yet.
     *
     * @param name of the class and its group
     * @param config its {@code raidConfig}, in JSON
     */
    RaidClass(Lvm lvm, String name, String config) {
        this.lvm = lvm;
        this.name = name;
        this.config = config;
        var host =
                new SystemHost(
                        BlockDevices.system(), device -> device.kernelName().startsWith("sd"));
        reader = new SituationReader(host, lvm, new InventoryReader(host, lvm), true, "n1");
    }

    /** Its volume that the passes are about. */
    LvName volumeName() {
        return new LvName(name, "data");
    }

    LogicalVolume volume() throws Exception {
        return lvm.volumes().find(volumeName()).orElseThrow();
    }

    Path path() {
        return Path.of("/dev", name, "data");
    }

    RaidGoal goal() {
        return VolumeGroupGoal.of(group(List.of("/dev/sda"))).raid().orElseThrow();
    }

    /** Makes a volume as the class asks for it, twice. */
    void create(LvName volume, long sizeBytes) throws LvmException, InterruptedException {
        var request =
                new NewThickVolume(
                        volume,
                        sizeBytes,
                        Set.of("lvms", TAG),
                        OptionalInt.empty(),
                        OptionalLong.empty(),
                        LvcreateOptions.of(goal().lvcreateOptions()));
        var made = lvm.volumes().createThick(request);
        assertTrue(made.layout().contains(goal().type().text()), made.layout().toString());
        assertEquals(made.uuid(), lvm.volumes().createThick(request).uuid(), "again: the same");
    }

    /** Takes every step there is; returns their names. */
    List<String> converge(List<String> paths) throws Exception {
        return steps(paths, false);
    }

    /** Takes every step of a removal. */
    List<String> remove(List<String> paths) throws Exception {
        return steps(paths, true);
    }

    private List<String> steps(List<String> paths, boolean removing) throws Exception {
        var taken = new ArrayList<String>();
        boolean replaced = false;
        while (true) {
            var plan = plan(paths, replaced);
            if (!((removing ? plan.nextOfRemoval() : plan.next())
                    instanceof Decision.Act(var step))) {
                metrics.update(plan.s());
                System.out.println(name + " steps " + taken);
                return taken;
            }
            new StepRunner(lvm, reader.host()).run(step, plan.s());
            replaced |= step instanceof Step.ExtendGroup;
            taken.add(step.name());
        }
    }

    private VolumeGroupPlan plan(List<String> paths, boolean replaced) throws Exception {
        var s = read(paths);
        return new VolumeGroupPlan(s, missingDevices.givenUp(s, replaced));
    }

    private Situation read(List<String> paths) throws Exception {
        reader.inventory().invalidate();
        var group = group(paths);
        return reader.read(group, List.of(group)).situation();
    }

    VolumeGroupStatus status(List<String> paths) throws Exception {
        var s = read(paths);
        metrics.update(s);
        return StatusEntry.ready(s);
    }

    /** One device is gone, and the status says what that means. */
    void assertLoss(List<String> paths, String lost) throws Exception {
        var status = status(paths);
        assertEquals(VolumeGroupState.DEGRADED, status.state().orElseThrow());
        assertTrue(status.devices().contains("[unknown]"), status.devices().toString());
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

    void awaitHealthy(List<String> paths) throws Exception {
        awaitSync();
        var status = status(paths);
        assertEquals(VolumeGroupState.READY, status.state().orElseThrow(), status.reason());
        var raid = status.raid().orElseThrow();
        assertEquals(RaidHealth.HEALTHY, raid.health());
        assertEquals(OptionalInt.of(100), raid.minSyncPercent());
        assertGauge("lvms_raid_health_status", 0);
        assertGauge("lvms_raid_sync_percent", 100);
        assertGauge("lvms_raid_member_count", paths.size());
    }

    /** The last extent is copied a moment before the kernel's thread rests. */
    void awaitSync() throws Exception {
        ScsiDisks.await(
                "in sync",
                () -> {
                    var volume = volume();
                    return volume.syncPercent().orElse(0) == 100
                            && volume.syncAction().equals("idle");
                });
    }

    private void assertGauge(String gauge, int value) {
        var line = "%s{node=\"node1\",device_class=\"%s\"} %d\n".formatted(gauge, name, value);
        assertTrue(registry.text().contains(line), registry.text());
    }

    /** The kernel reads all images and finds no difference. */
    void assertEqualImages() throws Exception {
        var volume = volumeName().toString();
        ScsiDisks.program("lvchange", "--syncaction", "check", volume);
        ScsiDisks.await("checked", () -> volume().syncAction().equals("idle"));
        var count = ScsiDisks.program("lvs", "--noheadings", "-o", "raid_mismatch_count", volume);
        assertEquals("0", count.strip());
    }

    private LvmVolumeGroup group(List<String> paths) {
        var spec =
                """
                {"deviceSelector": {"paths": ["%s"]}, "raidConfig": %s}
                """
                        .formatted(String.join("\", \"", paths), config);
        return DiskProgram.group(name, spec);
    }
}
