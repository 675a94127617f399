package lvms.k8s.informer;

import java.time.Duration;

/**
 * Tells a watch that has nothing to say from one that is dead. Silence proves nothing by itself,
 * since bookmarks are not promised, so there are three nets: the time asked for, silence after a
 * bookmark was seen, and a question to the server after a longer silence.
 */
final class StallNets {
    private final Timing timing;
    private final long startNanos;
    private final long deadlineNanos;
    private long lastSignalNanos;
    private long lastProbeNanos;
    private boolean bookmarked;
    private boolean anySignal;

    StallNets(Timing timing, Duration timeout, long nowNanos) {
        this.timing = timing;
        this.startNanos = nowNanos;
        this.deadlineNanos = nowNanos + timeout.plus(timing.watchGrace()).toNanos();
        this.lastSignalNanos = nowNanos;
        this.lastProbeNanos = nowNanos;
    }

    void signal(long nowNanos, boolean bookmark) {
        lastSignalNanos = nowNanos;
        bookmarked |= bookmark;
        anySignal = true;
    }

    /** Returns how long to wait before the nets need a look. */
    Duration patience(long nowNanos) {
        long until = Math.min(deadlineNanos - nowNanos, probeAtNanos() - nowNanos);
        if (bookmarked) {
            until = Math.min(until, silenceEndNanos() - nowNanos);
        }
        return Duration.ofNanos(Math.max(1_000_000, until));
    }

    /** Returns whether the watch must be replaced. */
    boolean stalled(long nowNanos) {
        return nowNanos - deadlineNanos >= 0 || bookmarked && nowNanos - silenceEndNanos() >= 0;
    }

    /** Returns whether the server should be asked now; the next time is then some minutes away. */
    boolean probeDue(long nowNanos) {
        boolean due = nowNanos - probeAtNanos() >= 0;
        if (due) {
            lastProbeNanos = nowNanos;
        }
        return due;
    }

    /**
     * Returns whether the watch has lived or delivered: one that has not hints at an old version.
     */
    boolean hasLived(long nowNanos) {
        return anySignal || nowNanos - startNanos >= timing.shortWatch().toNanos();
    }

    private long probeAtNanos() {
        long last = lastProbeNanos - lastSignalNanos > 0 ? lastProbeNanos : lastSignalNanos;
        return last + timing.probeAfter().toNanos();
    }

    private long silenceEndNanos() {
        return lastSignalNanos + timing.silenceAfterBookmark().toNanos();
    }
}
