package lvms.lvm2.system;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.Needs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeoutException;

/** A program gets its words as they are, and ends with its deadline, children and all. */
@Timeout(30)
class ProgramTests {
    private static final Duration LONG = Duration.ofSeconds(20);

    @Test
    @Needs("sh")
    void givesStatusAndBothOutputs() throws Exception {
        var result = Program.of(LONG, "sh", "-c", "echo out; echo err >&2; exit 3").run();
        assertEquals(new Program.Result(3, "out\n", "err\n"), result);
        assertFalse(result.succeeded());
    }

    @Test
    void wordsAreNotReadByAShell() throws Exception {
        var result = Program.of(LONG, "printf", "%s|", "a b", "$HOME", "'", "").run();
        assertEquals("a b|$HOME|'||", result.stdout());
    }

    @Test
    @Needs("sh")
    void standardInputIsEmptyAndTheLocaleIsC() throws Exception {
        assertEquals("C", Program.of(LONG, "sh", "-c", "cat; printf $LC_ALL").run().stdout());
    }

    @Test
    @Needs("sh")
    void muchOutputIsCutAndBlocksNobody() throws Exception {
        var program =
                new Program(
                        List.of("sh", "-c", "head -c 1000000 /dev/zero | tr '\\0' x; echo e >&2"),
                        LONG,
                        100,
                        Map.of());
        var result = program.run();
        assertEquals("x".repeat(100), result.stdout());
        assertEquals("e\n", result.stderr());
    }

    @Test
    @Needs("sh")
    void atTheDeadlineItsChildrenEndToo(@TempDir Path folder) throws Exception {
        var pid = folder.resolve("pid");
        var script = "sleep 1000 & echo $! >" + pid + "; wait";
        var program = Program.of(Duration.ofMillis(500), "sh", "-c", script);
        assertThrows(TimeoutException.class, program::run);
        long child = Long.parseLong(Files.readString(pid).strip());
        var handle = ProcessHandle.of(child);
        handle.ifPresent(process -> process.onExit().join());
        assertFalse(ProcessHandle.of(child).map(ProcessHandle::isAlive).orElse(false));
    }

    @Test
    void aProgramThatIsMissingIsAnError() {
        var program = Program.of(LONG, "/no/such/program");
        var failure = assertThrows(IOException.class, program::run);
        assertTrue(failure.getMessage().contains("/no/such/program"));
    }
}
