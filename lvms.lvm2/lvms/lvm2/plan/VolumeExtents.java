package lvms.lvm2.plan;

import lvms.lvm2.PhysicalSegment;
import lvms.lvm2.VolumeGroupReport;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Where the extents of a linear or striped volume are.
 *
 * @param extents its size in extents
 * @param areas stripes of its last segment
 * @param grown its first and last segment
 */
record VolumeExtents(long extents, int areas, Request.Grown grown) {
    private static final Set<String> TYPES = Set.of("linear", "striped");

    /** Finds a volume, hidden ones too; empty if there is none, or it is of another type. */
    static Optional<VolumeExtents> of(
            VolumeGroupReport report, ExtentLayout layout, Predicate<String> name) {
        var parts =
                report.physicalSegments().stream()
                        .filter(part -> part.volume().filter(name).isPresent())
                        .toList();
        if (parts.isEmpty() || !parts.stream().allMatch(part -> TYPES.contains(part.type()))) {
            return Optional.empty();
        }
        var pvs =
                layout.physicalVolumes().stream()
                        .collect(Collectors.toMap(PvExtents::uuid, Function.identity()));
        var starts = parts.stream().map(PhysicalSegment::volumeExtent).sorted().distinct().toList();
        var last = areas(parts, starts.getLast(), pvs::get);
        return Optional.of(
                new VolumeExtents(
                        parts.stream().mapToLong(PhysicalSegment::extents).sum(),
                        last.size(),
                        new Request.Grown(areas(parts, starts.getFirst(), pvs::get), last)));
    }

    /** Finds the volume that LVM keeps for repairs of pool metadata. */
    static Optional<VolumeExtents> spare(VolumeGroupReport report, ExtentLayout layout) {
        return of(report, layout, name -> name.endsWith("_pmspare"));
    }

    private static List<Request.Area> areas(
            List<PhysicalSegment> parts, long start, Function<String, PvExtents> pvs) {
        return parts.stream()
                .filter(part -> part.volumeExtent() == start)
                .sorted(Comparator.comparingInt(PhysicalSegment::area))
                .map(
                        part ->
                                new Request.Area(
                                        pvs.apply(part.pvUuid()),
                                        part.startExtent() + part.extents()))
                .toList();
    }
}
