package lvms.lvm2.command;

import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.plan.ExtentRun;
import lvms.lvm2.report.GrowthRanges;
import lvms.lvm2.report.RaidGrowth;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Growth in two steps: the extents are first taken into a volume of their own, where they can be
 * erased while nobody sees them, and then given to the volume that grows. A volume that is in use
 * shows its new extents from the moment on in which LVM adds them.
 */
record ReservedGrowth(MendingRunner runner, Reads reads) {
    private static final List<String> KEEP_CONTENT =
            List.of("--config", "devices/issue_discards=0");

    /** The extents that a volume needs: how many for each of its areas, and how many areas. */
    private record Need(GrowthRanges places, long each) {
        long extents() {
            return each * places.areas().size();
        }
    }

    /** Takes the extents; empty if the volume is that large already. */
    Optional<LogicalVolume> reserve(
            Identity<LvName> id, long sizeBytes, LvName reserve, Set<String> tags)
            throws LvmException, InterruptedException {
        var volume = reads.existing(id);
        var name = id.name();
        var report = report(name);
        long extent = report.group().extentSizeBytes();
        var need = need(report, volume, sizeBytes);
        if (need.each() <= 0) {
            return Optional.empty();
        }
        var there = report.logicalVolume(reserve.lv());
        if (there.filter(lv -> lv.sizeBytes() == need.extents() * extent).isPresent()) {
            return there;
        }
        if (there.isPresent()) {
            throw new LvmException.AlreadyExists(
                    reserve + " exists with another size: " + there.get().sizeBytes() + " bytes");
        }
        create(name, need, reserve, tags);
        return Optional.of(reads.existing(reserve));
    }

    private void create(LvName name, Need need, LvName reserve, Set<String> tags)
            throws LvmException, InterruptedException {
        var ranges =
                need.places().choose(need.each()).orElseThrow(() -> noRoom(name, need.extents()));
        var words = new ArrayList<>(List.of("lvcreate", "-y", "-Wn", "-Zn", "--type", "linear"));
        words.addAll(List.of("-l", Long.toString(need.extents()), "-n", reserve.lv()));
        words.addAll(Words.options("--addtag", tags));
        words.add(name.vg());
        ranges.forEach(range -> words.add(range.word()));
        runner.run(Effect.CHANGE, words);
    }

    private static LvmException noRoom(LvName name, long extents) {
        return new LvmException.OutOfSpace(
                "lvextend "
                        + name
                        + ": no room for "
                        + extents
                        + " extents in which its parts stay on different devices");
    }

    /** Gives the extents of the reserve to the volume. */
    LogicalVolume extend(
            Identity<LvName> id, long sizeBytes, Identity<LvName> reserve, Creation creation)
            throws LvmException, InterruptedException {
        var volume = reads.existing(id);
        var name = id.name();
        var report = report(name);
        if (volume.sizeBytes() < sizeBytes) {
            var ranges = ranges(report, reads.existing(reserve).name().lv());
            var need = need(report, volume, sizeBytes);
            long reserved = ranges.stream().mapToLong(range -> range.run().extents()).sum();
            if (reserved != need.extents()) {
                throw new LvmException.InvalidArgument(
                        "lvextend %s: it needs %d extents, %s has %d"
                                .formatted(name, need.extents(), reserve.name(), reserved));
            }
            var words = new ArrayList<>(List.of("lvextend", "-y", "-L", sizeBytes + "b"));
            words.add(name.toString());
            ranges.forEach(range -> words.add(range.word()));
            new Extension(runner, volume, name.lv())
                    .atRest(
                            creation,
                            () -> {
                                drop(reserve.name());
                                runner.run(Effect.CHANGE, words);
                            });
        } else if (reads.logicalVolume(reserve.name()).isPresent()) {
            drop(reads.existing(reserve).name());
        }
        return reads.existing(id);
    }

    /** The extents keep what they read as: a discarded block may read as anything. */
    private void drop(LvName reserve) throws LvmException, InterruptedException {
        var words = new ArrayList<>(List.of("lvremove", "-y"));
        words.addAll(KEEP_CONTENT);
        words.add(reserve.toString());
        runner.run(Effect.CHANGE, words);
    }

    private static List<GrowthRanges.Range> ranges(VolumeGroupReport report, String volume) {
        var devices =
                report.physicalVolumes().stream()
                        .collect(Collectors.toMap(pv -> pv.uuid(), Function.identity()));
        return report.physicalSegments().stream()
                .filter(segment -> segment.volume().filter(volume::equals).isPresent())
                .map(
                        segment ->
                                new GrowthRanges.Range(
                                        devices.get(segment.pvUuid()).device(),
                                        new ExtentRun(segment.startExtent(), segment.extents())))
                .toList();
    }

    private static Need need(VolumeGroupReport report, LogicalVolume volume, long sizeBytes) {
        var places = GrowthRanges.of(report, volume.name().lv());
        long extent = report.group().extentSizeBytes();
        var raid = RaidGrowth.of(report, volume.name().lv());
        long data =
                raid.isRaid()
                        ? Math.max(1, volume.sizeBytes() / extent / raid.imageExtents())
                        : Math.max(1, places.areas().size());
        long more = Math.max(0, sizeBytes - volume.sizeBytes());
        return new Need(places, Math.ceilDiv(more, extent * data));
    }

    private VolumeGroupReport report(LvName name) throws LvmException, InterruptedException {
        return reads.report(name.vg())
                .orElseThrow(() -> new LvmException.NotFound("no volume group " + name.vg()));
    }
}
