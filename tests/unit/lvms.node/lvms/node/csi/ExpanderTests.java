package lvms.node.csi;

import static lvms.api.CodeAssertions.assertCode;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;

import lvms.api.StatusCode;
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
        assertCode(StatusCode.INVALID_ARGUMENT, () -> Expander.requireValid(range(-1, 0)));
        assertCode(StatusCode.OUT_OF_RANGE, () -> Expander.requireValid(range(6, 5)));
    }
}
