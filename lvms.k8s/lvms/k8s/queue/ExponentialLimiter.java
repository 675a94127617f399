package lvms.k8s.queue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Backs off from each key by the number of its failures in a row. */
record ExponentialLimiter<K>(Backoff backoff, Map<K, Integer> counts) implements RateLimiter<K> {
    ExponentialLimiter(Backoff backoff) {
        this(backoff, new ConcurrentHashMap<>());
    }

    @Override
    public Duration delay(K key) {
        return backoff.after(counts.merge(key, 1, Integer::sum));
    }

    @Override
    public void forget(K key) {
        counts.remove(key);
    }

    @Override
    public int failures(K key) {
        return counts.getOrDefault(key, 0);
    }
}
