package lvms.lvm2.command;

import static lvms.lvm2.command.ScriptedEngine.CHANGE;
import static lvms.lvm2.command.ScriptedEngine.EMPTY;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.lvm2.DeviceScope;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.engine.Reply;
import lvms.lvm2.lock.GroupLocks;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** What the death of a command means for the next one. */
class MendingRunnerTests {
    private static final String WITHOUT_LOG = "log/report_command_log=0";

    /** Whoever gets a command dies of it. */
    private static final ScriptedEngine.Answer DEAD =
            command -> {
                throw command.effect() == Effect.READ
                        ? new LvmException.Unavailable("killed", null)
                        : new LvmException.OutcomeUnknown("killed", null);
            };

    @TempDir Path folder;
    private final ScriptedEngine engine = new ScriptedEngine();

    private MendingRunner runner() {
        var commands = engine.runner(folder);
        var kernel = new KernelView(DeviceMapper.system(), false);
        var mending = new Mending(commands, kernel, ConcurrentHashMap.newKeySet());
        return new MendingRunner(commands, mending, new GroupLocks(Duration.ofSeconds(30)));
    }

    @Test
    void afterADeadChangeTheNextOneBeginsWithAReport() throws Exception {
        var runner = runner();
        engine.answer = DEAD;
        assertThrows(LvmException.OutcomeUnknown.class, () -> runner.run(Effect.CHANGE, CHANGE));
        engine.answer = _ -> new Reply(0, EMPTY, "");
        runner.run(Effect.CHANGE, CHANGE);
        runner.run(Effect.CHANGE, CHANGE);
        assertEquals(List.of("lvextend", "vgs", "vgs", "lvextend", "lvextend"), engine.commands());
    }

    @Test
    void anAnsweredReportRightAfterTheDeathIsEnough() throws Exception {
        var runner = runner();
        dieOnce();
        assertThrows(LvmException.OutcomeUnknown.class, () -> runner.run(Effect.CHANGE, CHANGE));
        runner.run(Effect.CHANGE, CHANGE);
        assertEquals(List.of("lvextend", "vgs", "lvextend"), engine.commands());
    }

    @Test
    void copiesOfTheMetadataThatTheCutMadeDifferAreBroughtUpToDate() throws Exception {
        var warning = "WARNING: Inconsistent metadata found for VG vg.";
        var logged = "{\"log_type\":\"warn\",\"log_message\":\"" + warning + "\"}";
        for (var inconsistent :
                List.of(
                        new Reply(0, EMPTY.replace("\"log\": []", "\"log\": [" + logged + "]"), ""),
                        new Reply(0, EMPTY, "  " + warning + "\n"))) {
            engine.seen.clear();
            dieOnce();
            var later = engine.answer;
            engine.answer =
                    command ->
                            command.words().getFirst().equals("vgs")
                                    ? inconsistent
                                    : later.of(command);
            assertThrows(
                    LvmException.OutcomeUnknown.class, () -> runner().run(Effect.CHANGE, CHANGE));
            assertEquals(List.of("lvextend", "vgs", "vgck"), engine.commands());
            assertEquals(
                    List.of("vgck", "--config", WITHOUT_LOG, "--updatemetadata", "vg"),
                    engine.seen.getLast().words());
        }
    }

    /** Whoever changes another group cannot say what state this one is in. */
    @Safety(11)
    @Test
    void aReportAboutAnotherGroupClearsNoDoubtAboutThisOne() throws Exception {
        var runner = runner();
        engine.answer = DEAD;
        assertThrows(LvmException.OutcomeUnknown.class, () -> runner.run(Effect.CHANGE, CHANGE));
        engine.seen.clear();
        engine.answer = _ -> new Reply(0, EMPTY, "");
        runner.run(Effect.CHANGE, List.of("lvextend", "-y", "other/lv"));
        runner.run(Effect.CHANGE, List.of("lvextend", "-y", "vg/another"));
        runner.run(Effect.CHANGE, CHANGE);
        assertEquals(List.of("lvextend", "vgs", "lvextend", "lvextend"), engine.commands());
    }

    private void dieOnce() {
        var dead = new AtomicBoolean();
        engine.answer =
                _ -> {
                    if (dead.compareAndSet(false, true)) {
                        throw new LvmException.OutcomeUnknown("killed", null);
                    }
                    return new Reply(0, EMPTY, "");
                };
    }

    @Test
    void nothingIsChangedWhileThatReportCannotBeHad() throws Exception {
        var runner = runner();
        engine.answer = DEAD;
        assertThrows(LvmException.OutcomeUnknown.class, () -> runner.run(Effect.CHANGE, CHANGE));
        engine.seen.clear();
        engine.answer =
                _ -> {
                    throw new LvmException.Unavailable("no answer", null);
                };
        assertThrows(LvmException.Unavailable.class, () -> runner.run(Effect.CHANGE, CHANGE));
        assertThrows(LvmException.Unavailable.class, () -> runner.run(Effect.CHANGE, CHANGE));
        assertEquals(List.of("vgs", "vgs"), engine.commands());
    }

    @Test
    void theReportIsOfTheDevicesThatTheDeadChangeSaw() throws Exception {
        var runner = runner().within(DeviceScope.only(List.of(Path.of("/dev/sdb"))));
        engine.answer = DEAD;
        assertThrows(LvmException.OutcomeUnknown.class, () -> runner.run(Effect.CHANGE, CHANGE));
        engine.answer = _ -> new Reply(0, EMPTY, "");
        runner().run(Effect.CHANGE, CHANGE);
        runner.run(Effect.READ, List.of("lvs"));
        runner.run(Effect.CHANGE, CHANGE);
        assertEquals(
                List.of("lvextend", "vgs", "lvextend", "lvs", "vgs", "lvextend"),
                engine.commands());
        assertEquals("/dev/sdb", engine.seen.get(4).words().get(2));
    }

    @Safety(11)
    @Test
    void aCureWhoseProcessIsKilledIsMadeAgain() throws Exception {
        var warning = "  WARNING: Inconsistent metadata found for VG vg.\n";
        var dead = new AtomicBoolean();
        engine.answer =
                command -> {
                    boolean cure = command.words().getFirst().equals("vgck");
                    if (cure && dead.compareAndSet(false, true)) {
                        throw new LvmException.OutcomeUnknown("killed", null);
                    }
                    return new Reply(0, EMPTY, cure ? "" : warning);
                };
        runner().mending().mend("vg", Set.of());
        assertEquals(List.of("vgs", "vgck", "vgck"), engine.commands());
    }

    @Test
    void aLookForWhatToMendThatIsKilledIsMadeAgain() throws Exception {
        var dead = new AtomicBoolean();
        engine.answer =
                _ -> {
                    if (dead.compareAndSet(false, true)) {
                        throw new LvmException.Unavailable("killed", null);
                    }
                    return new Reply(0, EMPTY, "");
                };
        runner().mending().mend("vg", Set.of());
        assertEquals(List.of("vgs", "vgs"), engine.commands());
    }
}
