package lvms.lvm2.command;

import static lvms.lvm2.plan.AllocationSettings.DEFAULTS;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.DeviceScope;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.engine.LvmVersion;
import lvms.lvm2.plan.CapacityPlanner;
import lvms.lvm2.plan.ExtentLayout;
import lvms.lvm2.plan.GroupPlanner;
import lvms.lvm2.plan.PoolShape;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.LongFunction;

/**
 * Holds the planner against LVM: in random groups, a volume of exactly the planned size can be made
 * and one that is an extent (of each stripe) larger can not.
 */
final class CapacityTrials {
    private static final String VG = RandomGroup.VG;
    private static final long MIB = 1L << 20;

    private final Lvm lvm;
    private final MendingRunner runner;
    private final List<Path> devices;
    private final boolean deviceMapper;
    private final LvmVersion version;
    private final SizeTrial trial;
    private final List<String> failures = new ArrayList<>();

    /**
     * Trials of everything, or of what needs no device-mapper.
     *
     * @param all LVM, whose view will be limited to the devices
     */
    CapacityTrials(Lvm all, List<Path> devices, boolean deviceMapper) {
        lvm = all.limitedTo(DeviceScope.only(devices));
        runner = ((LvmCommands) lvm).runner();
        trial = new SizeTrial(runner);
        this.devices = devices;
        version = LvmVersion.ofText(all.engine().lvmVersion()).orElseThrow();
        this.deviceMapper = deviceMapper;
    }

    /** Tries so many groups; each has a seed of its own, so that it can be repeated alone. */
    List<String> run(long seed, int layouts) throws LvmException, InterruptedException {
        long start = System.nanoTime();
        for (int i = 0; i < layouts; i++) {
            tryOut(seed + i);
        }
        System.out.printf(
                "%d groups from seed %d, %s, %d s%n",
                layouts, seed, trial, (System.nanoTime() - start) / 1_000_000_000);
        return failures;
    }

    private void tryOut(long seed) throws LvmException, InterruptedException {
        var group = new RandomGroup(runner, devices, deviceMapper, seed);
        group.make();
        var report = lvm.groups().report(VG).orElseThrow();
        var layout = ExtentLayout.of(report);
        for (var kind : VolumeKind.plain()) {
            note(group, kind.words() + " " + layout, mismatch(kind, layout));
        }
        if (deviceMapper) {
            for (var kind : raids(layout)) {
                note(group, kind.words() + " " + layout, mismatch(kind, layout));
            }
            for (var shape : pools(report.group().extentSizeBytes())) {
                note(group, shape + " " + layout, mismatch(shape, report));
            }
        }
        for (var volume : report.logicalVolumes()) {
            tryGrowth(group, report, volume);
        }
        group.remove();
    }

    /**
     * None where LVM 2.03.22 and newer refuse images that share a device although the group's
     * policy allows it: they look at the policy that the command names, and at no other.
     */
    private List<VolumeKind> raids(ExtentLayout layout) {
        boolean refused =
                version.atLeast(2, 3, 22) && layout.allocation() == AllocationPolicy.ANYWHERE;
        return refused ? List.of() : VolumeKind.raid();
    }

    private void note(RandomGroup group, String what, Optional<String> mismatch) {
        mismatch.ifPresent(
                text ->
                        failures.add(
                                "seed %d, %s: %s%n%s"
                                        .formatted(
                                                group.seed(),
                                                text,
                                                what,
                                                String.join("\n", group.commands()))));
    }

    private Optional<String> mismatch(VolumeKind kind, ExtentLayout whole)
            throws LvmException, InterruptedException {
        var layout = kind.tag().isEmpty() ? whole : whole.onTagged(kind.tag());
        if (layout.physicalVolumes().isEmpty()) {
            return Optional.empty(); // lvcreate takes no tag that no device has
        }
        // some versions of LVM make RAID volumes whose images share a device
        var settings = kind.settings().withImagesApart(version.atLeast(2, 3, 22));
        var planned = new CapacityPlanner(settings).largest(layout, kind.shape());
        return trial.mismatch(planned, kind.shape().stripes(), kind.command(VG));
    }

    private static List<PoolShape> pools(long extentSizeBytes) {
        return List.of(
                PoolShape.DEFAULT,
                new PoolShape(OptionalLong.of(128 << 10), OptionalLong.of(5 * MIB)),
                new PoolShape(OptionalLong.empty(), OptionalLong.of(6 * extentSizeBytes + 2 * MIB)),
                new PoolShape(OptionalLong.of(4 * MIB), OptionalLong.empty()));
    }

    private Optional<String> mismatch(PoolShape shape, VolumeGroupReport report)
            throws LvmException, InterruptedException {
        var planned = new GroupPlanner(report, DEFAULTS).largestPool(shape);
        return trial.mismatch(planned, 1, extents -> VolumeKind.pool(shape, extents, VG));
    }

    /** The volumes of the random group are linear. */
    private void tryGrowth(RandomGroup group, VolumeGroupReport report, LogicalVolume volume)
            throws LvmException, InterruptedException {
        var planner = new GroupPlanner(report, DEFAULTS);
        var name = volume.name();
        var planned =
                volume.isThinPool()
                        ? planner.dataGrowth(name.lv())
                        : planner.volumeGrowth(name.lv());
        LongFunction<List<String>> more =
                extents -> List.of("lvextend", "--test", "-y", "-l", "+" + extents, "" + name);
        note(group, "growth of " + name, trial.mismatch(planned.orElseThrow(), 1, more));
        if (volume.isThinPool()) {
            tryMetadataGrowth(group, report, planner, name);
        }
    }

    /** LVM makes more of it, if need be without a spare volume as large. */
    private void tryMetadataGrowth(
            RandomGroup group, VolumeGroupReport report, GroupPlanner planner, LvName pool)
            throws LvmException, InterruptedException {
        long extent = report.group().extentSizeBytes();
        LongFunction<List<String>> more =
                extents -> {
                    var size = "+" + extents * extent + "b";
                    return List.of(
                            "lvextend", "--test", "-y", "--poolmetadatasize", size, "" + pool);
                };
        var planned = planner.metadataGrowth(pool.lv()).orElseThrow();
        note(group, "growth of the metadata of " + pool, trial.tooLarge(planned, more));
    }
}
