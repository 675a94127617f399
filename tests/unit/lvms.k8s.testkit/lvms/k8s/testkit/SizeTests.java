package lvms.k8s.testkit;

import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** The API server in memory does not grow. */
class SizeTests {
    private static final Path SOURCES = Path.of("tests/lvms.k8s.testkit");

    /** 200 more than at first: faults count what they met, and a backup brings older objects. */
    private static final int LINES = 15_300;

    @Test
    void staysBelowItsCeiling() throws Exception {
        long lines = sources().stream().mapToLong(SizeTests::lines).sum();
        assertTrue(
                lines <= LINES,
                () ->
                        "tests/lvms.k8s.testkit has %d lines and may have %d: take away what nothing"
                                        .formatted(lines, LINES)
                                + " needs, or test this on the real API server"
                                + " (docs/adr/0017-an-api-server-in-memory.md)");
    }

    private static List<Path> sources() throws IOException {
        try (Stream<Path> files = Files.walk(SOURCES)) {
            return files.filter(file -> file.toString().endsWith(".java")).toList();
        }
    }

    private static long lines(Path file) {
        try (var lines = Files.lines(file)) {
            return lines.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
