package lvms.node.erasure;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.time.Duration;

/** All erasures of a group together keep to its rate. */
class PaceTests {
    private static final long MIB = 1L << 20;
    private static final long SECOND = Duration.ofSeconds(1).toNanos();

    @Test
    void twoWhoWriteAtTheSameTimeShareTheRate() {
        var pace = new Pace();
        assertEquals(0, pace.take(16 * MIB, 16 * MIB, 5));
        assertEquals(SECOND, pace.take(16 * MIB, 16 * MIB, 5));
        assertEquals(2 * SECOND, pace.take(8 * MIB, 16 * MIB, 5));
        assertEquals(SECOND / 2, pace.take(8 * MIB, 16 * MIB, 5 + 2 * SECOND));
    }

    @Test
    void aPauseIsNotMadeUpForLater() {
        var pace = new Pace();
        assertEquals(0, pace.take(MIB, MIB, -7));
        assertEquals(0, pace.take(MIB, MIB, 100 * SECOND));
        assertEquals(SECOND, pace.take(MIB, MIB, 100 * SECOND));
    }
}
