package lvms.lvm2.instant;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** No I/O waits for ever, whatever happens while it is held. */
@Timeout(60)
class HeldDevicesTests {
    private static final Duration LONG = Duration.ofMinutes(1);
    private static final Duration SHORT = Duration.ofMillis(200);
    private final Set<String> suspended = ConcurrentHashMap.newKeySet();
    private final Set<String> stuck = ConcurrentHashMap.newKeySet();
    private final Set<String> broken = ConcurrentHashMap.newKeySet();
    private final CountDownLatch unstuck = new CountDownLatch(1);

    private HeldDevices devices(Duration longest) {
        return new HeldDevices(
                longest,
                new HeldDevices.Kernel() {
                    @Override
                    public void suspend(String device) throws IOException {
                        if (broken.contains(device)) {
                            throw new IOException(device + " is gone");
                        }
                        if (stuck.contains(device)) {
                            awaitUnstuck();
                        }
                        suspended.add(device);
                    }

                    @Override
                    public void resume(String device) throws IOException {
                        if (broken.contains(device)) {
                            throw new IOException(device + " is gone");
                        }
                        suspended.remove(device);
                    }

                    @Override
                    public boolean suspended(String device) {
                        return suspended.contains(device);
                    }
                });
    }

    private void awaitUnstuck() throws IOException {
        try {
            unstuck.await();
        } catch (InterruptedException e) {
            throw new IOException(e);
        }
    }

    /** The test's own time limit ends it if that never comes true. */
    private static void await(BooleanSupplier truth) {
        while (!truth.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    @Test
    void allWaitTogetherAndGoOnTogether() throws Exception {
        var held = devices(LONG);
        held.hold(List.of("a", "b"));
        assertEquals(Set.of("a", "b"), suspended);
        assertDoesNotThrow(() -> held.requireHeld("a"));
        assertTrue(held.release());
        assertEquals(Set.of(), suspended);
    }

    @Test
    void theyGoOnByThemselvesWhenTheTimeIsOver() throws Exception {
        var held = devices(SHORT);
        held.hold(List.of("a", "b"));
        await(suspended::isEmpty);
        var failure = assertThrows(IOException.class, held::requireTime);
        assertTrue(failure.getMessage().contains("would have to wait"), failure.getMessage());
        assertThrows(IOException.class, () -> held.requireHeld("a"));
        assertThrows(IOException.class, () -> held.hold(List.of("c")));
        assertEquals(Set.of(), suspended);
    }

    @Test
    void oneThatSomebodyResumedIsNoticed() throws Exception {
        var held = devices(LONG);
        held.hold(List.of("a", "b"));
        suspended.remove("b");
        assertDoesNotThrow(() -> held.requireHeld("a"));
        assertThrows(IOException.class, () -> held.requireHeld("b"));
        assertTrue(held.release());
    }

    /** A filesystem may write for long before it is frozen; the kernel goes on with it. */
    @Test
    void oneThatIsHeldTooLateGoesOnAtOnce() throws Exception {
        stuck.add("b");
        var held = devices(SHORT);
        assertThrows(IOException.class, () -> held.hold(List.of("a", "b")));
        assertFalse(held.release(), "nobody knows what becomes of it");
        assertEquals(Set.of(), suspended);
        unstuck.countDown();
        await(held::release);
        assertEquals(Set.of(), suspended);
    }

    @Test
    void oneThatCannotBeHeldKeepsNoOtherWaiting() throws Exception {
        broken.add("b");
        var held = devices(LONG);
        assertThrows(IOException.class, () -> held.hold(List.of("a", "b")));
        assertTrue(held.release());
        assertEquals(Set.of(), suspended);
    }

    @Test
    void oneThatCannotGoOnIsSaidToWait() throws Exception {
        var held = devices(LONG);
        held.hold(List.of("a", "b"));
        broken.add("a");
        assertFalse(held.release());
        assertEquals(Set.of("a"), suspended);
        broken.clear();
        assertTrue(held.release());
        assertEquals(Set.of(), suspended);
    }
}
