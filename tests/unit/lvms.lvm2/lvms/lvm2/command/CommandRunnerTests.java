package lvms.lvm2.command;

import static lvms.lvm2.command.ScriptedEngine.CHANGE;
import static lvms.lvm2.command.ScriptedEngine.EMPTY;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.lvm2.LvmException;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.engine.Reply;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** What a command's answer means. */
class CommandRunnerTests {
    private static final String BUSY =
            "{\"log\": [{\"log_type\":\"error\", \"log_message\":\"Can't get lock for vg.\"}]}";

    @TempDir Path folder;
    private final ScriptedEngine engine = new ScriptedEngine();

    private CommandRunner runner() {
        return engine.runner(folder);
    }

    @Test
    void eachClassOfCommandsHasItsDeadline() throws Exception {
        for (var effect : Effect.values()) {
            runner().run(effect, List.of("vgs"));
        }
        assertEquals(
                List.of(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3)),
                engine.seen.stream().map(Command::deadline).toList());
    }

    @Test
    void aReportThatIsCutShortIsNoReport() {
        for (int length : List.of(0, 1, 12, 30, EMPTY.length() - 1)) {
            engine.answer = _ -> new Reply(0, EMPTY.substring(0, length), "");
            assertThrows(
                    LvmException.Unavailable.class,
                    () -> runner().report("vgs", "vg_name", List.of()),
                    "the first " + length + " characters");
        }
    }

    @Test
    void aChangeCountsAsItsStatusSaysEvenIfItsLogIsCutShort() throws Exception {
        engine.answer = _ -> new Reply(0, "{\"log\": [{", "");
        runner().run(Effect.CHANGE, CHANGE);
        engine.answer =
                _ -> new Reply(5, "{\"log\": [{", "  Insufficient free space: 1 extents needed\n");
        assertThrows(LvmException.OutOfSpace.class, () -> runner().run(Effect.CHANGE, CHANGE));
    }

    @Test
    void aLockIsAskedForAgainOnlySoLong() {
        engine.answer = _ -> new Reply(5, BUSY, "");
        assertThrows(LvmException.LockBusy.class, () -> runner().run(Effect.CHANGE, CHANGE));
        assertEquals(
                true,
                engine.seen.size() > 1 && engine.seen.size() < 12,
                "asked " + engine.seen.size() + " times");
    }

    @Test
    void aCommandThatFailsWithoutAWordLostItsLockAndIsMadeAgain() throws Exception {
        var silent = new Reply(5, "", "  WARNING: something else.\n");
        engine.answer = _ -> engine.seen.size() == 1 ? silent : new Reply(0, EMPTY, "");
        runner().run(Effect.CHANGE, CHANGE);
        assertEquals(List.of("lvextend", "lvextend"), engine.commands());
        engine.answer = _ -> engine.seen.size() == 3 ? silent : new Reply(5, BUSY, "");
        assertThrows(LvmException.LockBusy.class, () -> runner().run(Effect.CHANGE, CHANGE));
        engine.answer = _ -> silent;
        assertThrows(LvmException.CommandFailed.class, () -> runner().run(Effect.CHANGE, CHANGE));
    }

    /** What each kind of command prints was seen of LVM 2.03.16. */
    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "READ|{\"report\": [{\"vg\": []}], \"log\": []}",
                "CHANGE|``",
                "CHANGE|{\"log\": [{\"log_type\":\"print\", \"log_message\":"
                        + "\"0 physical volumes changed / 0 physical volumes not changed\"}]}",
                "CHANGE|{\"log\": [{\"log_type\":\"print\", \"log_message\":\"0 physical volume(s)"
                        + " resized or updated / 0 physical volume(s) not resized\"}]}"
            })
    void theProgramAddsItsStatusToASilentFailure(Effect effect, String stdout) throws Exception {
        var silent = new Reply(5, stdout, "  Command failed with status code 5.\n");
        engine.answer = _ -> engine.seen.size() == 1 ? silent : new Reply(0, EMPTY, "");
        runner().run(effect, CHANGE);
        assertEquals(2, engine.seen.size());
    }

    @Test
    void aChangeThatCountedAVolumeIsNotMadeAgain() {
        var log =
                "{\"log\": [{\"log_type\":\"print\", \"log_message\":"
                        + "\"1 physical volume changed / 0 physical volumes not changed\"}]}";
        engine.answer = _ -> new Reply(5, log, "  Command failed with status code 5.\n");
        assertThrows(LvmException.CommandFailed.class, () -> runner().run(Effect.CHANGE, CHANGE));
        assertEquals(1, engine.seen.size());
    }

    @Test
    void aCommandThatSaidSomethingWasUnderWayAndIsNotMadeAgain() {
        engine.answer = _ -> new Reply(5, EMPTY, "");
        assertThrows(LvmException.CommandFailed.class, () -> runner().run(Effect.CHANGE, CHANGE));
        assertEquals(1, engine.seen.size());
    }
}
