package lvms.node.snapshot;

import lvms.lvm2.device.SnapshotUsage;

import java.time.Duration;

/**
 * How a store fills, from one look to the next.
 *
 * @param usage what the kernel said at the last look
 * @param at when that was, on the clock of {@link System#nanoTime}
 * @param rateBytes how much was written to it in a second, lately
 * @param quiet whether nothing was written to it between the last two looks
 */
record StoreFill(SnapshotUsage usage, long at, double rateBytes, boolean quiet) {
    private static final double SECOND = 1e9;

    /** A writer that pauses may go on as fast as before. */
    private static final double MEMORY = 0.7;

    /** What a writer may do whom nobody has measured yet, and one who begins out of the quiet. */
    private static final double FAST = 1 << 30;

    private static final double BEGINNING = 512 << 20;

    /** Between two looks, a part of what is free may be filled at most. */
    private static final int LOOKS_UNTIL_FULL = 4;

    private static final Duration SOON = Duration.ofMillis(50);
    private static final Duration LATE = Duration.ofSeconds(2);

    static StoreFill first(SnapshotUsage usage, long now) {
        return new StoreFill(usage, now, 0, false);
    }

    StoreFill next(SnapshotUsage now, long time) {
        double seconds = Math.max(1, time - at) / SECOND;
        long more = Math.max(0, now.usedBytes() - usage.usedBytes());
        double rate = Math.max(more / seconds, rateBytes * MEMORY);
        return new StoreFill(now, time, rate, more == 0);
    }

    /** Returns how long the next look can wait. */
    Duration pause() {
        double rate = Math.max(rateBytes, quiet ? BEGINNING : FAST);
        double nanos = usage.freeBytes() / rate / LOOKS_UNTIL_FULL * SECOND;
        return Duration.ofNanos(
                (long) Math.clamp(nanos, (double) SOON.toNanos(), (double) LATE.toNanos()));
    }
}
