package lvms.k8s.controller;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;

/** Nothing waits for the end of its neighbour before it stops taking work. */
@Timeout(30)
class SideBySideTests {
    @Test
    @Safety(29)
    void allBeginToCloseBeforeOneHasEnded() {
        var all = new CyclicBarrier(3);
        SideBySide.close(List.of(all::await, all::await, all::await));
        assertEquals(0, all.getNumberWaiting());
    }

    @Test
    void aPartThatFailsKeepsNoOtherOpen() {
        var closed = new CountDownLatch(1);
        SideBySide.close(
                List.of(
                        () -> {
                            throw new IllegalStateException("stuck");
                        },
                        closed::countDown));
        assertEquals(0, closed.getCount());
    }
}
