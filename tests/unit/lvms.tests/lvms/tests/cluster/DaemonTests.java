package lvms.tests.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.Await;
import lvms.tests.runner.Needs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A program in the background is at hand while its JVM runs, and never outlives it. */
@Timeout(60)
@Needs("sh")
class DaemonTests {
    private static final List<String> PROGRAM = List.of("sh", "-c", "echo pid $$; sleep 1000");

    @TempDir private Path folder;

    /** The JVM that is killed. */
    static final class Owner {
        private Owner() {}

        /** Starts the program with its output in the file given, and stays. */
        public static void main(String[] args) throws Exception {
            Daemon.start(PROGRAM, Path.of(args[0]));
            System.in.read();
        }
    }

    @Test
    void endsWhenItsOwnerIsKilled() throws Exception {
        var log = folder.resolve("log");
        var owner =
                new ProcessBuilder(
                                Path.of(System.getProperty("java.home"), "bin/java").toString(),
                                "-cp",
                                System.getProperty("java.class.path"),
                                Owner.class.getName(),
                                log.toString())
                        .start();
        var program = ProcessHandle.of(announced(log)).orElseThrow();
        owner.destroyForcibly().waitFor();
        Await.until("the program is gone", () -> !program.isAlive());
    }

    @Test
    void isStartedAgainWithTheSameLog() throws Exception {
        var log = folder.resolve("log");
        try (var daemon = Daemon.start(PROGRAM, log)) {
            announced(log);
            daemon.kill();
            assertFalse(daemon.runs());
            assertThrows(IOException.class, () -> daemon.signal("CONT"));
            daemon.start();
            assertTrue(daemon.runs());
            Await.until("both have spoken", () -> lines(log).size() == 2);
        }
    }

    @Test
    void oneThatEndsByItselfIsSeen() throws Exception {
        var log = folder.resolve("log");
        try (var daemon = Daemon.start(List.of("echo", "done"), log)) {
            Await.until("it has ended", () -> !daemon.runs());
            assertEquals(List.of("done"), lines(log));
        }
    }

    private static long announced(Path log) {
        Await.until("the program speaks", () -> !lines(log).isEmpty());
        return Long.parseLong(lines(log).getFirst().substring("pid ".length()));
    }

    private static List<String> lines(Path log) {
        try {
            return Files.exists(log) ? Files.readAllLines(log) : List.of();
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
