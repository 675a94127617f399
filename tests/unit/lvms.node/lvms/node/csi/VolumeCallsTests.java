package lvms.node.csi;

import static lvms.api.CodeAssertions.assertCode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.StatusCode;
import lvms.api.VolumeException;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Calls for one volume come one after the other; those for different volumes never wait. */
@Timeout(20)
class VolumeCallsTests {
    private static final VolumeId A = new VolumeId("a");
    private static final VolumeId B = new VolumeId("b");
    private final VolumeCalls calls = new VolumeCalls(Duration.ofMillis(50));
    private final CountDownLatch end = new CountDownLatch(1);

    @AfterEach
    void release() {
        end.countDown();
        calls.close();
    }

    private CompletableFuture<String> hold(VolumeId volume) throws Exception {
        var begun = new CountDownLatch(1);
        var result = new CompletableFuture<String>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            try {
                                result.complete(
                                        calls.run(
                                                volume,
                                                () -> {
                                                    begun.countDown();
                                                    end.await();
                                                    return "held";
                                                }));
                            } catch (Exception e) {
                                result.completeExceptionally(e);
                            }
                        });
        assertTrue(begun.await(10, TimeUnit.SECONDS));
        return result;
    }

    @Test
    void aHungCallKeepsOnlyItsOwnVolume() throws Exception {
        hold(A);
        assertEquals("done", calls.run(B, () -> "done"));
        assertCode(StatusCode.ABORTED, () -> calls.run(A, () -> "done"));
    }

    @Test
    void theNextCallRunsWhenTheFirstHasEnded() throws Exception {
        var first = hold(A);
        end.countDown();
        assertEquals("held", first.get());
        assertEquals("done", calls.run(A, () -> "done"));
    }

    @Test
    void aCallerThatGoesAwayStopsWaitingButTheWorkGoesOn() throws Exception {
        var begun = new CountDownLatch(1);
        var worked = new CompletableFuture<Boolean>();
        var failure = new CompletableFuture<Exception>();
        var caller =
                Thread.ofVirtual()
                        .start(
                                () ->
                                        failure.complete(
                                                assertThrows(
                                                        Exception.class,
                                                        () ->
                                                                calls.run(
                                                                        A,
                                                                        () -> {
                                                                            begun.countDown();
                                                                            end.await();
                                                                            return worked.complete(
                                                                                    true);
                                                                        }))));
        begun.await();
        caller.interrupt();
        assertEquals(InterruptedException.class, failure.get().getClass());
        assertCode(StatusCode.ABORTED, () -> calls.run(A, () -> "too early"));
        end.countDown();
        assertTrue(worked.get());
    }

    @Test
    void aFailureReachesTheCallerAndFreesTheVolume() throws Exception {
        assertCode(
                StatusCode.FAILED_PRECONDITION,
                () ->
                        calls.run(
                                A,
                                () -> {
                                    throw new VolumeException(StatusCode.FAILED_PRECONDITION, "no");
                                }));
        assertCode(
                StatusCode.INTERNAL,
                () ->
                        calls.run(
                                A,
                                () -> {
                                    throw new java.io.IOException("disk");
                                }));
        assertEquals("done", calls.run(A, () -> "done"));
    }

    @Test
    void aCallerThatGaveUpBeforeHoldsNothing() throws Exception {
        var first = hold(A);
        Thread.currentThread().interrupt();
        assertThrows(InterruptedException.class, () -> calls.run(A, () -> "x"));
        end.countDown();
        assertEquals("held", first.get());
        assertEquals("done", calls.run(A, () -> "done"));
    }
}
