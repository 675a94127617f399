package lvms.lvm2.plan;

import java.util.List;

/**
 * The largest volume that could be made now.
 *
 * @param extents its size in extents; 0 if none could be made
 * @param sizeBytes the same in bytes
 * @param limit why it cannot be larger
 * @param limiting the devices that {@code limit} is about, such as those that ran out of extents
 *     while others have some left
 * @param leftExtents free extents that the largest volume would leave on the physical volumes that
 *     may be allocated on
 */
public record Capacity(
        long extents, long sizeBytes, Limit limit, List<String> limiting, long leftExtents) {
    public Capacity {
        limiting = List.copyOf(limiting);
    }

    /** Why a volume cannot be larger. */
    public enum Limit {
        /** LVM refuses all changes: read-only, exported, or a device is missing. */
        GROUP_CANNOT_CHANGE,
        /** The shape needs more physical volumes than have free extents. */
        TOO_FEW_DEVICES,
        /** No extents are left, or too few for one more in each stripe. */
        EXTENTS_USED_UP,
        /** Extents are left, but the limiting devices have none, and areas must not share one. */
        DEVICES_FULL,
        /** Extents are left, but not in runs that the policy accepts. */
        FRAGMENTED,
        /**
         * Extents are left, and another choice of physical volumes would give a larger volume, but
         * LVM starts on the largest runs and does not look for it.
         */
        CHOICE_OF_LVM
    }
}
