package lvms.api.nativestor;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** A device is the one of a tenancy as long as boot, number and size are the same. */
class DeviceTenancyTests {
    private static final DeviceTenancy THEN =
            new DeviceTenancy("0e3b4c5d-1111-2222-3333-444455556666", 12, 1L << 40);

    @Test
    void theTextIsReadAsItWasWritten() {
        var text = "boot=0e3b4c5d-1111-2222-3333-444455556666 diskseq=12 bytes=1099511627776";
        assertEquals(text, THEN.text());
        assertEquals(Optional.of(THEN), DeviceTenancy.of(text));
        for (var other : new String[] {"", "boot=x", text + " ", text.replace("12", "-1")}) {
            assertEquals(Optional.empty(), DeviceTenancy.of(other), other);
        }
    }

    @Test
    void aNumberThatTheKernelDoesNotGiveProvesNothing() {
        assertTrue(THEN.continues(THEN));
        var unnumbered = new DeviceTenancy(THEN.boot(), 0, THEN.sizeBytes());
        assertFalse(unnumbered.continues(unnumbered));
    }
}
