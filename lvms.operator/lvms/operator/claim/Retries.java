package lvms.operator.claim;

import lvms.k8s.queue.Backoff;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When each failed thing may be tried again: after 1 second, doubling up to 5 minutes, with jitter.
 *
 * <p>A try has a signature, which says what it depends on. A try with another signature does not
 * wait. Any thread may use it.
 */
public final class Retries {
    private static final int HOPELESS = Integer.MAX_VALUE; // failures, for the longest delay
    private static final Backoff DELAYS =
            new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5), 0.1);

    private final InstantSource clock;
    private final Map<String, Failure> failures = new ConcurrentHashMap<>();

    private record Failure(String signature, int count, Instant next) {}

    /** Creates an empty record of failures. */
    public Retries(InstantSource clock) {
        this.clock = clock;
    }

    /**
     * Notes a failure; after a hopeless one the next try waits for the longest delay. Returns how
     * many failures the key has had.
     */
    public int failed(String key, String signature, boolean hopeless) {
        return failures.compute(key, (_, former) -> next(former, signature, hopeless)).count();
    }

    private Failure next(Failure former, String signature, boolean hopeless) {
        int count = former != null ? former.count() + 1 : 1;
        var delay = DELAYS.after(hopeless ? HOPELESS : count);
        return new Failure(signature, count, clock.instant().plus(delay));
    }

    /** Returns how long to wait before the next try, zero or less if it may be made now. */
    public Duration remaining(String key, String signature) {
        var failure = failures.get(key);
        return failure == null || !failure.signature().equals(signature)
                ? Duration.ZERO
                : Duration.between(clock.instant(), failure.next());
    }

    /** Forgets the failures of a key. */
    public void clear(String key) {
        failures.remove(key);
    }
}
