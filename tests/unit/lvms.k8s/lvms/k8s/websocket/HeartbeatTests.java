package lvms.k8s.websocket;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/** Who does not answer is dead; who cannot answer yet is not. */
class HeartbeatTests {
    private static final Duration PERIOD = Duration.ofSeconds(20);

    private final AtomicLong now = new AtomicLong();
    private final Heartbeat heartbeat = new Heartbeat(PERIOD, now::get);
    private final List<byte[]> pings = new ArrayList<>();
    private boolean aborted;

    private final Heartbeat.Connection connection =
            new Heartbeat.Connection() {
                @Override
                public boolean ping(byte[] payload) {
                    return pings.add(payload);
                }

                @Override
                public void abort() {
                    aborted = true;
                }
            };

    private boolean period() {
        now.addAndGet(PERIOD.toNanos());
        return heartbeat.tick(connection);
    }

    @Test
    void aServerThatIsSilentForAMinuteIsDead() {
        heartbeat.receives();
        assertTrue(period());
        assertTrue(period());
        assertFalse(aborted);
        assertFalse(period());
        assertTrue(aborted);
        assertEquals(2, pings.size());
        assertEquals("the server gave no sign of life for 60 s", heartbeat.problem());
    }

    @Test
    void aServerThatAnswersLivesForEver() {
        for (int i = 0; i < 1000; i++) {
            heartbeat.receives();
            assertTrue(period());
            heartbeat.heard();
            heartbeat.answered(pings.getLast());
        }
        assertEquals("", heartbeat.problem());
    }

    /** Its answers wait behind the output that our side does not take. */
    @Test
    void aServerThatNobodyListensToIsNotDead() {
        heartbeat.receives();
        heartbeat.heard();
        for (int i = 0; i < 100; i++) {
            assertTrue(period());
        }
        heartbeat.receives();
        assertTrue(period(), "it gets its time from here on");
    }

    /** It reads no ping while the command takes no input. */
    @Test
    void aServerThatCannotReadOnIsNotDead() {
        heartbeat.receives();
        heartbeat.sends(1 << 20);
        for (int i = 0; i < 100; i++) {
            assertTrue(period());
        }
        heartbeat.heard(); // an output
        heartbeat.receives();
        for (int i = 0; i < 100; i++) {
            assertTrue(period());
        }
        heartbeat.heard();
        heartbeat.answered(pings.getLast());
        heartbeat.receives();
        heartbeat.sends(1 << 10);
        assertTrue(period());
        assertTrue(period());
        assertFalse(period(), "it has read all but a little, which a command takes");
    }

    @Test
    void anAnswerCountsForNoMoreThanWasSent() {
        heartbeat.receives();
        heartbeat.sends(1 << 20);
        heartbeat.answered(new byte[] {0x7f, -1, -1, -1, -1, -1, -1, -1});
        heartbeat.answered(new byte[3]);
        heartbeat.sends(1 << 20);
        assertTrue(period());
        assertTrue(period());
        assertTrue(period());
    }

    @Test
    void aConnectionThatTakesNoPingIsLeftAlone() {
        heartbeat.receives();
        var broken =
                new Heartbeat.Connection() {
                    @Override
                    public boolean ping(byte[] payload) {
                        return false;
                    }

                    @Override
                    public void abort() {
                        aborted = true;
                    }
                };
        assertFalse(heartbeat.tick(broken));
        assertFalse(aborted);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1})
    void thePeriodIsATime(int seconds) {
        assertThrows(
                IllegalArgumentException.class,
                () -> new Heartbeat(Duration.ofSeconds(seconds), now::get));
    }
}
