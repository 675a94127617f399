package lvms.operator.scheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

/** TopoLVM's configuration files of the extender keep their meaning. */
class ExtenderSettingsTests {
    @Test
    void anEmptyFileHasTheDefaults() {
        assertEquals(
                new ExtenderSettings(":8000", Divisors.ONE, "", List.of()),
                ExtenderSettings.parse("# nothing\n"));
    }

    @Test
    void readsEveryKey() {
        var settings =
                ExtenderSettings.parse(
                        """
                        listen: "localhost:9251"
                        default-divisor: 10
                        divisors:
                          ssd: 5
                          00default: 0.5
                        profiling-bind-address: localhost:6060
                        """);
        assertEquals("localhost:9251", settings.listen());
        assertEquals(new Divisors(10, Map.of("ssd", 5.0, "00default", 0.5)), settings.divisors());
        assertEquals("localhost:6060", settings.profiling());
        assertEquals(List.of(), settings.unknown());
    }

    @Test
    void aKeyThatMeansNothingIsNamed() {
        assertEquals(List.of("divisor"), ExtenderSettings.parse("divisor: 3").unknown());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "default-divisor: 0 | default-divisor: must be a number above 0",
                "default-divisor: ten | default-divisor: must be a number above 0",
                "divisors: {ssd: -1} | divisors.ssd: must be a number above 0",
                "divisors: 3 | divisors: expected a number for each device class",
                "listen: [a] | listen: must be a text",
                "- listen | expected a mapping of keys"
            })
    void saysWhatIsWrong(String yaml, String complaint) {
        var thrown =
                assertThrows(IllegalArgumentException.class, () -> ExtenderSettings.parse(yaml));
        assertEquals(complaint, thrown.getMessage());
    }
}
