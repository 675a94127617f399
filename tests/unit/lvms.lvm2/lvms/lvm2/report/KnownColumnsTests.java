package lvms.lvm2.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.List;

/** A column that LVM does not know is asked for once. Recorded from LVM 2.03.16. */
class KnownColumnsTests {
    private final KnownColumns columns = new KnownColumns();

    @Test
    void asksForAllUntilLvmSaysNo() {
        assertEquals("lv_name,vdo_used_size", columns.of("lv_name,vdo_used_size"));
        assertTrue(columns.learn(List.of("Unrecognised field: vdo_used_size")));
        assertEquals("lv_name,lv_size", columns.of("lv_name,vdo_used_size,lv_size"));
    }

    @Test
    void doesNotTryTheSameAgain() {
        assertTrue(columns.learn(List.of("Unrecognised field: a")));
        assertFalse(columns.learn(List.of("Unrecognised field: a")));
        assertFalse(columns.learn(List.of("Volume group \"nope\" not found")));
    }
}
