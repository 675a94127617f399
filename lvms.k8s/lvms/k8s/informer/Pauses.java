package lvms.k8s.informer;

import lvms.k8s.queue.Backoff;

import java.time.Duration;

/**
 * Pauses between tries: none for the first failure after a quiet time, then doubling up to a
 * maximum, each stretched at random to up to twice its length.
 */
final class Pauses {
    private final Backoff pauses;
    private final Duration reset;
    private int failures;
    private long lastNanos;

    private Pauses(Backoff pauses, Duration reset) {
        this.pauses = pauses;
        this.reset = reset;
    }

    /** Pauses that double. */
    static Pauses growing(Timing timing) {
        return new Pauses(
                new Backoff(timing.firstBackoff(), timing.maxBackoff(), 1), timing.backoffReset());
    }

    /** Pauses that stay as they begin. */
    static Pauses constant(Timing timing) {
        return new Pauses(
                new Backoff(timing.firstBackoff(), timing.firstBackoff(), 1),
                timing.backoffReset());
    }

    Duration next(long nowNanos) {
        if (failures > 0 && nowNanos - lastNanos > reset.toNanos()) {
            failures = 0;
        }
        var pause = failures == 0 ? Duration.ZERO : pauses.after(failures);
        failures++;
        lastNanos = nowNanos + pause.toNanos();
        return pause;
    }
}
