package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The kernel's status line of a thin pool, as seen on 7.2 and described in its documentation. */
class ThinPoolUsageTests {
    @Test
    void readsAPoolThatIsWell() {
        var text = "4 61/512 800/3200 - rw no_discard_passdown queue_if_no_space - 128 ";
        var usage = ThinPoolUsage.parse(text);
        assertEquals(4, usage.transactionId());
        assertEquals(0.25, usage.dataUse());
        assertEquals(61.0 / 512, usage.metadataUse());
        assertTrue(usage.healthy() && usage.queuesWhenFull());
    }

    @Test
    void readsAPoolThatIsFull() {
        var text =
                "7 1024/1024 2048/2048 55 out_of_data_space ignore_discard error_if_no_space"
                        + " needs_check 1024";
        var usage = ThinPoolUsage.parse(text);
        assertEquals("out_of_data_space", usage.mode());
        assertEquals(1, usage.dataUse());
        assertTrue(usage.needsCheck());
        assertFalse(usage.healthy() || usage.queuesWhenFull());
    }

    @ParameterizedTest
    @ValueSource(strings = {"Fail", "Error"})
    void readsAPoolThatIsDead(String text) {
        var usage = ThinPoolUsage.parse(text);
        assertEquals(text, usage.mode());
        assertFalse(usage.healthy());
        assertEquals(0, usage.dataUse());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "garbage", "1 2 3 4 5", "0 -"})
    void refusesWhatIsNoPool(String text) {
        assertThrows(IllegalArgumentException.class, () -> ThinPoolUsage.parse(text));
    }
}
