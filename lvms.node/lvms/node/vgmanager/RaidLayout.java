package lvms.node.vgmanager;

import java.util.Collection;

/**
 * How a RAID volume spreads over physical volumes: {@code images} legs of equal size, each on
 * physical volumes of its own, of which {@code dataImages} hold what the user can use.
 *
 * @param images number of legs, at least 2
 * @param dataImages legs that count as user data, from 1 to {@code images - 1}
 */
public record RaidLayout(int images, int dataImages) {
    /** Checks that there is redundancy. */
    public RaidLayout {
        if (dataImages < 1 || images <= dataImages) {
            throw new IllegalArgumentException(
                    "not a RAID layout: " + dataImages + " of " + images + " images hold data");
        }
    }

    /**
     * Returns how much one new volume can hold.
     *
     * <p>A leg may not share a physical volume with another leg of the volume, so the sum of the
     * free space overstates: with k legs of x bytes, each physical volume can give at most x. The
     * result is the largest x with sum(min(free, x)) ≥ k·x, times the legs that hold data. One
     * extent of each leg is metadata.
     *
     * @param freeExtents free extents of each physical volume
     * @param extentBytes size of an extent in bytes
     */
    public long usableBytes(Collection<Long> freeExtents, long extentBytes) {
        long low = 0;
        long high = freeExtents.stream().mapToLong(Long::longValue).sum() / images;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            if (holds(freeExtents, middle)) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return Math.max(0, low - 1) * dataImages * extentBytes;
    }

    private boolean holds(Collection<Long> freeExtents, long legExtents) {
        long sum = freeExtents.stream().mapToLong(free -> Math.min(free, legExtents)).sum();
        return sum >= legExtents * images;
    }
}
