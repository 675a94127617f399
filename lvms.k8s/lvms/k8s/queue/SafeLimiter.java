package lvms.k8s.queue;

import static java.lang.System.Logger.Level.ERROR;

import java.time.Duration;

/**
 * A program's own limiter, whose failures lose no key: a fixed delay takes the place of one that it
 * does not tell.
 */
record SafeLimiter<K>(RateLimiter<K> limiter) implements RateLimiter<K> {
    private static final System.Logger LOG = System.getLogger(SafeLimiter.class.getName());
    private static final Duration FIXED = Duration.ofSeconds(5);
    private static final Duration LONGEST = Duration.ofDays(365); // nanoseconds end at 292 years

    @Override
    public Duration delay(K key) {
        try {
            var delay = limiter.delay(key);
            return delay.compareTo(LONGEST) > 0 ? LONGEST : delay;
        } catch (RuntimeException | Error failure) { // null included
            failed(key, failure);
            return FIXED;
        }
    }

    @Override
    public void forget(K key) {
        try {
            limiter.forget(key);
        } catch (RuntimeException | Error failure) {
            failed(key, failure);
        }
    }

    @Override
    public int failures(K key) {
        try {
            return limiter.failures(key);
        } catch (RuntimeException | Error failure) {
            failed(key, failure);
            return 0;
        }
    }

    private static void failed(Object key, Throwable failure) {
        LOG.log(ERROR, () -> "rate limiter failed key=" + key, failure);
    }
}
