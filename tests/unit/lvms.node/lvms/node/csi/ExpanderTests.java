package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.proto.csi.v1.CapacityRange;

import org.junit.jupiter.api.Test;

/** A capacity range is judged before anything grows. */
class ExpanderTests {
    private static CapacityRange range(long required, long limit) {
        return CapacityRange.newBuilder().setRequiredBytes(required).setLimitBytes(limit).build();
    }

    @Test
    void noRangeGrowsToTheDevice() {
        assertDoesNotThrow(() -> Expander.requireValid(range(0, 0)));
        assertDoesNotThrow(() -> Expander.requireValid(range(5, 5)));
    }

    @Test
    void refusesNegativeAndContradictingRanges() {
        assertThrows(CallException.Invalid.class, () -> Expander.requireValid(range(-1, 0)));
        assertThrows(CallException.Range.class, () -> Expander.requireValid(range(6, 5)));
    }
}
