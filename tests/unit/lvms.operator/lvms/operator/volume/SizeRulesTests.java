package lvms.operator.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.api.StatusCode;
import lvms.api.VolumeException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.Map;

/** A size is at least the minimum of its kind, a multiple of 4096, and within its bounds. */
class SizeRulesTests {
    private static final long MIB = 1L << 20;

    @ParameterizedTest(name = "{0} to {1} bytes become {2}")
    @CsvSource({
        "1, 0, 4096",
        "4096, 0, 4096",
        "4097, 0, 8192",
        "0, 0, 1073741824",
        "0, 2147483648, 1073741824",
        "0, 5000, 4096",
        "4096, 4096, 4096"
    })
    void roundsUpWithinTheBounds(long required, long limit, long expected) throws Exception {
        assertEquals(expected, SizeRules.normalise(new CapacityRange(required, limit)));
    }

    @ParameterizedTest(name = "{0} to {1} bytes: {2}")
    @CsvSource({
        "-1, 0, INVALID_ARGUMENT",
        "0, -1, INVALID_ARGUMENT",
        "8192, 4096, INVALID_ARGUMENT",
        "4097, 5000, OUT_OF_RANGE",
        "0, 4095, OUT_OF_RANGE",
        "9223372036854775807, 0, OUT_OF_RANGE"
    })
    void refusesBoundsWithoutASizeBetweenThem(long required, long limit, StatusCode code) {
        var failure =
                assertThrows(
                        VolumeException.class,
                        () -> SizeRules.normalise(new CapacityRange(required, limit)));
        assertEquals(code, failure.code());
    }

    @Test
    void theSettingsDecideTheMinimumOfEachFilesystem() throws Exception {
        var rules = new SizeRules(MIB, Map.of("ext4", 5 * MIB, "xfs", 7 * MIB));
        var one = CapacityRange.atLeast(1);
        assertEquals(MIB, rules.raised(one, new Access.Block()).requiredBytes());
        assertEquals(5 * MIB, rules.raised(one, new Access.Mount("ext4")).requiredBytes());
        assertEquals(7 * MIB, rules.raised(one, new Access.Mount("xfs")).requiredBytes());
        assertEquals(1, rules.raised(one, new Access.Mount("btrfs")).requiredBytes());
    }

    @Test
    void withoutAFilesystemTypeTheNodesDefaultCounts() throws Exception {
        var raised = SizeRules.DEFAULT.raised(CapacityRange.atLeast(1), new Access.Mount(""));
        assertEquals(32 * MIB, raised.requiredBytes());
    }

    @ParameterizedTest(name = "{0} to {1} bytes: {2}")
    @CsvSource({
        "1, 1048576, OUT_OF_RANGE",
        "0, 1048576, OUT_OF_RANGE",
        "1048576, 1048576, OUT_OF_RANGE",
        "2097152, 1048576, INVALID_ARGUMENT"
    })
    void aLimitBelowTheMinimumIsOutOfRange(long required, long limit, StatusCode code) {
        var range = new CapacityRange(required, limit);
        var failure =
                assertThrows(
                        VolumeException.class,
                        () ->
                                SizeRules.normalise(
                                        SizeRules.DEFAULT.raised(range, new Access.Mount("xfs"))));
        assertEquals(code, failure.code());
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource({
        "0, 0B",
        "1023, 1023B",
        "1024, 1KiB",
        "1536, 1.5KiB",
        "10200547328, 9.5GiB",
        "9223372036854775807, 8EiB"
    })
    void writesSizesForPeople(long bytes, String text) {
        assertEquals(text, SizeRules.text(bytes));
    }
}
