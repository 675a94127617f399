package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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

    private interface Take {
        GroupLocks.Turn turn() throws InterruptedException;
    }

    private void takeElsewhere(Take take) {
        other =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try (var _ = take.turn()) {
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
    void whatSeesAllGroupsWaitsForAnyChange() throws Exception {
        try (var _ = locks.change("a")) {
            takeElsewhere(locks::all);
            awaitBlocked();
        }
        assertTrue(taken.await(10, TimeUnit.SECONDS));
    }

    @Test
    void aChangeMayReadItsGroupAndATurnOfAllMayDoBoth() throws Exception {
        try (var _ = locks.change("a");
                var _ = locks.read("a")) {
            assertFalse(Thread.interrupted());
        }
        try (var _ = locks.all();
                var _ = locks.read("a");
                var _ = locks.all()) {
            assertFalse(Thread.interrupted());
        }
    }
}
