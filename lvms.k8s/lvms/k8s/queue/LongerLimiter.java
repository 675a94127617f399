package lvms.k8s.queue;

import java.time.Duration;

/** Asks two limiters, each of which counts the failure, and takes the longer delay. */
record LongerLimiter<K>(RateLimiter<K> one, RateLimiter<K> other) implements RateLimiter<K> {
    @Override
    public Duration delay(K key) {
        var first = one.delay(key);
        var second = other.delay(key);
        return first.compareTo(second) > 0 ? first : second;
    }

    @Override
    public void forget(K key) {
        one.forget(key);
        other.forget(key);
    }

    @Override
    public int failures(K key) {
        return Math.max(one.failures(key), other.failures(key));
    }
}
