package lvms.tests.runner;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What pieces of the long run have shown is added up, and what is missing is named. */
@Timeout(60)
class PiecesTests {
    @TempDir Path cache;
    private Path pieces;

    /** What a command printed, and its status. */
    private record Said(int status, List<String> lines) {}

    @BeforeEach
    void ofTheCommit() throws Exception {
        assumeTrue(Files.exists(Path.of(".git")), "needs the repository");
        var commit = said("git", "rev-parse", "HEAD").lines().getFirst();
        pieces = Files.createDirectories(cache.resolve("ci").resolve(commit));
    }

    private Said said(String... command) throws Exception {
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        builder.environment().put("LVMS_CACHE", cache.toString());
        var process = builder.start();
        var lines = new String(process.getInputStream().readAllBytes()).lines().toList();
        return new Said(process.waitFor(), lines);
    }

    private Said summary() throws Exception {
        return said(".ci/run", "--full", "--summary");
    }

    private void piece(String name, String... results) throws Exception {
        var folder = Files.createDirectories(pieces.resolve(name));
        var parts = new StringBuilder();
        for (var result : results) {
            var words = result.split(" ", 2);
            parts.append(words[0]).append('\n');
            if (words.length == 2) {
                Files.writeString(folder.resolve(words[0] + ".result"), result + "\n");
            }
        }
        Files.writeString(folder.resolve("parts"), parts);
    }

    @Test
    void allPiecesTogetherPass() throws Exception {
        piece("1-of-2", "tests 100 0 600 90", "lint 1 0 40 60");
        piece("2-of-2", "tests 110 0 640 91");
        var said = summary();
        assertEquals(0, said.status(), said::toString);
        assertEquals("211 passed, 0 failed", said.lines().getLast());
        assertTrue(said.lines().stream().anyMatch(line -> line.matches("lint 1/2 +1 +0 +40 +60")));
    }

    @Test
    void aPieceThatDidNotRunAndAPartThatDidNotEndAreNamed() throws Exception {
        piece("1-of-3", "tests 100 0 600 90", "lab");
        piece("3-of-3", "tests 90 2 700 90");
        var said = summary();
        assertEquals(1, said.status());
        var missing = said.lines().stream().filter(line -> line.startsWith("missing: ")).toList();
        assertEquals(List.of("missing: lab 1/3", "missing: piece 2/3"), missing);
        assertEquals("190 passed, 3 failed", said.lines().getLast());
    }

    @Test
    void withoutAnyPieceThatIsSaid() throws Exception {
        var said = summary();
        assertEquals(1, said.status());
        assertTrue(said.lines().getFirst().startsWith("no piece of .ci/run --full has run for "));
        assertEquals("0 passed, 0 failed", said.lines().getLast());
    }

    @Test
    void whatItDoesNotKnowIsRefused() throws Exception {
        for (var words :
                List.of("--part 1/2", "--full --part 3/2", "--full --part 0/2", "--fast")) {
            var command = new ArrayList<>(List.of(".ci/run"));
            command.addAll(List.of(words.split(" ")));
            assertEquals(2, said(command.toArray(String[]::new)).status(), words);
        }
    }
}
