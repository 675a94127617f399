package lvms.k8s.informer;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * Pauses between tries: none for the first failure after a quiet time, then doubling up to a
 * maximum, each stretched by up to two at random.
 */
final class Backoff {
    private final Timing timing;
    private int failures;
    private long lastNanos;

    Backoff(Timing timing) {
        this.timing = timing;
    }

    Duration next(long nowNanos) {
        if (failures > 0 && nowNanos - lastNanos > timing.backoffReset().toNanos()) {
            failures = 0;
        }
        long pause = failures == 0 ? 0 : base(failures - 1);
        failures++;
        lastNanos = nowNanos + pause;
        double stretch = 1 + ThreadLocalRandom.current().nextDouble();
        return Duration.ofNanos((long) (pause * stretch));
    }

    private long base(int doublings) {
        long first = timing.firstBackoff().toNanos();
        long max = timing.maxBackoff().toNanos();
        return doublings > 20 ? max : Math.min(max, first << doublings);
    }
}
