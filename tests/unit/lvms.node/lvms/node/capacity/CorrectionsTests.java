package lvms.node.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;

/** A change by somebody else is corrected at once, and two writers do not write without end. */
class CorrectionsTests {
    private Instant now = Instant.parse("2030-01-01T00:00:00Z");
    private final Corrections corrections = new Corrections(() -> now);

    @Test
    void theFirstIsMadeAtOnceAndTheNextOnesWait() {
        assertEquals(Duration.ZERO, corrections.delay());
        corrections.made();
        var first = corrections.delay();
        assertTrue(first.compareTo(Duration.ofSeconds(1)) >= 0, first.toString());
        now = now.plus(first);
        assertEquals(Duration.ZERO, corrections.delay());
    }

    @Test
    void whoeverWritesAgainAtOnceIsAnsweredEveryFiveMinutes() {
        int made = 0;
        for (var end = now.plus(Duration.ofHours(1)); now.isBefore(end); made++) {
            corrections.made();
            now = now.plus(corrections.delay());
        }
        assertTrue(made < 25, made + " corrections in an hour");
    }

    @Test
    void aQuietTimeForgetsThem() {
        for (int i = 0; i < 20; i++) {
            corrections.made();
        }
        now = now.plus(Duration.ofMinutes(11));
        corrections.made();
        assertTrue(corrections.delay().compareTo(Duration.ofSeconds(2)) < 0);
    }
}
