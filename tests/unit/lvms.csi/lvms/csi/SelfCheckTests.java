package lvms.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.StatusCode;
import lvms.api.VolumeException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;

/** Probe is ready once a look has passed, and fails while the last one did. */
@Timeout(30)
class SelfCheckTests {
    private static final Duration LONG = Duration.ofMinutes(10);

    /** Each look waits for a result; one that was taken twice was noted once. */
    private final SynchronousQueue<Optional<String>> results = new SynchronousQueue<>();

    private SelfCheck started() {
        var check = new SelfCheck(results::take, Duration.ZERO, LONG);
        check.start();
        return check;
    }

    @Test
    void isNotReadyBeforeTheFirstLookAndStaysReadyAfterIt() throws Exception {
        try (var check = started()) {
            assertFalse(check.ready());
            results.put(Optional.empty());
            results.put(Optional.empty());
            assertTrue(check.ready());
        }
    }

    @Test
    void saysWhatIsWrongUntilItIsMended() throws Exception {
        try (var check = started()) {
            results.put(Optional.empty());
            results.put(Optional.of("no LVM"));
            results.put(Optional.of("still none"));
            var failure = assertThrows(VolumeException.class, check::ready);
            assertEquals(StatusCode.FAILED_PRECONDITION, failure.code());
            assertTrue(
                    failure.getMessage().equals("no LVM")
                            || failure.getMessage().equals("still none"));
            results.put(Optional.empty());
            results.put(Optional.empty());
            assertTrue(check.ready());
        }
    }

    @Test
    void looksAgainAtOnceWhereAskedWhileSomethingIsWrong() throws Exception {
        try (var check = new SelfCheck(results::take, LONG, LONG)) {
            check.start();
            results.put(Optional.of("no LVM"));
            while (failure(check).isEmpty()) {}
            check.lookAgain();
            results.put(Optional.of("still none"));
            check.lookAgain(); // perhaps before that result is noted
            results.put(Optional.empty());
            while (!isReady(check)) {}
            check.lookAgain();
            assertFalse(results.offer(Optional.empty(), 100, TimeUnit.MILLISECONDS));
        }
    }

    @Test
    void aLookThatHangsOrBreaksCountsAsFailed() throws Exception {
        var looks = new LinkedBlockingQueue<String>();
        SelfCheck.Look hangsOnce =
                () -> {
                    looks.add("look");
                    if (looks.size() == 1) {
                        Thread.sleep(LONG);
                    }
                    throw new IllegalStateException("broken");
                };
        try (var check = new SelfCheck(hangsOnce, Duration.ofMillis(1), Duration.ofMillis(200))) {
            check.start();
            String said;
            do {
                said = failure(check);
            } while (!said.contains("broken"));
        }
    }

    private static boolean isReady(SelfCheck check) throws Exception {
        try {
            Thread.sleep(1);
            return check.ready();
        } catch (VolumeException _) {
            return false;
        }
    }

    private static String failure(SelfCheck check) throws Exception {
        try {
            assertFalse(check.ready());
            Thread.sleep(1);
            return "";
        } catch (VolumeException e) {
            return e.getMessage();
        }
    }
}
