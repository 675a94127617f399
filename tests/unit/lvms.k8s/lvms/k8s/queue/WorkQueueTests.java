package lvms.k8s.queue;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.tests.runner.Behaviour;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.atomic.AtomicLong;

/** A key is never with two workers, and an add while it is worked on gives exactly one more run. */
@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class WorkQueueTests {
    private static final int KEYS = 20;

    private final AtomicLong nanos =
            new AtomicLong(Long.MAX_VALUE - 1000); // overflows soon, as it may
    private final MetricsRegistry metrics = new MetricsRegistry();
    private final WorkQueue<String> queue =
            new WorkQueue<>(
                    RateLimiter.exponential(
                            new Backoff(Duration.ofMillis(5), Duration.ofSeconds(1000), 0)),
                    new QueueMetrics(metrics, "test"),
                    nanos::get);

    private void pass(Duration time) {
        nanos.addAndGet(time.toNanos());
    }

    @Test
    @Behaviour(61)
    void aThousandAddsDuringARunGiveOneFurtherRun() {
        queue.add("a");
        assertEquals(Optional.of("a"), queue.poll());
        for (int i = 0; i < 1000; i++) {
            queue.add("a");
        }
        assertEquals(Optional.empty(), queue.poll(), "worked on by two at once");
        queue.done("a");
        assertEquals(Optional.of("a"), queue.poll());
        queue.done("a");
        assertEquals(Optional.empty(), queue.poll());
    }

    @Test
    @Behaviour(63)
    void theEarlierOfTwoDelaysWinsAndAnImmediateAddOvertakes() {
        queue.addAfter("a", Duration.ofSeconds(10));
        queue.addAfter("a", Duration.ofSeconds(2));
        queue.addAfter("a", Duration.ofSeconds(5));
        pass(Duration.ofMillis(1999));
        assertEquals(Optional.empty(), queue.poll());
        pass(Duration.ofMillis(1));
        assertEquals(Optional.of("a"), queue.poll());
        queue.done("a");
        pass(Duration.ofSeconds(10));
        assertEquals(Optional.empty(), queue.poll(), "the later times are gone");

        queue.addAfter("b", Duration.ofSeconds(10));
        queue.add("b");
        assertEquals(Optional.of("b"), queue.poll());
    }

    @Test
    @Behaviour(64)
    void failuresDoubleTheDelayUpToTheCapAndForgettingStartsAnew() {
        for (int failure = 1; failure <= 18; failure++) {
            queue.addAfterFailure("a");
            assertEquals(failure, queue.failures("a"));
            pass(Duration.ofMillis(5L << (failure - 1)).minusNanos(1));
            assertEquals(Optional.empty(), queue.poll());
            pass(Duration.ofNanos(1));
            assertEquals(Optional.of("a"), queue.poll());
            queue.done("a");
        }
        queue.addAfterFailure("a");
        pass(Duration.ofSeconds(1000));
        assertEquals(Optional.of("a"), queue.poll());
        queue.done("a");
        queue.forget("a");
        queue.addAfterFailure("a");
        pass(Duration.ofMillis(5));
        assertEquals(Optional.of("a"), queue.poll());
    }

    @Test
    @Behaviour(67)
    void shutdownHandsOutNothingMoreAndWaitsForWhoHasAKey() throws Exception {
        queue.add("a");
        queue.add("b");
        var taken = queue.poll().orElseThrow();
        queue.shutDown();
        assertEquals(Optional.empty(), queue.take());
        assertFalse(queue.awaitIdle(Duration.ofMillis(10)));
        queue.done(taken);
        assertTrue(queue.awaitIdle(Duration.ofSeconds(10)));
    }

    @Test
    void aWorkerThatWaitsWakesForADelayedKey() throws Exception {
        var limiter = RateLimiter.<String>exponential(Backoff.CONTROLLER);
        var real = new WorkQueue<>(limiter, new QueueMetrics(metrics, "real"));
        var got = new CountDownLatch(1);
        Thread.ofVirtual().start(() -> takeOne(real, got));
        real.addAfter("a", Duration.ofMillis(20));
        assertTrue(got.await(10, TimeUnit.SECONDS));
    }

    private static void takeOne(WorkQueue<String> queue, CountDownLatch got) {
        try {
            queue.take().ifPresent(_ -> got.countDown());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    @Behaviour(62)
    void thirtyTwoWorkersNeverShareAKeyAndEachAddIsSeen() throws Exception {
        var limiter = RateLimiter.<Integer>exponential(Backoff.CONTROLLER);
        var real = new WorkQueue<>(limiter, new QueueMetrics(metrics, "many"));
        Set<Integer> busy = ConcurrentHashMap.newKeySet();
        var shared = new AtomicInteger();
        var wanted = new AtomicIntegerArray(KEYS);
        var seen = new AtomicIntegerArray(KEYS);
        var workers = new Thread[32];
        for (int i = 0; i < workers.length; i++) {
            workers[i] = Thread.ofVirtual().start(() -> work(real, busy, shared, wanted, seen));
        }
        for (int i = 0; i < 5000; i++) {
            int key = ThreadLocalRandom.current().nextInt(KEYS);
            wanted.incrementAndGet(key); // what the run that the add asks for has to see
            real.add(key);
        }
        while (!seen.toString().equals(wanted.toString())) {
            Thread.onSpinWait(); // until the last run of each key has seen all adds
        }
        real.shutDown();
        for (var worker : workers) {
            worker.join();
        }
        assertEquals(0, shared.get());
    }

    private static void work(
            WorkQueue<Integer> queue,
            Set<Integer> busy,
            AtomicInteger shared,
            AtomicIntegerArray wanted,
            AtomicIntegerArray seen) {
        try {
            for (var key = queue.take(); key.isPresent(); key = queue.take()) {
                if (!busy.add(key.get())) {
                    shared.incrementAndGet();
                }
                int read = wanted.get(key.get()); // as a pass reads what is there
                seen.set(key.get(), read);
                if (read % 7 == 0) { // and it changes again before the pass has ended
                    wanted.incrementAndGet(key.get());
                    queue.add(key.get());
                }
                Thread.yield();
                busy.remove(key.get());
                queue.done(key.get());
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<String> takeAll() {
        var keys = new ArrayList<String>();
        for (var key = queue.poll(); key.isPresent(); key = queue.poll()) {
            keys.add(key.get());
            queue.done(key.get());
        }
        return keys;
    }

    @Test
    void newsGoBeforeWhatCanWaitAndEachInItsOrder() {
        queue.add("old 1", WorkQueue.LOW_PRIORITY);
        queue.add("new 1");
        queue.add("old 2", WorkQueue.LOW_PRIORITY);
        queue.add("new 2");
        queue.add("urgent", 1);
        var text = metrics.text();
        var depth = "workqueue_depth{name=\"test\",controller=\"test\",priority=";
        assertTrue(text.contains(depth + "\"-100\"} 2\n"), text);
        assertTrue(text.contains(depth + "\"0\"} 2\n"), text);
        assertEquals(List.of("urgent", "new 1", "new 2", "old 1", "old 2"), takeAll());
    }

    @Test
    void aKeyThatWaitsCanOnlyRiseAndIsHandedOutOnce() {
        queue.add("a", WorkQueue.LOW_PRIORITY);
        queue.add("b", WorkQueue.LOW_PRIORITY);
        queue.add("b");
        queue.add("b", WorkQueue.LOW_PRIORITY);
        assertEquals(List.of("b", "a"), takeAll());
    }

    @Test
    void whatIsAskedForDuringARunHasItsPriorityUnlessItIsNews() {
        queue.add("a", WorkQueue.LOW_PRIORITY);
        assertEquals(Optional.of("a"), queue.poll());
        queue.addAfter("a", Duration.ofSeconds(1));
        queue.done("a");
        queue.add("b", WorkQueue.LOW_PRIORITY + 1);
        pass(Duration.ofSeconds(1));
        assertEquals(Optional.of("b"), queue.poll());
        assertEquals(Optional.of("a"), queue.poll());
        queue.add("a");
        queue.add("c", WorkQueue.LOW_PRIORITY + 1);
        queue.done("a");
        assertEquals(Optional.of("a"), queue.poll());
    }

    @Test
    @Behaviour(94)
    void theMetricsOfAFreshQueueExistAtZero() {
        var text = metrics.text();
        for (var name :
                new String[] {
                    "workqueue_adds_total",
                    "workqueue_retries_total",
                    "workqueue_unfinished_work_seconds",
                    "workqueue_longest_running_processor_seconds"
                }) {
            assertTrue(text.contains(name + "{name=\"test\",controller=\"test\"} 0"), text);
        }
    }
}
