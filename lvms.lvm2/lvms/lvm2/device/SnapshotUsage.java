package lvms.lvm2.device;

import java.util.regex.Pattern;

/**
 * Status of a snapshot target; kernel documentation {@code device-mapper/snapshot.rst}.
 *
 * @param usedBytes how much of the store is in use, its index included; 0 if the content is lost
 * @param totalBytes size of the store; 0 if the content is lost
 * @param lost whether the store overflowed, or could not be read or written: the kernel says of a
 *     snapshot nothing else then
 */
public record SnapshotUsage(long usedBytes, long totalBytes, boolean lost) {
    private static final Pattern SECTORS = Pattern.compile("([0-9]{1,18})/([0-9]{1,18}) [0-9]+");
    private static final int SECTOR = 512;

    /**
     * Parses the status text.
     *
     * @throws IllegalArgumentException if it is not the status of a snapshot
     */
    public static SnapshotUsage parse(String status) {
        var text = status.strip();
        if (text.equals("Invalid") || text.equals("Overflow")) {
            return new SnapshotUsage(0, 0, true);
        }
        var sectors = SECTORS.matcher(text);
        if (!sectors.matches()) {
            throw new IllegalArgumentException("not a status of a snapshot: " + status);
        }
        return new SnapshotUsage(
                Long.parseLong(sectors.group(1)) * SECTOR,
                Long.parseLong(sectors.group(2)) * SECTOR,
                false);
    }

    public long freeBytes() {
        return Math.max(0, totalBytes - usedBytes);
    }
}
