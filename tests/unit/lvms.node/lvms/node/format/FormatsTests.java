package lvms.node.format;

import static lvms.api.CodeAssertions.assertCode;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.StatusCode;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

/** Of a volume whose filesystem was begun and is not whole, no copy is taken. */
@Safety(43)
@Timeout(20)
class FormatsTests {
    private static final List<String> V = List.of("v");
    private static final List<String> BOTH = List.of("w", "v");

    @TempDir Path temp;
    private Formats formats;
    private final List<String> ended = new CopyOnWriteArrayList<>();

    @BeforeEach
    void begin() {
        formats = process();
    }

    /** Another process on the same machine. */
    private Formats process() {
        var process = Formats.notedIn(temp.resolve("notes/formats"), Duration.ofMillis(50));
        process.onEnd(ended::add);
        return process;
    }

    private static void requireCopied(Formats formats, List<String> sources) throws Exception {
        formats.copying(sources).close();
    }

    private static String refusal(Formats formats, List<String> sources) {
        return assertThrows(BeingFormatted.class, () -> formats.copying(sources)).getMessage();
    }

    private static void make(Formats formats, Formats.Format.Work mkfs) throws Exception {
        try (var format = formats.begin("v")) {
            format.make(mkfs);
        }
    }

    private static void fail(Formats formats) {
        var failure =
                assertThrows(
                        IOException.class,
                        () ->
                                make(
                                        formats,
                                        () -> {
                                            throw new IOException("killed");
                                        }));
        assertEquals("killed", failure.getMessage());
    }

    @Test
    void noCopyIsTakenWhileMkfsRuns() throws Exception {
        make(
                formats,
                () -> {
                    assertEquals(
                            "the filesystem of volume v is being made; it is copied after that",
                            refusal(formats, V));
                    assertEquals(refusal(formats, V), refusal(formats, BOTH));
                });
        assertEquals(V, ended);
        requireCopied(formats, BOTH);
        requireCopied(process(), BOTH);
    }

    @Test
    void aCopyThatIsRefusedKeepsNoFilesystemFromBeingMade() throws Exception {
        try (var other = formats.begin("w")) {
            refusal(formats, BOTH);
            make(formats, () -> {});
            other.make(() -> {});
        }
        fail(formats);
        refusal(formats, BOTH);
        formats.begin("w").close();
    }

    @Test
    void afterAMkfsThatWasCutShortNoCopyIsTakenUntilTheFilesystemIsWhole() throws Exception {
        fail(formats);
        assertTrue(refusal(formats, V).contains("cut short; it is made again when a pod uses"));
        var next = process();
        assertEquals(refusal(formats, V), refusal(next, BOTH));
        ended.clear();

        make(next, () -> assertTrue(refusal(next, V).contains("is being made")));
        assertEquals(V, ended);
        requireCopied(next, V);
    }

    @Test
    void aNoteAboutAVolumeThatIsWholeOrGoneIsForgotten() throws Exception {
        fail(formats);
        ended.clear();
        formats.whole("v");
        assertEquals(V, ended, "copies wait for it");
        requireCopied(formats, V);
        formats.whole("v");
        assertEquals(V, ended, "nothing has changed");

        fail(formats);
        formats.gone("v");
        requireCopied(formats, V);
        formats.gone("");
        formats.gone("..");
        assertTrue(Files.isDirectory(temp.resolve("notes/formats")));
    }

    @Test
    void aFilesystemWaitsForTheCopiesOfItsVolume() throws Exception {
        var first = formats.copying(V);
        var second = formats.copying(BOTH);
        assertCode(StatusCode.ABORTED, () -> formats.begin("v"));
        second.close();
        formats.begin("w").close();
        assertCode(StatusCode.ABORTED, () -> formats.begin("v"));
        first.close();
        formats.begin("v").close();
    }

    @Test
    void itIsMadeOnceTheLastCopyIsTaken() throws Exception {
        var patient = Formats.notedIn(temp, Duration.ofMinutes(1));
        var copying = patient.copying(V);
        var made = new CompletableFuture<Boolean>();
        var mkfs =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    try {
                                        make(patient, () -> made.complete(true));
                                    } catch (Exception e) {
                                        made.completeExceptionally(e);
                                    }
                                });
        while (mkfs.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        assertFalse(made.isDone());
        copying.close();
        assertTrue(made.get());
        mkfs.join();
    }

    /** Else a machine that loses its power would not know of it. */
    @Test
    void aFilesystemThatCannotBeNotedIsNotMade() throws Exception {
        Files.createFile(temp.resolve("notes"));
        var made = new CompletableFuture<Boolean>();
        assertThrows(IOException.class, () -> make(formats, () -> made.complete(true)));
        assertFalse(made.isDone());
    }
}
