package lvms.operator.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;

/** What is done for one volume waits for what is done for it already, and for nothing else. */
@Timeout(60)
class KeyedLocksTests {
    private final KeyedLocks locks = new KeyedLocks();

    @Test
    void theSameKeyExcludesAndAnotherDoesNot() throws Exception {
        var asked = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var held = locks.take("a");
            var waiting =
                    threads.submit(
                            () -> {
                                asked.countDown();
                                locks.take("a").close();
                                return true;
                            });
            asked.await();
            locks.take("b").close();
            assertFalse(waiting.isDone());
            held.close();
            assertTrue(waiting.get());
        }
        assertEquals(0, locks.size());
    }

    @Test
    void whoIsInterruptedWhileItWaitsLeavesNothing() throws Exception {
        try (var _ = locks.take("a")) {
            Thread.currentThread().interrupt();
            assertThrows(InterruptedException.class, () -> locks.take("a"));
            assertEquals(1, locks.size());
        }
        assertEquals(0, locks.size());
    }
}
