package lvms.tests.page;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.Needs;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;

/** Blocks run as by a reader who keeps one window open, and none fails unseen. */
class TerminalTests {
    @TempDir private Path folder;
    private Terminal terminal;

    @BeforeEach
    void open() throws Exception {
        terminal = Terminal.open(folder, Map.of("FROM_OUTSIDE", "x y"));
    }

    @AfterEach
    void close() throws Exception {
        terminal.close();
    }

    private static Block block(String text, String output) {
        return new Block(Path.of("page.md"), 7, Optional.empty(), text, output);
    }

    @Test
    void variablesFolderAndJobsStay() throws Exception {
        terminal.run(block("export A=1\nmkdir d\ncd d\nsleep 60 &\n", ""));
        var printed = terminal.run(block("echo \"$A $FROM_OUTSIDE\"; pwd\nkill %1\n", "1 x y\n"));
        assertTrue(printed.contains("/d\n"), printed);
        terminal.run(block("sleep 60 &\n", ""));
        terminal.run(block("kill %1\n", ""));
    }

    @Test
    void aCommandThatFailsEndsIt() {
        var failure =
                assertThrows(
                        AssertionError.class,
                        () -> terminal.run(block("echo before\nls /none\necho after\n", "")));
        assertTrue(failure.getMessage().startsWith("page.md:7 fails with 2:"));
        assertTrue(failure.getMessage().contains("before\n"));
        assertFalse(failure.getMessage().contains("\nafter\n\n"));
    }

    @Test
    void whatHasToBeRefusedIsAFailureIfItIsNot() throws Exception {
        assertTrue(terminal.refused(block("ls /none\n", "")).contains("/none"));
        assertThrows(AssertionError.class, () -> terminal.refused(block("true\n", "")));
        assertEquals("still\n", terminal.run(block("echo still\n", "")));
    }

    @Test
    void whatThePageShowsHasToBePrinted() throws Exception {
        assertEquals("a\nb\n", terminal.run(block("echo a; echo b >&2\n", "b\n")));
        var failure =
                assertThrows(AssertionError.class, () -> terminal.run(block("echo a\n", "a\nc\n")));
        assertTrue(failure.getMessage().contains("does not print: c"), failure.getMessage());
    }

    @Test
    @Needs("script")
    void whatIsTypedIsRead() throws Exception {
        var asks = block("test -t 0 && read -r answer && echo \"said $answer\"\n", "");
        var printed = terminal.answering("yes\n", asks);
        assertTrue(printed.contains("said yes"), printed);
    }

    @Test
    void aPlaceholderHasToBeThere() {
        var block = block("kubectl get node NODE\n", "NODE Ready\n").with("NODE", "n1");
        assertEquals("kubectl get node n1\n", block.text());
        assertEquals("n1 Ready\n", block.output());
        assertThrows(AssertionError.class, () -> block.with("NODE", "n2"));
    }

    /** As {@link AllBlocksRan} asks after all tests of a class. */
    @Test
    void aBlockThatIsRunIsNoted() throws Exception {
        var block = block("true\n", "");
        assertFalse(block.isTaken());
        terminal.run(block.with("true", "echo"));
        assertTrue(block.isTaken());
    }

    @RunsBlocks("docs/release.md")
    private static final class PushTests {}

    @Test
    void blocksThatNoTestRanAreNamed() throws Exception {
        var left = AllBlocksRan.left(PushTests.class);
        assertEquals(2, left.size(), left::toString);
        assertTrue(left.getFirst().matches("docs/release.md:\\d+"), left::toString);
    }
}
