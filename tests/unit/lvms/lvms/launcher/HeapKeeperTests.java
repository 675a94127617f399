package lvms.launcher;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The heap is collected only where that may free a lot. */
class HeapKeeperTests {
    private static final long MIB = 1 << 20;

    @Test
    void collectsWhatTheStartLeft() {
        assertTrue(HeapKeeper.worthwhile(30 * MIB, 0));
    }

    @Test
    void leavesTheYoungGenerationsGarbageToTheCollector() {
        assertFalse(HeapKeeper.worthwhile(14 * MIB, 10 * MIB));
    }

    @Test
    void aLargeHeapMayHaveMoreGarbageThanASmallOne() {
        assertTrue(HeapKeeper.worthwhile(25 * MIB, 10 * MIB));
        assertFalse(HeapKeeper.worthwhile(75 * MIB, 60 * MIB));
        assertTrue(HeapKeeper.worthwhile(91 * MIB, 60 * MIB));
    }
}
