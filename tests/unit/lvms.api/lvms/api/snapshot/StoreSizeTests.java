package lvms.api.snapshot;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** A snapshot of a thick volume gets the room that its class asks for, within what makes sense. */
class StoreSizeTests {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    private static long bytes(String text, long volumeBytes) {
        return StoreSize.of(Map.of("lvms.topolvm.io/snapshot-size", text)).bytes(volumeBytes);
    }

    @Test
    void itIsAFifthUnlessTheClassSaysOtherwise() {
        assertEquals(2 * GIB, StoreSize.of(Map.of("other", "5Gi")).bytes(10 * GIB));
    }

    @ParameterizedTest(name = "{0} of {1} MiB are {2} MiB")
    @CsvSource({"60%, 1000, 600", "100%, 1000, 1000", "5Gi, 10240, 5120", "700Mi, 10240, 700"})
    void aClassAsksForAPercentageOrASize(String text, long volumeMib, long mib) {
        assertEquals(mib * MIB, bytes(text, volumeMib * MIB));
    }

    @Test
    void neverMoreThanAWholeVolumeNeeds() {
        long most = bytes("20Gi", GIB);
        assertTrue(most > GIB && most < GIB + GIB / 100, "%d".formatted(most));
        assertEquals(StoreSize.mostBytes(GIB), most);
    }

    @Test
    void neverLessThanTheNodeNeedsToLetItGrow() {
        assertEquals(512 * MIB, bytes("1%", GIB));
        assertEquals(512 * MIB, bytes("1", GIB));
        assertEquals(StoreSize.mostBytes(8 * MIB), bytes("1%", 8 * MIB));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0%", "101%", "-5%", "20 %", "5Gx", "0", "-1Gi", "%"})
    void whatIsNeitherIsRefused(String text) {
        var refused = assertThrows(IllegalArgumentException.class, () -> bytes(text, GIB));
        assertEquals(
                "lvms.topolvm.io/snapshot-size: expected 1% to 100%, or a positive size such as"
                        + " 5Gi, found \""
                        + text
                        + '"',
                refused.getMessage());
    }
}
