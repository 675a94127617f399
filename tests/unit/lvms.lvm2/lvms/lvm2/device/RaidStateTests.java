package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

/** The status of a raid target is read as the kernel's documentation has it. */
class RaidStateTests {
    @Test
    void aWholeMirrorIsHealthy() {
        var state = RaidState.parse("raid1 2 AA 524288/524288 idle 0 0 -");
        assertTrue(state.healthy());
        assertEquals(1.0, state.synced());
        assertEquals("idle", state.action());
    }

    @Test
    void aDeadLegAndOneThatIsMissingAreCounted() {
        var state = RaidState.parse("raid6_zr 5 AADA- 100/200 recover 8 0 -");
        assertEquals(2, state.failedLegs());
        assertEquals(0.5, state.synced());
        assertEquals(8, state.mismatches());
        assertFalse(state.healthy());
    }

    @Test
    void aMirrorThatIsNotInSyncIsNotHealthy() {
        assertFalse(RaidState.parse("raid1 2 Aa 0/524288 resync 0").healthy());
        assertFalse(RaidState.parse("raid1 2 AA 1/2").healthy());
    }

    @Test
    void anotherTextIsRefused() {
        assertThrows(IllegalArgumentException.class, () -> RaidState.parse("7 1/2 3/4 - rw"));
        assertThrows(IllegalArgumentException.class, () -> RaidState.parse(""));
    }
}
