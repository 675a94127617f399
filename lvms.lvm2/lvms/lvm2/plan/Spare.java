package lvms.lvm2.plan;

import lvms.lvm2.plan.Allocator.Result;

import java.util.List;
import java.util.Optional;

/**
 * The volume that LVM keeps for repairs of pool metadata, as large as the largest metadata in the
 * group.
 *
 * @param present where it is; empty if there is none yet
 * @param layout the group
 * @param settings LVM's settings for allocation
 */
record Spare(Optional<VolumeExtents> present, ExtentLayout layout, AllocationSettings settings) {
    private static final long MOST_BYTES = 16L << 30;

    /** Creates it, or enlarges it if it is too small. */
    Result atLeast(long extents, List<PvExtents> usable) {
        long wanted = Math.min(extents, Math.ceilDiv(MOST_BYTES, layout.extentSizeBytes()));
        long missing = wanted - present.map(VolumeExtents::extents).orElse(0L);
        return missing <= 0
                ? Result.unchanged(usable)
                : Allocator.allocate(request(missing), usable);
    }

    private Request request(long missing) {
        return Request.more(
                missing,
                present.map(VolumeExtents::areas).orElse(1),
                present.map(VolumeExtents::grown).orElse(Request.Grown.NOTHING),
                layout.allocation(),
                settings);
    }
}
