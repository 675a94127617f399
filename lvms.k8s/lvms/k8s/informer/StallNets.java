package lvms.k8s.informer;

import java.time.Duration;

/**
 * Tells a quiet watch from a dead one. Silence alone proves nothing, since bookmarks are not
 * guaranteed. So there are three nets: the time we asked for, silence where the server is known to
 * send bookmarks, and a question to it after a longer silence.
 */
final class StallNets {
    private final Timing timing;
    private final long startNanos;
    private final long deadlineNanos;
    private long lastSignalNanos;
    private long lastProbeNanos;
    private boolean bookmarked;
    private boolean objects;
    private boolean bookmarkHere;

    /**
     * @param bookmarked whether an earlier watch of this collection had bookmarks
     */
    StallNets(Timing timing, Duration timeout, boolean bookmarked, long nowNanos) {
        this.timing = timing;
        this.startNanos = nowNanos;
        this.bookmarked = bookmarked;
        this.deadlineNanos = nowNanos + timeout.plus(timing.watchGrace()).toNanos();
        this.lastSignalNanos = nowNanos;
        this.lastProbeNanos = nowNanos;
    }

    void signal(long nowNanos, boolean bookmark) {
        lastSignalNanos = nowNanos;
        bookmarked |= bookmark;
        bookmarkHere |= bookmark;
        objects |= !bookmark;
    }

    /** Returns whether this watch or an earlier one had bookmarks. */
    boolean bookmarked() {
        return bookmarked;
    }

    /** Returns how long to wait before checking the nets. */
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

    /** Returns whether to ask the server now; if so, the next time is some minutes away. */
    boolean probeDue(long nowNanos) {
        boolean due = nowNanos - probeAtNanos() >= 0;
        if (due) {
            lastProbeNanos = nowNanos;
        }
        return due;
    }

    /** Returns how the watch ended. */
    Resumption.End end(boolean halfLine, long nowNanos) {
        var lasted = Duration.ofNanos(nowNanos - startNanos);
        return new Resumption.End(lasted, objects, bookmarkHere || halfLine);
    }

    private long probeAtNanos() {
        long last = lastProbeNanos - lastSignalNanos > 0 ? lastProbeNanos : lastSignalNanos;
        return last + timing.probeAfter().toNanos();
    }

    private long silenceEndNanos() {
        return lastSignalNanos + timing.silenceAfterBookmark().toNanos();
    }
}
