package lvms.lvm2.lock;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvmException;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Our own commands never meet at LVM's locks, and no more of them wait than must. */
@Timeout(20)
class GroupLocksTests {
    private final GroupLocks locks = new GroupLocks(Duration.ofMinutes(1));
    private final CountDownLatch taken = new CountDownLatch(1);
    private Thread other = Thread.ofPlatform().start(() -> {});

    private interface Take {
        GroupLocks.Turn turn() throws LvmException, InterruptedException;
    }

    private void takeElsewhere(Take take) {
        other =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try (var _ = take.turn()) {
                                        taken.countDown();
                                    } catch (LvmException | InterruptedException e) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
    }

    @AfterEach
    void end() throws InterruptedException {
        other.interrupt();
        assertTrue(other.join(Duration.ofSeconds(10)));
    }

    private void awaitBlocked() throws InterruptedException {
        while (other.getState() != Thread.State.TIMED_WAITING) {
            assertTrue(taken.getCount() == 1, "it should wait");
            Thread.onSpinWait();
        }
    }

    @Test
    void changesOfDifferentGroupsRunTogether() throws Exception {
        try (var _ = locks.change("a")) {
            takeElsewhere(() -> locks.change("b"));
            assertTrue(taken.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void readersOfAGroupRunTogether() throws Exception {
        try (var _ = locks.read("a")) {
            takeElsewhere(() -> locks.read("a"));
            assertTrue(taken.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void aReaderWaitsForAChangeOfItsGroup() throws Exception {
        try (var _ = locks.change("a")) {
            takeElsewhere(() -> locks.read("a"));
            awaitBlocked();
        }
        assertTrue(taken.await(10, TimeUnit.SECONDS));
    }

    @Test
    @Safety(23)
    void whatSeesAllDevicesWaitsForNoChangeOfAGroup() throws Exception {
        try (var _ = locks.change("a")) {
            takeElsewhere(locks::survey);
            assertTrue(taken.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    @Safety(23)
    void whoWaitsForAGroupKeepsNoOtherGroupWaiting() throws Exception {
        try (var _ = locks.change("a")) {
            var waiting = Thread.ofPlatform().start(() -> refused(() -> locks.devices("a")));
            while (waiting.getState() != Thread.State.TIMED_WAITING) {
                Thread.onSpinWait();
            }
            takeElsewhere(() -> locks.change("b"));
            assertTrue(taken.await(10, TimeUnit.SECONDS));
            waiting.interrupt();
            assertTrue(waiting.join(Duration.ofSeconds(10)));
        }
    }

    private static void refused(Take take) {
        assertThrows(InterruptedException.class, take::turn);
    }

    @Test
    @Safety(23)
    void aTurnThatDoesNotEndIsNotWaitedForWithoutEnd() throws Exception {
        var impatient = new GroupLocks(Duration.ofMillis(20));
        try (var _ = impatient.change("a")) {
            takeElsewhere(() -> heldUp(impatient));
            assertTrue(taken.await(10, TimeUnit.SECONDS));
        }
        impatient.change("a").close();
    }

    private GroupLocks.Turn heldUp(GroupLocks impatient) throws LvmException, InterruptedException {
        var said = assertThrows(LvmException.LockBusy.class, () -> impatient.read("a"));
        assertTrue(said.getMessage().startsWith("volume group a: "), said.getMessage());
        return locks.survey();
    }

    @Test
    void changesOfDevicesRunOneAfterTheOther() throws Exception {
        try (var _ = locks.devices("a")) {
            takeElsewhere(() -> locks.devices("b"));
            awaitBlocked();
        }
        assertTrue(taken.await(10, TimeUnit.SECONDS));
    }

    @Test
    void aChangeMayReadItsGroupAndOneOfItsDevicesMayDoBoth() throws Exception {
        try (var _ = locks.change("a");
                var _ = locks.read("a")) {
            assertFalse(Thread.interrupted());
        }
        try (var _ = locks.devices("a");
                var _ = locks.read("a");
                var _ = locks.survey();
                var _ = locks.devices("a")) {
            assertFalse(Thread.interrupted());
        }
    }
}
