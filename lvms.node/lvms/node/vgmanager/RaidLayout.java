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
     * Returns how much one new volume can hold. One extent of each leg is metadata.
     *
     * @param freeExtents free extents of each physical volume
     * @param extentBytes size of an extent in bytes
     */
    public long usableBytes(Collection<Long> freeExtents, long extentBytes) {
        return Math.max(0, legExtents(freeExtents, images) - 1) * dataImages * extentBytes;
    }

    /**
     * Returns how large each of {@code legs} equal legs can be when no two share a physical volume.
     *
     * <p>The sum of the free space overstates it: with k legs of x extents, each physical volume
     * can give at most x. The result is the largest x with sum(min(free, x)) at least k·x.
     *
     * @param freeExtents free extents of each physical volume
     * @param legs number of legs, at least 1
     */
    public static long legExtents(Collection<Long> freeExtents, int legs) {
        long low = 0;
        long high = freeExtents.stream().mapToLong(Long::longValue).sum() / legs;
        while (low < high) {
            long middle = low + (high - low + 1) / 2;
            if (reach(freeExtents, middle) >= middle * legs) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return low;
    }

    private static long reach(Collection<Long> freeExtents, long legExtents) {
        return freeExtents.stream().mapToLong(free -> Math.min(free, legExtents)).sum();
    }
}
