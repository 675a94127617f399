package lvms.lvm2.plan;

import lvms.lvm2.plan.Allocator.Result;

import java.util.function.LongFunction;

/**
 * Finds the largest size that LVM's allocator accepts. A size may fail although a larger one works,
 * so the search starts from above. It skips sizes that need no try: if a request fails, all smaller
 * ones fail as well, until one has other metadata, makes LVM decide otherwise somewhere, or asks
 * for no more than was found.
 *
 * @param step sizes are multiples of it
 * @param sizing what LVM makes of a size beside the volume
 * @param allocator the outcome for a size
 */
record Search(int step, LongFunction<Sizing> sizing, LongFunction<Result> allocator) {
    /**
     * After this many tries, any size that works will do; reaching this takes thousands of holes.
     */
    private static final int MOST_TRIES = 5_000;

    /**
     * What follows from a size. The unit never falls as the size grows; nor does the metadata,
     * among sizes with the same unit.
     *
     * @param unit what one bit or entry of the metadata stands for, in bytes
     * @param metadataExtents length of the metadata
     */
    record Sizing(long unit, long metadataExtents) {}

    long largest(long bound) {
        long size = bound / step * step;
        for (int tries = 0; size > 0; tries++) {
            var result = allocator.apply(size);
            if (result.complete()) {
                return size;
            }
            size = next(size, result, tries < MOST_TRIES);
        }
        return 0;
    }

    private long next(long size, Result result, boolean exact) {
        long below = size - step;
        long found = result.allocated() / step * step;
        if (!exact) {
            return found > 0 ? Math.min(below, found) : size / 2 / step * step;
        }
        long other = Math.floorDiv(size - result.slack(), step) * step;
        long skipped = Math.min(below, Math.max(found, other));
        return skipped == below ? below : Math.max(skipped, lowestAlike(size) - step);
    }

    /** The lowest size down to which nothing differs but the size. */
    private long lowestAlike(long size) {
        var same = sizing.apply(size);
        long low = 1;
        long high = size / step;
        while (low < high) {
            long middle = low + (high - low) / 2;
            if (sizing.apply(middle * step).equals(same)) {
                high = middle;
            } else {
                low = middle + 1;
            }
        }
        return high * step;
    }
}
