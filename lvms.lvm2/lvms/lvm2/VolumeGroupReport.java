package lvms.lvm2;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Everything about one volume group, from one {@code fullreport}, so that all parts agree.
 *
 * @param group the group
 * @param physicalVolumes its physical volumes
 * @param logicalVolumes its visible logical volumes
 * @param segments the segments of these logical volumes
 * @param physicalSegments every extent of its physical volumes, free or used, including missing
 *     devices; physical volumes are in the order of LVM's metadata, in which LVM allocates, and
 *     extents in their own order
 */
public record VolumeGroupReport(
        VolumeGroup group,
        List<PhysicalVolume> physicalVolumes,
        List<LogicalVolume> logicalVolumes,
        List<Segment> segments,
        List<PhysicalSegment> physicalSegments) {
    public VolumeGroupReport {
        physicalVolumes = List.copyOf(physicalVolumes);
        logicalVolumes = List.copyOf(logicalVolumes);
        segments = List.copyOf(segments);
        physicalSegments = List.copyOf(physicalSegments);
    }

    public Optional<LogicalVolume> logicalVolume(String name) {
        return logicalVolumes.stream().filter(lv -> lv.name().lv().equals(name)).findFirst();
    }

    /** Returns the thin volumes of a pool, snapshots included. */
    public List<LogicalVolume> thinVolumes(String pool) {
        return logicalVolumes.stream()
                .filter(lv -> lv.isThin() && lv.pool().filter(pool::equals).isPresent())
                .toList();
    }

    /** Returns the same report, but for the tags of a volume that were changed since. */
    public VolumeGroupReport withTags(String volume, Set<String> tags) {
        return new VolumeGroupReport(
                group,
                physicalVolumes,
                logicalVolumes.stream()
                        .map(lv -> lv.name().lv().equals(volume) ? lv.withTags(tags) : lv)
                        .toList(),
                segments,
                physicalSegments);
    }
}
