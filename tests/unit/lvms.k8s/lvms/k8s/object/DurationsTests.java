package lvms.k8s.object;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Optional;

/** Durations are read as Go writes and takes them, and nothing else is. */
class DurationsTests {
    @ParameterizedTest
    @CsvSource({
        "15s, 15000000000",
        "1m30s, 90000000000",
        "1.5h, 5400000000000",
        ".5s, 500000000",
        "9.998765s, 9998765000",
        "1h2m3.5s, 3723500000000",
        "250ms, 250000000",
        "7us, 7000",
        "7\u00B5s, 7000",
        "7\u03BCs, 7000",
        "3ns, 3"
    })
    void readsWhatGoWrites(String text, long nanos) {
        assertEquals(Optional.of(Duration.ofNanos(nanos)), Durations.read(text));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0s", "10", "s", "-1s", "1 s", "1d", "1s!", "1e3s", "9999999999h"})
    void readsNothingElse(String text) {
        assertEquals(Optional.empty(), Durations.read(text));
    }
}
