package lvms.k8s.informer;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ClientOptions;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** The times that docs/k8s.md names are those that informers and calls have. */
class TimesOnThePageTests {
    private static final Timing TIMING = Timing.DEFAULT;
    private String page;

    @BeforeEach
    void read() throws IOException {
        page = Files.readString(Path.of("docs/k8s.md")).replaceAll("\\s+", " ");
    }

    private void assertSays(String sentence, Object... times) {
        var text = sentence.formatted(times);
        assertTrue(page.contains(text), text);
    }

    @Test
    void ofASilentWatch() {
        assertSays(
                "replaced after %d s without a sign of life",
                TIMING.silenceAfterBookmark().toSeconds());
        assertSays("asked after %d min of silence", TIMING.probeAfter().toMinutes());
        assertSays(
                "and %d s after the time that it was opened for (%d to %d min)",
                TIMING.watchGrace().toSeconds(),
                TIMING.watchMin().toMinutes(),
                2 * TIMING.watchMin().toMinutes());
    }

    @Test
    void ofAStreamingList() {
        assertSays(
                "broken after %d s of silence, a minute after a bookmark that is not the mark of"
                        + " its end, and %d s after the time that it was opened for",
                TIMING.initialSilence().toSeconds(), TIMING.watchGrace().toSeconds());
        assertEquals(Duration.ofMinutes(1), TIMING.initialSilence().multipliedBy(2));
    }

    @Test
    void ofACall() {
        var options = ClientOptions.of("t");
        long attempt = options.attemptDeadline().toSeconds();
        assertSays("repeats: %d s, or that of", options.callDeadline().toSeconds());
        assertSays("Each request has %d s of it with its answer", attempt);
        assertSays("but must not stop for %d s", attempt);
    }
}
