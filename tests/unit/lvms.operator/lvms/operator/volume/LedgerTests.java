package lvms.operator.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** What was promised is never promised again, and never counted twice for long. */
class LedgerTests {
    private static final Slot SLOT = new Slot("n1", "ssd");

    private Instant now = Instant.parse("2026-01-01T00:00:00Z");
    private final Ledger ledger = new Ledger(() -> now);

    private long free() {
        return ledger.free(SLOT).orElse(-1);
    }

    @Test
    void aClassThatIsNotReportedOffersNothing() {
        assertTrue(ledger.free(SLOT).isEmpty());
        assertFalse(ledger.reserve("a", SLOT, 0));
    }

    @Test
    void promisesToTheLastByteAndNotOneMore() {
        ledger.report(SLOT, 100);
        assertTrue(ledger.reserve("a", SLOT, 60));
        assertFalse(ledger.reserve("b", SLOT, 41));
        assertTrue(ledger.reserve("c", SLOT, 40));
        assertEquals(0, free());
    }

    @Test
    void manyAtOnceGetNoMoreThanThereIs() throws Exception {
        ledger.report(SLOT, 1000);
        var granted = new AtomicInteger();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 200; i++) {
                var name = "v" + i;
                threads.submit(
                        () -> {
                            if (ledger.reserve(name, SLOT, 10)) {
                                granted.incrementAndGet();
                            }
                        });
            }
        }
        assertEquals(100, granted.get());
    }

    @Test
    void aFinishedVolumeCountsUntilTheReportShowsIt() {
        ledger.report(SLOT, 100);
        ledger.reserve("a", SLOT, 30);
        ledger.hold("a", SLOT, 30);
        ledger.confirm("a");
        assertEquals(70, free());
        ledger.report(SLOT, 70);
        assertEquals(70, free());
    }

    @Test
    void aReportThatComesBeforeTheStatusCountsOnce() {
        ledger.report(SLOT, 100);
        ledger.reserve("a", SLOT, 30);
        ledger.hold("a", SLOT, 30);
        ledger.report(SLOT, 70);
        assertEquals(70, free());
        ledger.confirm("a");
        assertEquals(70, free());
    }

    @Test
    void aReportThatComesBeforeTheObjectIsSeenCountsOnce() {
        ledger.report(SLOT, 100);
        ledger.reserve("a", SLOT, 30);
        ledger.report(SLOT, 70);
        ledger.hold("a", SLOT, 30);
        assertEquals(70, free());
        ledger.confirm("a");
        assertEquals(70, free());
    }

    @Test
    void theReportOfOneVolumeDoesNotRedeemAnother() {
        ledger.report(SLOT, 100);
        for (var name : new String[] {"a", "b"}) {
            ledger.reserve(name, SLOT, 30);
            ledger.hold(name, SLOT, 30);
            ledger.confirm(name);
        }
        ledger.report(SLOT, 70); // the node had only made the first one yet
        assertEquals(40, free());
        ledger.report(SLOT, 40);
        assertEquals(40, free());
    }

    @Test
    void aPromiseHiddenByADeletionEndsAfterAWhile() {
        ledger.report(SLOT, 100);
        ledger.reserve("a", SLOT, 30);
        ledger.hold("a", SLOT, 30);
        ledger.confirm("a");
        ledger.report(SLOT, 100); // 30 more by a deletion, 30 less by the volume
        assertEquals(70, free());
        now = now.plus(Ledger.SETTLE).plusMillis(1);
        assertEquals(100, free());
    }

    @Test
    void aPromiseLastsAsLongAsItsNodeIsAtWork() {
        ledger.report(SLOT, 100);
        ledger.reserve("a", SLOT, 30);
        ledger.hold("a", SLOT, 30);
        now = now.plus(Duration.ofHours(1));
        assertEquals(70, free());
        ledger.release("a");
        assertEquals(100, free());
    }

    @Test
    void aPromiseWhoseObjectNeverAppearedEnds() {
        ledger.report(SLOT, 100);
        ledger.reserve("a", SLOT, 30);
        now = now.plus(Ledger.UNSEEN).plusMillis(1);
        assertEquals(100, free());
    }

    @Test
    void theSameNameIsPromisedOnce() {
        ledger.report(SLOT, 100);
        assertTrue(ledger.reserve("a", SLOT, 60));
        assertTrue(ledger.reserve("a", SLOT, 60));
        assertEquals(40, free());
        assertFalse(ledger.reserve("a", SLOT, 101));
        assertEquals(40, free());
    }

    @Test
    void volumesUnderWayAtAStartCount() {
        ledger.hold("a", SLOT, 30);
        ledger.report(SLOT, 100);
        assertEquals(70, free());
    }
}
