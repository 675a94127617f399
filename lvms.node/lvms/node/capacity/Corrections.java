package lvms.node.capacity;

import lvms.k8s.queue.Backoff;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/**
 * When a Node that somebody else changed may be corrected: at once, and later and later while the
 * changes go on. So two writers that disagree do not write without end. Any thread may call.
 */
final class Corrections {
    private static final Backoff DELAY =
            new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 0.1);

    /** After this long without a correction, the next one is made at once again. */
    private static final Duration QUIET = Duration.ofMinutes(10);

    private final InstantSource clock;
    private Instant next = Instant.MIN;
    private Instant last = Instant.MIN;
    private int row;

    Corrections(InstantSource clock) {
        this.clock = clock;
    }

    /** Notes that what somebody else changed was written again. */
    synchronized void made() {
        var now = clock.instant();
        row = last.plus(QUIET).isBefore(now) ? 1 : row + 1;
        last = now;
        next = now.plus(DELAY.after(row));
    }

    /** Returns how long the next one has to wait. */
    synchronized Duration delay() {
        var now = clock.instant();
        return next.isAfter(now) ? Duration.between(now, next) : Duration.ZERO;
    }
}
