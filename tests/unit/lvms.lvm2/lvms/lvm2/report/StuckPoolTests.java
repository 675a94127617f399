package lvms.lvm2.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.Optional;

class StuckPoolTests {
    private final StuckPool pool = new StuckPool("vg-pool-tpool", 6);

    @Test
    void theTransactionOfAKnownVolumeIsEnded() {
        assertEquals(Optional.of("set_transaction_id 11 12"), pool.message(11, 12, true));
    }

    @Test
    void aDeviceThatNoVolumeHasIsRemoved() {
        assertEquals(Optional.of("delete 6"), pool.message(12, 12, false));
    }

    @Test
    void whatFitsNeitherIsLeftAlone() {
        assertEquals(Optional.empty(), pool.message(12, 12, true));
        assertEquals(Optional.empty(), pool.message(11, 12, false));
        assertEquals(Optional.empty(), pool.message(9, 12, true));
        assertEquals(Optional.empty(), pool.message(13, 12, true));
    }

    @Safety(1)
    @Test
    void onlyAVolumeOfTheOpenTransactionWasNeverMade() {
        assertTrue(StuckPool.neverMade(11, 12, 11));
        assertTrue(StuckPool.neverMade(0, 1, 0));
        assertFalse(StuckPool.neverMade(12, 12, 11), "the kernel had it");
        assertFalse(StuckPool.neverMade(11, 12, 5), "it is older");
        assertFalse(StuckPool.neverMade(12, 12, 12));
        assertFalse(StuckPool.neverMade(9, 12, 11), "the pool is not as LVM left it");
    }

    @Test
    void inAPoolWithoutTransactionsNothingIsRemovedAsAnotherProgramManagesIt() {
        assertEquals(Optional.empty(), pool.message(0, 0, false));
        assertFalse(StuckPool.isLast(0, 0));
        assertFalse(StuckPool.isLast(0, 1));
        assertFalse(StuckPool.isLast(7, 0), "it counts by itself");
        assertTrue(StuckPool.isLast(7, 7));
        assertTrue(StuckPool.isLast(7, 8));
    }
}
