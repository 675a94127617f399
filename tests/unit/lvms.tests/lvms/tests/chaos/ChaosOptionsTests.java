package lvms.tests.chaos;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.Optional;

/** A mistake in the command line is told before a cluster is started. */
class ChaosOptionsTests {
    @Test
    void allOfThemAreRead() {
        var options = ChaosOptions.of("--minutes", "3", "--seed", "7", "--operations", "500");
        var wanted = new ChaosOptions(Duration.ofMinutes(3), 500, Optional.of(7L), false);
        assertEquals(wanted, options);
        assertTrue(ChaosOptions.of("--resume").resume());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"--minutes", "--minutes x", "--seed -1", "--hours 1", "--seed 1 --resume"})
    void mistakesAreRefusedWithTheUsage(String words) {
        var refused =
                assertThrows(
                        IllegalArgumentException.class, () -> ChaosOptions.of(words.split(" ")));
        assertTrue(refused.getMessage().contains("usage: ./build.sh chaos"), refused::getMessage);
    }
}
