package lvms.node.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LogicalVolume;
import lvms.node.disk.TestLvm;
import lvms.node.erasure.Erasures.Urgency;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/** Who waits for an erasure does not wait for those of others. */
class ErasuresTests {
    private static final Duration DEADLINE = Duration.ofSeconds(30);

    private static LogicalVolume volume(String name) {
        return TestLvm.lv("vg", name, "-wi-a-----", TestLvm.GIB);
    }

    private static Erasure start(
            Erasures erasures, String name, Urgency urgency, Erasures.Work work) throws Exception {
        var volume = volume(name);
        return erasures.start(volume, volume.name(), urgency, work);
    }

    @Test
    void oneThatIsAwaitedDoesNotHoldBackAnother() throws Exception {
        var inTurn = new CountDownLatch(1);
        var go = new CountDownLatch(1);
        var begun = new AtomicBoolean();
        try (var erasures = new Erasures()) {
            var large = start(erasures, "large", Urgency.AWAITED, _ -> go.await());
            var removed =
                    start(
                            erasures,
                            "removed",
                            Urgency.REMOVED,
                            _ -> {
                                inTurn.countDown();
                                go.await();
                            });
            assertTrue(inTurn.await(DEADLINE.toSeconds(), TimeUnit.SECONDS));
            var next = start(erasures, "next", Urgency.REMOVED, _ -> begun.set(true));
            var small = start(erasures, "small", Urgency.AWAITED, _ -> {});
            assertTrue(small.await(DEADLINE));
            assertFalse(large.hasEnded());
            assertFalse(begun.get(), "those that were removed come one after the other");
            go.countDown();
            for (var erasure : new Erasure[] {large, removed, next}) {
                assertTrue(erasure.await(DEADLINE));
            }
            assertTrue(begun.get());
        }
    }

    @Test
    void whoWaitsForATurnComesBeforeWhoWantsAnother() throws Exception {
        try (var erasures = new Erasures()) {
            var turn = erasures.turn("vg", Urgency.AWAITED);
            var order = new ConcurrentLinkedQueue<String>();
            turn.acquire();
            var small =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        turn.acquireUninterruptibly();
                                        order.add("small");
                                        turn.release();
                                    });
            while (!turn.hasQueuedThreads()) {
                Thread.onSpinWait();
            }
            turn.release();
            turn.acquire();
            order.add("large");
            small.join();
            assertEquals(List.of("small", "large"), List.copyOf(order));
            assertTrue(
                    erasures.turn("vg", Urgency.REMOVED).tryAcquire(),
                    "a removed volume's disk may hang");
        }
    }
}
