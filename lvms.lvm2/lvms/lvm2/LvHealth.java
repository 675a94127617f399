package lvms.lvm2;

import java.util.Optional;

/** A problem that {@code lv_attr} shows, in the order in which LVM looks for them. */
public enum LvHealth {
    /** A physical volume that it needs is missing. */
    PARTIAL("partial: a physical volume is missing"),
    /** LVM could not tell the health. */
    HEALTH_UNKNOWN("health unknown"),
    /** The write cache has an error. */
    WRITECACHE_ERROR("write cache error"),
    /** The pool has failed and does no I/O. */
    POOL_FAILED("thin pool failed, no I/O"),
    /** The pool is out of data space. */
    POOL_OUT_OF_DATA("thin pool is out of data space"),
    /** The pool's metadata is read only. */
    POOL_METADATA_READ_ONLY("thin pool metadata is read only"),
    /** The pool of this thin volume has failed. */
    THIN_FAILED("the underlying thin pool failed"),
    /** A RAID device has returned and needs a refresh. */
    RAID_REFRESH_NEEDED("RAID refresh needed"),
    /** The RAID copies differ. */
    RAID_MISMATCHES("RAID mismatches exist"),
    /** The RAID is being reshaped. */
    RAID_RESHAPING("RAID is reshaping"),
    /** A reshape removed a device. */
    RAID_RESHAPE_REMOVED("RAID reshape removed"),
    /** A RAID device is marked write-mostly. */
    RAID_WRITE_MOSTLY("RAID device is write-mostly"),
    /** Suspended: I/O waits. */
    SUSPENDED("suspended"),
    /** A classic snapshot that overflowed. */
    INVALID_SNAPSHOT("invalid snapshot"),
    /** Merging a classic snapshot failed. */
    MERGE_FAILED("snapshot merge failed"),
    /** The device has an inactive table: a change was cut short. */
    INACTIVE_TABLE("device has an inactive table"),
    /** The device has no table: a change was cut short. */
    NO_TABLE("device has no table"),
    /** The thin pool needs thin_check. */
    CHECK_NEEDED("thin pool check needed"),
    /** LVM could not tell the state. */
    STATE_UNKNOWN("state unknown"),
    /** A historical volume. */
    HISTORICAL("historical volume"),
    /** LVM could not tell whether it is open. */
    OPEN_UNKNOWN("open state unknown");

    private final String text;

    LvHealth(String text) {
        this.text = text;
    }

    /** Returns the problem in a few words. */
    public String text() {
        return text;
    }

    /** Returns the first problem in ten characters of {@code lv_attr}; empty if healthy. */
    public static Optional<LvHealth> of(String attr) {
        return byHealth(attr.charAt(8), attr.charAt(0))
                .or(() -> byState(attr.charAt(4)))
                .or(() -> attr.charAt(5) == 'X' ? Optional.of(OPEN_UNKNOWN) : Optional.empty());
    }

    private static Optional<LvHealth> byHealth(char health, char type) {
        return Optional.ofNullable(
                switch (health) {
                    case 'p' -> PARTIAL;
                    case 'X' -> HEALTH_UNKNOWN;
                    case 'E' -> WRITECACHE_ERROR;
                    case 'F' -> type == 't' ? POOL_FAILED : type == 'V' ? THIN_FAILED : null;
                    case 'D' -> type == 't' ? POOL_OUT_OF_DATA : null;
                    case 'M' -> type == 't' ? POOL_METADATA_READ_ONLY : null;
                    default -> type == 'r' || type == 'R' ? ofRaid(health) : null;
                });
    }

    private static LvHealth ofRaid(char health) {
        return switch (health) {
            case 'r' -> RAID_REFRESH_NEEDED;
            case 'm' -> RAID_MISMATCHES;
            case 's' -> RAID_RESHAPING;
            case 'R' -> RAID_RESHAPE_REMOVED;
            case 'w' -> RAID_WRITE_MOSTLY;
            default -> null;
        };
    }

    private static Optional<LvHealth> byState(char state) {
        return Optional.ofNullable(
                switch (state) {
                    case 's', 'S' -> SUSPENDED;
                    case 'I' -> INVALID_SNAPSHOT;
                    case 'm', 'M' -> MERGE_FAILED;
                    case 'i' -> INACTIVE_TABLE;
                    case 'd' -> NO_TABLE;
                    case 'c', 'C' -> CHECK_NEEDED;
                    case 'X' -> STATE_UNKNOWN;
                    case 'h' -> HISTORICAL;
                    default -> null;
                });
    }
}
