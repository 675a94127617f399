package lvms.node.vgmanager.plan;

import lvms.api.RaidConfig;
import lvms.api.RaidType;
import lvms.api.SizePolicy;
import lvms.api.ThinPoolConfig;
import lvms.api.ThinPoolConfig.WhenFull;
import lvms.api.VolumeGroupTemplate;
import lvms.api.disk.DeviceSelection;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.api.listing.GroupListing;
import lvms.api.listing.GroupNames;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.Json;
import lvms.lvm2.ThinPool;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.deviceclass.PoolGoal;
import lvms.node.deviceclass.RaidGoal;
import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.DeviceVerdict;
import lvms.node.disk.DeviceVerdict.Kind;
import lvms.node.disk.KnownPv;
import lvms.node.disk.TestDevice;
import lvms.node.disk.TestLvm;

import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.stream.Stream;

/** Situations for tests, of the class {@code vg1}. */
public final class Situations {
    public static final VolumeGroupGoal THICK = goal(Optional.empty(), Optional.empty());
    public static final PoolGoal POOL =
            pool(90, Optional.of(Quantity.ofBytes(128 << 10)), Optional.empty());
    public static final VolumeGroupGoal THIN = goal(Optional.of(POOL), Optional.empty());
    public static final VolumeGroupGoal RAID1 =
            goal(Optional.empty(), Optional.of(raid(RaidType.RAID1, 0, 0)));

    private Situations() {}

    private static VolumeGroupGoal goal(Optional<PoolGoal> pool, Optional<RaidGoal> raid) {
        return new VolumeGroupGoal(
                GroupNames.of("vg1"),
                false,
                new VolumeGroupTemplate(
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        pool.map(PoolGoal::config),
                        raid.map(RaidGoal::config),
                        Optional.empty()),
                GroupListing.NONE);
    }

    /** A thick class with what a listing says. */
    public static VolumeGroupGoal listed(String fields) {
        return new VolumeGroupGoal(
                THICK.names(),
                false,
                THICK.group(),
                GroupListing.of(Json.parse(fields).asObject()));
    }

    /** The pool of {@link #THIN} with a policy for writes when it is full. */
    public static PoolGoal whenFull(WhenFull policy) {
        var pool = POOL.config();
        return new PoolGoal(
                new ThinPoolConfig(
                        pool.name(),
                        pool.sizePercent(),
                        pool.overprovisionRatio(),
                        pool.chunkSizePolicy(),
                        pool.chunkSize(),
                        pool.metadataSizePolicy(),
                        pool.metadataSize(),
                        pool.thresholdPercent(),
                        pool.growthStepPercent(),
                        pool.growthLimit(),
                        Optional.of(policy),
                        pool.trim()));
    }

    /** A size that is absent is LVM's own choice. */
    public static PoolGoal pool(
            int sizePercent, Optional<Quantity> chunkSize, Optional<Quantity> metadataSize) {
        return new PoolGoal(
                new ThinPoolConfig(
                        "pool",
                        sizePercent,
                        10,
                        chunkSize.isPresent() ? SizePolicy.STATIC : SizePolicy.HOST,
                        chunkSize,
                        metadataSize.isPresent() ? SizePolicy.STATIC : SizePolicy.HOST,
                        metadataSize,
                        80,
                        OptionalInt.empty(),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()));
    }

    /** Zero stands for a number that is not set. */
    public static RaidGoal raid(RaidType type, int mirrors, int stripes) {
        return new RaidGoal(
                new RaidConfig(
                        type,
                        mirrors == 0 ? OptionalInt.empty() : OptionalInt.of(mirrors),
                        stripes == 0 ? OptionalInt.empty() : OptionalInt.of(stripes),
                        Optional.empty()));
    }

    public static SelectedPath path(String name) {
        return new SelectedPath(name, Optional.of(name));
    }

    public static SelectedPath dangling(String name) {
        return new SelectedPath(name, Optional.empty());
    }

    public static DeviceSelection required(SelectedPath... paths) {
        return new DeviceSelection(List.of(paths), List.of());
    }

    public static DeviceVerdict available(String name) {
        return new DeviceVerdict(TestDevice.disk(name).device(), Kind.AVAILABLE, List.of());
    }

    public static DeviceVerdict member(String name) {
        return new DeviceVerdict(TestDevice.disk(name).device(), Kind.MEMBER, List.of());
    }

    public static DeviceVerdict excluded(String name, String... reasons) {
        return new DeviceVerdict(TestDevice.disk(name).device(), Kind.EXCLUDED, List.of(reasons));
    }

    public static Situation of(
            VolumeGroupGoal goal,
            DeviceSelection selection,
            List<DeviceVerdict> verdicts,
            List<VolumeGroupReport> groups,
            List<KnownPv> pvs) {
        return new Situation(goal, selection, verdicts, groups, pvs, Optional.empty(), true);
    }

    public static Situation blank(VolumeGroupGoal goal, DeviceVerdict... verdicts) {
        return of(goal, DeviceSelection.EVERYTHING, List.of(verdicts), List.of(), List.of());
    }

    /** Our group on these physical volumes, and nothing else. */
    public static Situation existing(
            VolumeGroupGoal goal,
            DeviceSelection selection,
            List<KnownPv> pvs,
            DeviceVerdict... more) {
        var members =
                pvs.stream()
                        .filter(pv -> pv.kernelName().isPresent())
                        .map(pv -> member(pv.kernelName().get().substring("/dev/".length())));
        return of(
                goal,
                selection,
                Stream.concat(members, Stream.of(more)).toList(),
                List.of(TestLvm.ours("vg1", TestLvm.pvsOf(pvs))),
                pvs);
    }

    public static Situation with(Situation s, VolumeGroupReport report, Optional<ThinPool> pool) {
        return new Situation(
                s.goal(), s.selection(), s.verdicts(), List.of(report), s.pvs(), pool, true);
    }
}
