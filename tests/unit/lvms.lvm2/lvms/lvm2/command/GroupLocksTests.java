package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.command.GroupLocks.Mode;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Our own commands never meet at LVM's locks, and no more of them wait than must. */
@Timeout(20)
class GroupLocksTests {
    private final GroupLocks locks = new GroupLocks();
    private final CountDownLatch taken = new CountDownLatch(1);
    private Thread other = Thread.ofPlatform().start(() -> {});

    private void takeElsewhere(Mode mode, String vg) {
        other =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try (var _ = locks.take(mode, vg)) {
                                        taken.countDown();
                                    } catch (InterruptedException e) {
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
        while (other.getState() != Thread.State.WAITING) {
            assertTrue(taken.getCount() == 1, "it should wait");
            Thread.onSpinWait();
        }
    }

    @Test
    void changesOfDifferentGroupsRunTogether() throws Exception {
        try (var _ = locks.take(Mode.CHANGE, "a")) {
            takeElsewhere(Mode.CHANGE, "b");
            assertTrue(taken.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void readersOfAGroupRunTogether() throws Exception {
        try (var _ = locks.take(Mode.READ, "a")) {
            takeElsewhere(Mode.READ, "a");
            assertTrue(taken.await(10, TimeUnit.SECONDS));
        }
    }

    @Test
    void aReaderWaitsForAChangeOfItsGroup() throws Exception {
        try (var _ = locks.take(Mode.CHANGE, "a")) {
            takeElsewhere(Mode.READ, "a");
            awaitBlocked();
        }
        assertTrue(taken.await(10, TimeUnit.SECONDS));
    }

    @Test
    void whatSeesAllGroupsWaitsForAnyChange() throws Exception {
        try (var _ = locks.take(Mode.CHANGE, "a")) {
            takeElsewhere(Mode.ALL, "");
            awaitBlocked();
        }
        assertTrue(taken.await(10, TimeUnit.SECONDS));
    }

    @Test
    void aChangeMayReadItsGroupAndATurnOfAllMayDoBoth() throws Exception {
        try (var _ = locks.take(Mode.CHANGE, "a");
                var _ = locks.take(Mode.READ, "a")) {
            assertFalse(Thread.interrupted());
        }
        try (var _ = locks.take(Mode.ALL, "");
                var _ = locks.take(Mode.READ, "a");
                var _ = locks.take(Mode.ALL, "")) {
            assertFalse(Thread.interrupted());
        }
    }
}
