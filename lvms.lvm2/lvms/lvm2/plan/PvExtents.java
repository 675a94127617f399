package lvms.lvm2.plan;

import java.util.List;
import java.util.Set;

/**
 * The free extents of one physical volume.
 *
 * @param uuid LVM's UUID of the physical volume
 * @param device its path, for messages
 * @param allocatable whether LVM may allocate on it: {@code pvchange -x}, and the device is there
 * @param tags its tags
 * @param free its free runs, in order of their start
 */
public record PvExtents(
        String uuid, String device, boolean allocatable, Set<String> tags, List<ExtentRun> free) {
    public PvExtents {
        tags = Set.copyOf(tags);
        free = List.copyOf(free);
    }

    public long freeExtents() {
        return free.stream().mapToLong(ExtentRun::extents).sum();
    }

    /** Returns the length of its longest free run, in extents. */
    public long longestRun() {
        return free.stream().mapToLong(ExtentRun::extents).max().orElse(0);
    }
}
