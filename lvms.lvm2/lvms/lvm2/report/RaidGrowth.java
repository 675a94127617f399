package lvms.lvm2.report;

import lvms.lvm2.PhysicalSegment;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.plan.ExtentLayout;
import lvms.lvm2.plan.PvExtents;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * How a RAID volume grows so that its images stay on different devices. LVM before 2.03.22 may put
 * new extents of one image on a device of another; later ones (seen with 2.03.31) choose the same
 * room, and then refuse it although there may be other room. Two commands are safe: {@code --alloc
 * cling}, which keeps each image on its devices; and one that names as many devices as there are
 * images, if no image is on them yet and each has a run of extents that is long enough.
 *
 * @param images their segments, in order
 * @param taken UUIDs of the physical volumes on which images or their metadata lie
 * @param usable the physical volumes that LVM may allocate on, by UUID
 */
public record RaidGrowth(
        List<List<PhysicalSegment>> images, Set<String> taken, Map<String, PvExtents> usable) {
    /**
     * One command.
     *
     * @param moreExtents extents by which each image grows
     * @param onto devices to name; empty: each image stays on its own
     */
    public record Step(long moreExtents, List<String> onto) {
        /** Returns words for the command, in front of the volume and behind it. */
        public List<String> words(String size, String volume) {
            var words = new ArrayList<>(List.of("lvextend", "-y", "-L", size));
            words.addAll(onto.isEmpty() ? List.of("--alloc", "cling") : List.of());
            words.add(volume);
            words.addAll(onto);
            return words;
        }
    }

    /**
     * Reads the images of a volume, which may be a hidden one; there are none if it is not RAID.
     */
    public static RaidGrowth of(VolumeGroupReport report, String volume) {
        var images = new TreeMap<Integer, List<PhysicalSegment>>();
        var taken = new HashSet<String>();
        for (var segment : report.physicalSegments()) {
            var part = Layers.partOf(volume, segment.volume().orElse(""));
            if (part.isPresent()) {
                taken.add(segment.pvUuid());
            }
            if (part.isPresent() && part.get().group(2).equals("rimage")) {
                images.computeIfAbsent(
                                Integer.parseInt(part.get().group(3)), _ -> new ArrayList<>())
                        .add(segment);
            }
        }
        images.values()
                .forEach(i -> i.sort(Comparator.comparingLong(PhysicalSegment::volumeExtent)));
        var usable =
                ExtentLayout.of(report).physicalVolumes().stream()
                        .filter(PvExtents::allocatable)
                        .collect(Collectors.toMap(PvExtents::uuid, Function.identity()));
        return new RaidGrowth(List.copyOf(images.values()), taken, usable);
    }

    public boolean isRaid() {
        return !images.isEmpty();
    }

    /** Returns how many extents an image has. */
    public long imageExtents() {
        return images.getFirst().stream().mapToLong(PhysicalSegment::extents).sum();
    }

    /**
     * Returns the commands by which each image grows.
     *
     * @return none if there is no way that is known to be safe
     */
    public List<Step> steps(long moreExtents) {
        long here = Math.min(moreExtents, images.stream().mapToLong(this::room).min().orElse(0));
        long rest = moreExtents - here;
        var steps = new ArrayList<Step>();
        if (here > 0) {
            steps.add(new Step(here, List.of()));
        }
        if (rest > 0) {
            var fresh = fresh(rest);
            if (fresh.size() < images.size()) {
                return List.of();
            }
            steps.add(new Step(rest, fresh));
        }
        return steps;
    }

    /** LVM continues after the last segment, or clings to the device of the first. */
    private long room(List<PhysicalSegment> image) {
        var last = image.getLast();
        long behind = last.startExtent() + last.extents();
        var end = usable.get(last.pvUuid());
        long next =
                end == null
                        ? 0
                        : end.free().stream()
                                .filter(run -> run.start() == behind)
                                .mapToLong(run -> run.extents())
                                .sum();
        var first = usable.get(image.getFirst().pvUuid());
        return Math.max(next, first == null ? 0 : first.freeExtents());
    }

    /** As many devices as there are images, those with the longest runs. */
    private List<String> fresh(long extents) {
        return usable.values().stream()
                .filter(pv -> !taken.contains(pv.uuid()) && pv.longestRun() >= extents)
                .sorted(
                        Comparator.comparingLong(PvExtents::longestRun)
                                .reversed()
                                .thenComparing(PvExtents::device))
                .limit(images.size())
                .map(PvExtents::device)
                .toList();
    }
}
