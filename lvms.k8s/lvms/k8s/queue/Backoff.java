package lvms.k8s.queue;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;

/**
 * How long to wait after the n-th failure in a row. The delay doubles from {@code first} up to
 * {@code most}. Up to {@code jitter} of it is added, so that keys that failed together do not come
 * back together.
 *
 * @param first delay after the first failure
 * @param most longest delay, before jitter
 * @param jitter largest fraction of the delay that is added, such as 0.1
 */
public record Backoff(Duration first, Duration most, double jitter) {
    /**
     * The limiter of client-go's controllers, with a tenth of jitter. Theirs goes up to 1000 s;
     * here a fix is noticed after two minutes.
     */
    public static final Backoff CONTROLLER =
            new Backoff(Duration.ofMillis(5), Duration.ofMinutes(2), 0.1);

    private static final int MAX_DOUBLINGS = 40; // 5 ms doubled this often is beyond any cap

    /** Checks the order of the bounds. */
    public Backoff {
        if (first.isNegative() || first.compareTo(most) > 0 || jitter < 0) {
            throw new IllegalArgumentException(
                    "back-off from " + first + " to " + most + ", jitter " + jitter);
        }
    }

    /** Returns the delay after {@code failures} failures in a row, at least one. */
    public Duration after(int failures) {
        long doubled = first.toNanos();
        for (int i = 1; i < Math.min(failures, MAX_DOUBLINGS) && doubled < most.toNanos(); i++) {
            doubled *= 2;
        }
        long delay = Math.min(doubled, most.toNanos());
        return Duration.ofNanos(
                delay + (long) (delay * jitter * ThreadLocalRandom.current().nextDouble()));
    }
}
