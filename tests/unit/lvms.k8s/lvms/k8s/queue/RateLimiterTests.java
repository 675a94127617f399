package lvms.k8s.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;

/** A key that fails comes back later and later, and all keys together not too often. */
class RateLimiterTests {
    private static final Backoff CLIENT_GO =
            new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000), 0);

    private final AtomicLong nanos = new AtomicLong();

    private static List<Long> millis(RateLimiter<String> limiter, int failures) {
        var delays = new ArrayList<Long>();
        for (int i = 0; i < failures; i++) {
            delays.add(limiter.delay("a").toMillis());
        }
        return delays;
    }

    @Test
    @Behaviour(64)
    void eachKeyBacksOffAloneUpToTheCapThatWasChosen() {
        var limiter = RateLimiter.<String>exponential(CLIENT_GO);
        assertEquals(List.of(5L, 10L, 20L, 40L), millis(limiter, 4));
        millis(limiter, 20);
        assertEquals(List.of(1_000_000L), millis(limiter, 1));
        assertEquals(25, limiter.failures("a"));
        assertEquals(5, limiter.delay("b").toMillis());
        limiter.forget("a");
        assertEquals(0, limiter.failures("a"));
        assertEquals(List.of(5L), millis(limiter, 1));
    }

    @Test
    @Behaviour(64)
    void unlessChosenTheCapIsTwoMinutesAndATenth() {
        var longest = Backoff.CONTROLLER.after(1000);
        assertEquals(120, longest.toSeconds(), 12);
    }

    @Test
    void aBucketLetsABurstPassAndThenSoManyASecond() {
        var limiter = RateLimiter.<String>bucket(10, 3, nanos::get);
        assertEquals(List.of(0L, 0L, 0L, 100L, 200L), millis(limiter, 5));
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertEquals(List.of(0L), millis(limiter, 1), "eight came back, two were owed");
        assertEquals(0, limiter.failures("a"), "it knows no key");
    }

    @Test
    void theLongerOfTwoDelaysCounts() {
        var limiter =
                RateLimiter.longerOf(
                        RateLimiter.exponential(CLIENT_GO),
                        RateLimiter.<String>bucket(10, 2, nanos::get));
        assertEquals(List.of(5L, 10L, 100L, 200L), millis(limiter, 4));
        assertEquals(4, limiter.failures("a"));
        limiter.forget("a");
        nanos.addAndGet(Duration.ofSeconds(1).toNanos());
        assertEquals(List.of(5L), millis(limiter, 1));
    }

    /** A limiter of a program's own, with a bug in each of its methods. */
    private static final class Failing implements RateLimiter<String> {
        private final Supplier<Duration> delay;

        Failing(Supplier<Duration> delay) {
            this.delay = delay;
        }

        @Override
        public Duration delay(String key) {
            return delay.get();
        }

        @Override
        public void forget(String key) {
            throw new IllegalStateException("a bug");
        }

        @Override
        public int failures(String key) {
            throw new StackOverflowError("a bug");
        }
    }

    private static Duration thrown() {
        throw new IllegalStateException("a bug");
    }

    static List<Supplier<Duration>> wrongDelays() {
        return List.of(RateLimiterTests::thrown, () -> null);
    }

    @ParameterizedTest
    @MethodSource("wrongDelays")
    @Behaviour(102)
    void aLimiterThatFailsLosesNoKey(Supplier<Duration> delay) {
        var metrics = new QueueMetrics(new MetricsRegistry(), "q");
        var queue = new WorkQueue<>(new Failing(delay), metrics, nanos::get);
        queue.addAfterFailure("a");
        assertEquals(Optional.empty(), queue.poll(), "not at once, or it would spin");
        nanos.addAndGet(Duration.ofSeconds(5).toNanos());
        assertEquals(Optional.of("a"), queue.poll());
        queue.forget("a");
        assertEquals(0, queue.failures("a"));
    }

    /** Of more nanoseconds than a long can count. */
    @Test
    @Behaviour(102)
    void aDelayWithoutAnEndIsOneOfAYear() {
        var metrics = new QueueMetrics(new MetricsRegistry(), "q");
        var endless = new Failing(() -> Duration.ofSeconds(Long.MAX_VALUE));
        var queue = new WorkQueue<>(endless, metrics, nanos::get);
        queue.addAfterFailure("a");
        nanos.addAndGet(Duration.ofDays(364).toNanos());
        assertEquals(Optional.empty(), queue.poll());
        nanos.addAndGet(Duration.ofDays(1).toNanos());
        assertEquals(Optional.of("a"), queue.poll());
    }
}
