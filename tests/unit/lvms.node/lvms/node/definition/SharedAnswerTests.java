package lvms.node.definition;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;

/** Many who ask at once share one answer, which is never older than any of their questions. */
@Timeout(60)
class SharedAnswerTests {
    private final SharedAnswer<Integer> shared = new SharedAnswer<>();
    private final AtomicInteger sent = new AtomicInteger();

    @Test
    void oneAfterTheOtherEachGetsItsOwn() throws Exception {
        assertEquals(1, shared.ask(sent::incrementAndGet));
        assertEquals(2, shared.ask(sent::incrementAndGet));
    }

    @Test
    void thoseWhoComeMeanwhileShareTheNext() throws Exception {
        var underWay = new CountDownLatch(1);
        var mayEnd = new CountDownLatch(1);
        try (var threads = Executors.newCachedThreadPool()) {
            var first =
                    threads.submit(
                            () ->
                                    shared.ask(
                                            () -> {
                                                underWay.countDown();
                                                mayEnd.await();
                                                return sent.incrementAndGet();
                                            }));
            underWay.await();
            var others = new ArrayList<Future<Integer>>();
            var askers = new ArrayList<Thread>();
            for (int i = 0; i < 10; i++) {
                others.add(
                        threads.submit(
                                () -> {
                                    synchronized (askers) {
                                        askers.add(Thread.currentThread());
                                    }
                                    return shared.ask(sent::incrementAndGet);
                                }));
            }
            awaitWaiting(askers, 10);
            mayEnd.countDown();
            assertEquals(1, first.get());
            for (var other : others) {
                assertEquals(2, other.get());
            }
        }
    }

    private static void awaitWaiting(List<Thread> askers, int count) throws InterruptedException {
        while (true) {
            synchronized (askers) {
                boolean all = askers.stream().allMatch(t -> t.getState() == Thread.State.WAITING);
                if (askers.size() == count && all) {
                    return;
                }
            }
            Thread.sleep(1);
        }
    }

    @Test
    void aFailureIsNobodysAnswer() throws Exception {
        assertThrows(
                IllegalStateException.class,
                () ->
                        shared.ask(
                                () -> {
                                    throw new IllegalStateException("away");
                                }));
        assertEquals(1, shared.ask(sent::incrementAndGet));
    }
}
