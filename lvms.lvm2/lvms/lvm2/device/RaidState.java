package lvms.lvm2.device;

/**
 * Status of a raid target; kernel documentation {@code device-mapper/dm-raid.rst}.
 *
 * @param type such as {@code raid1}, {@code raid5_ls}
 * @param health one letter per leg: {@code A} alive and in sync, {@code a} alive and not in sync,
 *     {@code D} dead, {@code -} missing
 * @param inSync sectors per leg that agree
 * @param total sectors per leg that must agree
 * @param action such as {@code idle}, {@code resync}, {@code recover}, {@code check}; empty before
 *     kernel 3.11
 * @param mismatches sectors that the last check found to differ
 */
public record RaidState(
        String type, String health, long inSync, long total, String action, long mismatches) {
    /**
     * Parses the status text.
     *
     * @throws IllegalArgumentException if it is not the status of a raid target
     */
    public static RaidState parse(String status) {
        var words = status.strip().split("\\s+");
        int slash = words.length < 4 ? -1 : words[3].indexOf('/');
        if (slash < 0) {
            throw new IllegalArgumentException("not a status of a raid target: " + status);
        }
        return new RaidState(
                words[0],
                words[2],
                Long.parseLong(words[3].substring(0, slash)),
                Long.parseLong(words[3].substring(slash + 1)),
                words.length > 4 ? words[4] : "",
                words.length > 5 ? Long.parseLong(words[5]) : 0);
    }

    /** Returns how many legs are dead or missing. */
    public int failedLegs() {
        return (int) health.chars().filter(c -> c == 'D' || c == '-').count();
    }

    /** Returns how much of it agrees, 0 to 1. */
    public double synced() {
        return total == 0 ? 0 : (double) inSync / total;
    }

    /** Returns whether every leg is alive and in sync. */
    public boolean healthy() {
        return !health.isEmpty() && health.chars().allMatch(c -> c == 'A') && inSync == total;
    }
}
