package lvms.k8s.queue;

import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * Says how long a key that failed has to wait for its next run. Any thread may call.
 *
 * <p>The limiters are those of client-go, which calls their methods {@code When}, {@code Forget}
 * and {@code NumRequeues}.
 *
 * @param <K> the keys
 */
public interface RateLimiter<K> {
    /** Counts a failure of the key; returns how long it has to wait. */
    Duration delay(K key);

    /** Forgets the failures of the key, since a run succeeded. */
    void forget(K key);

    /** Returns how often the key failed since it was forgotten. */
    int failures(K key);

    /** Returns a limiter that knows the failures of each key and backs off from each alone. */
    static <K> RateLimiter<K> exponential(Backoff backoff) {
        return new ExponentialLimiter<>(backoff);
    }

    /**
     * Returns a limiter for all keys together: a burst of retries, then a fixed number a second.
     *
     * @param perSecond retries a second in the long run
     * @param burst how many may come at once
     */
    static <K> RateLimiter<K> bucket(double perSecond, int burst) {
        return bucket(perSecond, burst, System::nanoTime);
    }

    /** The same by another monotonic clock. */
    static <K> RateLimiter<K> bucket(double perSecond, int burst, LongSupplier nanoClock) {
        return new BucketLimiter<>(perSecond, burst, nanoClock);
    }

    /** Returns a limiter that asks both and takes the longer delay. */
    static <K> RateLimiter<K> longerOf(RateLimiter<K> one, RateLimiter<K> other) {
        return new LongerLimiter<>(one, other);
    }
}
