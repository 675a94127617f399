package lvms.lvm2;

import java.util.OptionalDouble;
import java.util.OptionalLong;

/** State of a RAID volume, the worst one that applies; lvmraid(7). */
public enum RaidHealth {
    /** The volume is inactive, or LVM could not tell. */
    UNKNOWN,
    /** A device is missing: there is less redundancy, or none. */
    DEGRADED,
    /** A device failed and is back: {@link LogicalVolumes#refresh} takes it back in. */
    REFRESH_NEEDED,
    /** Images are being synchronized for the first time, or rebuilt. */
    SYNCING,
    /** Its layout is being changed. */
    RESHAPING,
    /** Images differ: the last check found mismatches. */
    MISMATCHES,
    /** All images are there and agree. */
    HEALTHY;

    private static final double COMPLETE = 100;

    public static RaidHealth of(
            LvAttributes attributes, OptionalDouble syncPercent, OptionalLong mismatches) {
        var told = attributes.health();
        if (told.isPresent()) {
            switch (told.get()) {
                case PARTIAL -> {
                    return DEGRADED;
                }
                case RAID_REFRESH_NEEDED -> {
                    return REFRESH_NEEDED;
                }
                case RAID_RESHAPING, RAID_RESHAPE_REMOVED -> {
                    return RESHAPING;
                }
                case RAID_MISMATCHES, RAID_WRITE_MOSTLY -> {
                    // judged below: LVM prints one letter, and these are the last it looks for
                }
                default -> {
                    return UNKNOWN;
                }
            }
        }
        if (!attributes.active() || syncPercent.isEmpty()) {
            return UNKNOWN;
        }
        if (syncPercent.getAsDouble() < COMPLETE) {
            return SYNCING;
        }
        boolean differ =
                mismatches.orElse(0) > 0
                        || told.filter(LvHealth.RAID_MISMATCHES::equals).isPresent();
        return differ ? MISMATCHES : HEALTHY;
    }
}
