package lvms.operator.page;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A disk of a volume group, and what its extents are for.
 *
 * @param device its path, or what LVM says of a device that is missing
 * @param extentBytes size of an extent
 * @param extents how many it has
 * @param missing whether the node does not find the device
 * @param runs all of them in order, neighbours joined
 */
record DiskMap(
        String node,
        String group,
        String device,
        long sizeBytes,
        long extentBytes,
        long extents,
        boolean missing,
        List<ExtentRun> runs) {
    DiskMap {
        runs = joined(runs);
        if (!runs.isEmpty()) {
            extents = Math.max(extents, runs.getLast().end());
        }
    }

    private static List<ExtentRun> joined(List<ExtentRun> runs) {
        var joined = new ArrayList<ExtentRun>();
        for (var run : runs.stream().sorted(Comparator.comparing(ExtentRun::start)).toList()) {
            if (!joined.isEmpty() && joined.getLast().joins(run)) {
                joined.add(joined.removeLast().with(run));
            } else {
                joined.add(run);
            }
        }
        return List.copyOf(joined);
    }

    long freeExtents() {
        return runs.stream().filter(ExtentRun::isFree).mapToLong(ExtentRun::length).sum();
    }

    /** The longest run of free extents. */
    long longestFree() {
        return runs.stream().filter(ExtentRun::isFree).mapToLong(ExtentRun::length).max().orElse(0);
    }

    long bytes(long count) {
        return count * extentBytes;
    }

    /** The extents of each visible volume, by its name. */
    Map<String, Long> byOwner() {
        var owners = new TreeMap<String, Long>();
        for (var run : runs) {
            run.name().ifPresent(name -> owners.merge(name.owner(), run.length(), Long::sum));
        }
        return owners;
    }
}
