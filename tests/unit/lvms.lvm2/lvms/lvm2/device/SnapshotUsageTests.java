package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Status texts of Linux 7.2, as dmsetup status shows them. */
class SnapshotUsageTests {
    @Test
    void aStoreThatFills() {
        assertEquals(new SnapshotUsage(8192, 8 << 20, false), SnapshotUsage.parse("16/16384 16"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"Invalid", "Overflow"})
    void oneThatIsLost(String status) {
        assertEquals(new SnapshotUsage(0, 0, true), SnapshotUsage.parse(status));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "Merge failed", "16 16", "a/b c"})
    void whatIsNoneIsRefused(String status) {
        assertThrows(IllegalArgumentException.class, () -> SnapshotUsage.parse(status));
    }
}
