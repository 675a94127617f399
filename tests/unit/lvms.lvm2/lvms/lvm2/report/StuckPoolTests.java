package lvms.lvm2.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
