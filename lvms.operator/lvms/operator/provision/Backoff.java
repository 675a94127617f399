package lvms.operator.provision;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/**
 * When each failed thing may be tried again: after 1 second, doubling up to 5 minutes, with jitter.
 *
 * <p>What is tried has a signature; another signature is another try, which need not wait. Any
 * thread may use it.
 */
public final class Backoff {
    private static final Duration FIRST = Duration.ofSeconds(1);
    private static final Duration LAST = Duration.ofMinutes(5);

    private final InstantSource clock;
    private final Map<String, Failure> failures = new ConcurrentHashMap<>();

    private record Failure(String signature, int count, Instant next) {}

    /** Returns a back-off without failures. */
    public Backoff(InstantSource clock) {
        this.clock = clock;
    }

    /** Notes a failure; a hopeless one is tried again only after the longest time. */
    public void failed(String key, String signature, boolean hopeless) {
        failures.compute(key, (_, former) -> next(former, signature, hopeless));
    }

    private Failure next(Failure former, String signature, boolean hopeless) {
        int count = former != null ? former.count() : 0;
        var delay = hopeless || count > 9 ? LAST : FIRST.multipliedBy(1L << count);
        var capped = delay.compareTo(LAST) > 0 ? LAST : delay;
        long jitter = ThreadLocalRandom.current().nextLong(capped.toMillis() / 10);
        return new Failure(signature, count + 1, clock.instant().plus(capped).plusMillis(jitter));
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
