package lvms.node.snapshot;

import lvms.api.snapshot.StoreSize;
import lvms.lvm2.device.SnapshotUsage;

import java.util.OptionalLong;

/**
 * How far the store of a snapshot has to grow: by a fifth of its size at 70 percent, as LVM means
 * its snapshot_autoextend settings, and by more where it fills so fast that this would not last.
 */
final class StoreGrowth {
    private static final int THRESHOLD_PERCENT = 70;
    private static final int STEP_PERCENT = 20;
    private static final int WHOLE = 100;

    /** How long what is free has to last, and how long it lasts after it has grown. */
    private static final int SECONDS_LEFT = 4;

    private static final int SECONDS_GAINED = 8;

    /** Beyond data and index there are headers, for which an extent has room. */
    private static final int INDEX = 256;

    private StoreGrowth() {}

    /**
     * Decides.
     *
     * @param volumeBytes size of the volume when the snapshot was taken
     * @param rateBytes how much is written to the store in a second
     * @return the size that it needs; empty if the one that it has will do
     */
    static OptionalLong of(SnapshotUsage usage, long volumeBytes, double rateBytes) {
        boolean fast = usage.freeBytes() < rateBytes * SECONDS_LEFT;
        boolean due = fast || full(usage.usedBytes(), usage.totalBytes());
        if (usage.lost() || !due || holdsAll(usage.totalBytes(), volumeBytes)) {
            return OptionalLong.empty();
        }
        long size = usage.totalBytes();
        do {
            size += Math.ceilDiv(size * STEP_PERCENT, WHOLE);
        } while (full(usage.usedBytes(), size));
        long lasting = usage.usedBytes() + (long) (rateBytes * SECONDS_GAINED);
        return OptionalLong.of(Math.min(Math.max(size, lasting), StoreSize.mostBytes(volumeBytes)));
    }

    private static boolean full(long usedBytes, long sizeBytes) {
        return usedBytes * WHOLE >= sizeBytes * THRESHOLD_PERCENT;
    }

    /** Such a store cannot overflow, and LVM lets it grow no further. */
    private static boolean holdsAll(long sizeBytes, long volumeBytes) {
        return sizeBytes >= volumeBytes + volumeBytes / INDEX;
    }
}
