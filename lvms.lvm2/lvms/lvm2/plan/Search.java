package lvms.lvm2.plan;

import lvms.lvm2.plan.Allocator.Result;

import java.util.function.LongFunction;

/**
 * Finds the largest size that LVM's allocator takes. Sizes that fail may lie below sizes that work,
 * so it comes from above; and it skips what needs no try: where a request fails, all smaller ones
 * fail as well until one makes LVM decide otherwise somewhere, or asks for no more than was found.
 *
 * @param step sizes are multiples of it
 * @param steady whether the metadata of all sizes is equally long; otherwise nothing is skipped
 * @param allocator the outcome for a size
 */
record Search(int step, boolean steady, LongFunction<Result> allocator) {
    /** After so many it is content with a size that works; thousands of holes are needed for it. */
    private static final int MOST_TRIES = 5_000;

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
        if (!steady) {
            return below;
        }
        long other = Math.floorDiv(size - result.slack(), step) * step;
        return Math.min(below, Math.max(found, other));
    }
}
