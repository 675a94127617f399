package lvms.node;

import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.system.Program;

import java.time.Duration;

/** Command lines that a test runs on its lab node, as a person at the node would. */
public final class GuestShell {
    private GuestShell() {}

    /** Returns what a script printed; fails if the script does, or lasts longer than a minute. */
    public static String sh(String script) throws Exception {
        var result = Program.of(Duration.ofMinutes(1), "sh", "-c", script).run();
        assertTrue(result.succeeded(), script + ": " + result.stderr());
        return result.stdout().strip();
    }
}
