package lvms.lvm2.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.command.LvmCommands;
import lvms.tests.runner.Needs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The lvm program is judged before it is used, and killed at the deadline of a command. */
@Timeout(60)
class ExecEngineTests {
    private static final String VERSION = "echo '  LVM version:     %s (2022-05-18)'";

    private static List<String> script(String text) {
        return List.of("sh", "-c", text, "lvm");
    }

    private static ExecEngine engine(String script) {
        return new ExecEngine(script(script), Map.of(), "a test");
    }

    @Test
    @Needs("sh")
    void aVersionThatIsTooOldIsRefused() throws Exception {
        var old = engine(VERSION.formatted("2.02.98(2)"));
        var refused = assertThrows(LvmException.Unavailable.class, old::tested);
        assertTrue(
                refused.getMessage().contains("LVM 2.02.98(2) is too old, 2.02.163 is needed"),
                refused.getMessage());
        var oldest = engine(VERSION.formatted("2.02.163(2)")).tested();
        assertEquals("2.02.163(2)", oldest.status().lvmVersion());
    }

    @Test
    void aProgramThatIsNotThereOrNotLvmIsRefused() {
        var missing = new ExecEngine(List.of("/no/such/lvm"), Map.of(), "a test");
        assertThrows(LvmException.Unavailable.class, missing::tested);
        assertThrows(LvmException.Unavailable.class, engine("echo hello")::tested);
    }

    @Test
    @Needs("sh")
    void aCommandThatHangsIsKilledAtItsDeadline() {
        var hanging = engine("sleep 60");
        var deadline = Duration.ofMillis(100);
        var words = List.of("vgs");
        var read = new Command(Command.Effect.READ, words, deadline);
        assertThrows(LvmException.Unavailable.class, () -> hanging.run(read));
        var change = new Command(Command.Effect.CHANGE, words, deadline);
        assertThrows(LvmException.OutcomeUnknown.class, () -> hanging.run(change));
    }

    @Test
    @Needs("sh")
    void aCommandThatASignalEndsHasAnUnknownOutcome() {
        var change = new Command(Command.Effect.CHANGE, List.of("vgs"));
        var unknown =
                assertThrows(
                        LvmException.OutcomeUnknown.class, () -> engine("kill -9 $$").run(change));
        assertTrue(unknown.getMessage().contains("137"), unknown.getMessage());
    }

    @Test
    @Needs("sh")
    void aCommandPrefixForcesTheExecEngine() throws Exception {
        var words = script(VERSION.formatted("2.03.16(2)"));
        try (var lvm = LvmCommands.open(LvmOptions.defaults().withExecCommand(words))) {
            assertEquals(EngineStatus.Kind.EXEC, lvm.engine().kind());
            assertTrue(lvm.engine().reason().startsWith("asked for, by the words \"sh -c"));
            assertTrue(lvm.engine().reason().lines().count() == 1);
        }
    }
}
