package lvms.lvm2.report;

import lvms.lvm2.PhysicalSegment;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.plan.ExtentLayout;
import lvms.lvm2.plan.ExtentRun;
import lvms.lvm2.plan.PvExtents;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The free extents that a linear, striped or RAID volume can grow onto, chosen before it grows, so
 * that they can be erased first. Parallel areas stay on their devices if all have room there;
 * otherwise all of them move on to devices that the volume does not use. A linear volume takes what
 * is free, behind its end first.
 *
 * @param areas the parallel areas: stripes, or the images of a RAID volume
 * @param taken UUIDs of the physical volumes that the volume lies on
 * @param usable the physical volumes that LVM may allocate on, in LVM's order, by UUID
 */
public record GrowthRanges(List<Area> areas, Set<String> taken, Map<String, PvExtents> usable) {
    /** A command line takes 63 words. */
    private static final int MOST_RANGES = 40;

    /**
     * Where an area begins and ends. LVM clings to the device on which an area begins.
     *
     * @param first its first segment
     * @param last its last segment
     */
    record Area(PhysicalSegment first, PhysicalSegment last) {
        private static Area of(Area one, Area other) {
            boolean ordered = one.last.volumeExtent() < other.first.volumeExtent();
            return ordered ? new Area(one.first, other.last) : new Area(other.first, one.last);
        }

        private boolean endsBefore(PvExtents pv, ExtentRun run) {
            return last.pvUuid().equals(pv.uuid())
                    && last.startExtent() + last.extents() == run.start();
        }
    }

    /**
     * Extents on one device.
     *
     * @param device its path
     * @param run which extents
     */
    public record Range(String device, ExtentRun run) {
        /** Returns it as LVM's commands take it. */
        public String word() {
            return "%s:%d-%d".formatted(device, run.start(), run.start() + run.extents() - 1);
        }
    }

    /** Reads where a volume lies. */
    public static GrowthRanges of(VolumeGroupReport report, String volume) {
        var images = new TreeMap<Integer, Area>();
        var stripes = new TreeMap<Long, TreeMap<Integer, Area>>(); // by segment: they may differ
        var taken = new HashSet<String>();
        for (var segment : report.physicalSegments()) {
            var area = new Area(segment, segment);
            var name = segment.volume().orElse("");
            var part = Layers.partOf(volume, name);
            if (part.isPresent() || name.equals(volume)) {
                taken.add(segment.pvUuid());
            }
            if (name.equals(volume)) {
                stripes.computeIfAbsent(segment.volumeExtent(), _ -> new TreeMap<>())
                        .put(segment.area(), area);
            } else if (part.filter(p -> p.group(2).equals("rimage")).isPresent()) {
                images.merge(Integer.parseInt(part.get().group(3)), area, Area::of);
            }
        }
        var areas = stripes.isEmpty() ? images : stripes.lastEntry().getValue();
        return new GrowthRanges(List.copyOf(areas.values()), Set.copyOf(taken), usable(report));
    }

    private static Map<String, PvExtents> usable(VolumeGroupReport report) {
        return ExtentLayout.of(report).physicalVolumes().stream()
                .filter(PvExtents::allocatable)
                .collect(
                        Collectors.toMap(
                                PvExtents::uuid,
                                Function.identity(),
                                (one, _) -> one,
                                LinkedHashMap::new));
    }

    /**
     * Chooses the extents.
     *
     * @param each how many each area needs
     * @return empty if there is no room that keeps the areas on different devices
     */
    public Optional<List<Range>> choose(long each) {
        var ranges = areas.size() == 1 ? linear(each) : parallel(each);
        return ranges.filter(chosen -> chosen.size() <= MOST_RANGES);
    }

    private Optional<List<Range>> linear(long extents) {
        var end = areas.getFirst().last().pvUuid();
        var devices = new ArrayList<>(usable.values());
        devices.sort(Comparator.comparing(pv -> !pv.uuid().equals(end))); // stable
        long left = extents;
        var ranges = new ArrayList<Range>();
        for (var pv : devices) {
            var chosen = take(pv, left);
            left -= chosen.stream().mapToLong(range -> range.run().extents()).sum();
            ranges.addAll(chosen);
        }
        return left > 0 ? Optional.empty() : Optional.of(ranges);
    }

    private Optional<List<Range>> parallel(long each) {
        var own = own(each);
        var devices = own.size() == areas.size() ? own : fresh(each);
        return devices.size() == areas.size() && !areas.isEmpty()
                ? Optional.of(devices.stream().flatMap(pv -> take(pv, each).stream()).toList())
                : Optional.empty();
    }

    /** The devices of the areas, each once; only those with room. */
    private List<PvExtents> own(long each) {
        return areas.stream()
                .filter(area -> area.first().pvUuid().equals(area.last().pvUuid()))
                .map(area -> area.last().pvUuid())
                .filter(usable::containsKey)
                .distinct()
                .map(usable::get)
                .filter(pv -> pv.freeExtents() >= each)
                .toList();
    }

    private List<PvExtents> fresh(long each) {
        return usable.values().stream()
                .filter(pv -> !taken.contains(pv.uuid()) && pv.longestRun() >= each)
                .limit(areas.size())
                .toList();
    }

    /** Takes up to this many extents of a device: those behind an area first, then long runs. */
    private List<Range> take(PvExtents pv, long extents) {
        var runs = new ArrayList<>(pv.free());
        runs.sort(
                Comparator.<ExtentRun, Boolean>comparing(
                                run -> areas.stream().noneMatch(area -> area.endsBefore(pv, run)))
                        .thenComparing(Comparator.comparingLong(ExtentRun::extents).reversed()));
        long left = extents;
        var ranges = new ArrayList<Range>();
        for (var run : runs) {
            if (left > 0) {
                long some = Math.min(left, run.extents());
                ranges.add(new Range(pv.device(), new ExtentRun(run.start(), some)));
                left -= some;
            }
        }
        return ranges;
    }
}
