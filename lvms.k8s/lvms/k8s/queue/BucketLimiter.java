package lvms.k8s.queue;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Lets all keys together be retried so often; it knows nothing of a single key.
 *
 * <p>It keeps the time at which the last retry would come if they were spread evenly. That may lie
 * behind the present by as much as a burst takes.
 */
final class BucketLimiter<K> implements RateLimiter<K> {
    private final long intervalNanos;
    private final long burstNanos;
    private final LongSupplier nanoClock;
    private long spreadNanos;

    BucketLimiter(double perSecond, int burst, LongSupplier nanoClock) {
        intervalNanos = (long) (Duration.ofSeconds(1).toNanos() / perSecond);
        burstNanos = burst * intervalNanos;
        this.nanoClock = nanoClock;
        spreadNanos = nanoClock.getAsLong() - burstNanos;
    }

    @Override
    public synchronized Duration delay(K key) {
        long now = nanoClock.getAsLong();
        long behind = Math.min(burstNanos, now - spreadNanos);
        spreadNanos = now - behind + intervalNanos;
        return Duration.ofNanos(Math.max(0, spreadNanos - now));
    }

    @Override
    public void forget(K key) {}

    @Override
    public int failures(K key) {
        return 0;
    }
}
