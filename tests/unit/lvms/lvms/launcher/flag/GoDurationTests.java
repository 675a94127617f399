package lvms.launcher.flag;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/** A time is read as Go's flags read it. */
class GoDurationTests {
    private static Duration of(String text) throws UsageException {
        var known = List.of(new Flag("time", Flag.Kind.TEXT, "", "a time"));
        return GoDuration.of(Flags.parse(known, List.of("--time=" + text)), "time");
    }

    @ParameterizedTest
    @CsvSource({"15s, PT15S", "1m30s, PT1M30S", "1.5h, PT1H30M", "250ms, PT0.25S", ".5s, PT0.5S"})
    void readsEveryUnit(String text, Duration expected) throws Exception {
        assertEquals(expected, of(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "15", "0s", "-1s", "s", "1s2", "1 s", "9999999999h", "1d"})
    void refusesWhatIsNoTimeAboveZero(String text) {
        assertThrows(UsageException.class, () -> of(text));
    }
}
