package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import lvms.lvm2.Deadlines;
import lvms.lvm2.DeviceScope;
import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.engine.Engine;
import lvms.lvm2.engine.Reply;
import lvms.lvm2.report.KnownColumns;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/** What a command's answer, or its death, means for it and for the next one. */
class CommandRunnerTests {
    private static final String EMPTY = "{\"report\": [{\"vg\": []}], \"log\": []}";
    private static final String BUSY =
            "{\"log\": [{\"log_type\":\"error\", \"log_message\":\"Can't get lock for vg.\"}]}";
    private static final List<String> CHANGE = List.of("lvextend", "-y", "vg/lv");

    /** Whoever gets a command dies of it. */
    private static final Answer DEAD =
            command -> {
                throw command.effect() == Effect.READ
                        ? new LvmException.Unavailable("killed", null)
                        : new LvmException.OutcomeUnknown("killed", null);
            };

    @TempDir Path folder;
    private final List<Command> seen = new ArrayList<>();
    private final Engine engine =
            new Engine() {
                @Override
                public Reply run(Command command) throws LvmException {
                    seen.add(command);
                    return answer.of(command);
                }

                @Override
                public EngineStatus status() {
                    return new EngineStatus(EngineStatus.Kind.WORKER, "", "2.03.16(2)");
                }

                @Override
                public void close() {}
            };

    private interface Answer {
        Reply of(Command command) throws LvmException;
    }

    private Answer answer = command -> new Reply(0, EMPTY, "");

    private CommandRunner runner() {
        var options =
                LvmOptions.defaults()
                        .withSystemDir(folder, false, false)
                        .withDeadlines(
                                new Deadlines(
                                        Duration.ofSeconds(1),
                                        Duration.ofSeconds(2),
                                        Duration.ofSeconds(3)))
                        .withTimes(Duration.ofSeconds(1), Duration.ofMillis(100));
        return new CommandRunner(
                engine,
                engine,
                options,
                new GroupLocks(),
                new KernelView(DeviceMapper.system(), false),
                ConcurrentHashMap.newKeySet(),
                new DeviceScope.Configured(),
                new KnownColumns());
    }

    private List<String> commands() {
        return seen.stream().map(command -> command.words().getFirst()).toList();
    }

    @Test
    void eachClassOfCommandsHasItsDeadline() throws Exception {
        for (var effect : Effect.values()) {
            runner().run(effect, List.of("vgs"));
        }
        assertEquals(
                List.of(Duration.ofSeconds(1), Duration.ofSeconds(2), Duration.ofSeconds(3)),
                seen.stream().map(Command::deadline).toList());
    }

    @Test
    void afterADeadChangeTheNextOneBeginsWithAReport() throws Exception {
        var runner = runner();
        answer = DEAD;
        assertThrows(LvmException.OutcomeUnknown.class, () -> runner.run(Effect.CHANGE, CHANGE));
        answer = _ -> new Reply(0, EMPTY, "");
        runner.run(Effect.CHANGE, CHANGE);
        runner.run(Effect.CHANGE, CHANGE);
        assertEquals(List.of("lvextend", "vgs", "vgs", "lvextend", "lvextend"), commands());
    }

    @Test
    void anAnsweredReportRightAfterTheDeathIsEnough() throws Exception {
        var runner = runner();
        dieOnce();
        assertThrows(LvmException.OutcomeUnknown.class, () -> runner.run(Effect.CHANGE, CHANGE));
        runner.run(Effect.CHANGE, CHANGE);
        assertEquals(List.of("lvextend", "vgs", "lvextend"), commands());
    }

    @Test
    void copiesOfTheMetadataThatTheCutMadeDifferAreBroughtUpToDate() throws Exception {
        var warning = "WARNING: Inconsistent metadata found for VG vg.";
        var logged = "{\"log_type\":\"warn\",\"log_message\":\"" + warning + "\"}";
        for (var inconsistent :
                List.of(
                        new Reply(0, EMPTY.replace("\"log\": []", "\"log\": [" + logged + "]"), ""),
                        new Reply(0, EMPTY, "  " + warning + "\n"))) {
            seen.clear();
            dieOnce();
            var later = answer;
            answer =
                    command ->
                            command.words().getFirst().equals("vgs")
                                    ? inconsistent
                                    : later.of(command);
            assertThrows(
                    LvmException.OutcomeUnknown.class, () -> runner().run(Effect.CHANGE, CHANGE));
            assertEquals(List.of("lvextend", "vgs", "vgck"), commands());
            assertEquals(List.of("vgck", "--updatemetadata", "vg"), seen.getLast().words());
        }
    }

    private void dieOnce() {
        var dead = new AtomicBoolean();
        answer =
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
        answer = DEAD;
        assertThrows(LvmException.OutcomeUnknown.class, () -> runner.run(Effect.CHANGE, CHANGE));
        seen.clear();
        answer =
                _ -> {
                    throw new LvmException.Unavailable("no answer", null);
                };
        assertThrows(LvmException.Unavailable.class, () -> runner.run(Effect.CHANGE, CHANGE));
        assertThrows(LvmException.Unavailable.class, () -> runner.run(Effect.CHANGE, CHANGE));
        assertEquals(List.of("vgs", "vgs"), commands());
    }

    @Test
    void theReportIsOfTheDevicesThatTheDeadChangeSaw() throws Exception {
        var runner = runner().within(DeviceScope.only(List.of(Path.of("/dev/sdb"))));
        answer = DEAD;
        assertThrows(LvmException.OutcomeUnknown.class, () -> runner.run(Effect.CHANGE, CHANGE));
        answer = _ -> new Reply(0, EMPTY, "");
        runner().run(Effect.CHANGE, CHANGE);
        runner.run(Effect.READ, List.of("lvs"));
        runner.run(Effect.CHANGE, CHANGE);
        assertEquals(List.of("lvextend", "vgs", "lvextend", "lvs", "vgs", "lvextend"), commands());
        assertEquals("/dev/sdb", seen.get(4).words().get(2));
    }

    @Test
    void aReportThatIsCutShortIsNoReport() {
        for (int length : List.of(0, 1, 12, 30, EMPTY.length() - 1)) {
            answer = _ -> new Reply(0, EMPTY.substring(0, length), "");
            assertThrows(
                    LvmException.Unavailable.class,
                    () -> runner().report("vgs", "vg_name", List.of()),
                    "the first " + length + " characters");
        }
    }

    @Test
    void aChangeCountsAsItsStatusSaysEvenIfItsLogIsCutShort() throws Exception {
        answer = _ -> new Reply(0, "{\"log\": [{", "");
        runner().run(Effect.CHANGE, CHANGE);
        answer = _ -> new Reply(5, "{\"log\": [{", "  Insufficient free space: 1 extents needed\n");
        assertThrows(LvmException.OutOfSpace.class, () -> runner().run(Effect.CHANGE, CHANGE));
    }

    @Test
    void aLockIsAskedForAgainOnlySoLong() {
        answer = _ -> new Reply(5, BUSY, "");
        assertThrows(LvmException.LockBusy.class, () -> runner().run(Effect.CHANGE, CHANGE));
        assertEquals(true, seen.size() > 1 && seen.size() < 12, "asked " + seen.size() + " times");
    }

    @Test
    void aCommandThatFailsWithoutAWordLostItsLockAndIsMadeAgain() throws Exception {
        var silent = new Reply(5, "", "  WARNING: something else.\n");
        answer = _ -> seen.size() == 1 ? silent : new Reply(0, EMPTY, "");
        runner().run(Effect.CHANGE, CHANGE);
        assertEquals(List.of("lvextend", "lvextend"), commands());
        answer = _ -> seen.size() == 3 ? silent : new Reply(5, BUSY, "");
        assertThrows(LvmException.LockBusy.class, () -> runner().run(Effect.CHANGE, CHANGE));
        answer = _ -> silent;
        assertThrows(LvmException.CommandFailed.class, () -> runner().run(Effect.CHANGE, CHANGE));
    }

    @Test
    void aCommandThatSaidSomethingWasUnderWayAndIsNotMadeAgain() {
        answer = _ -> new Reply(5, EMPTY, "");
        assertThrows(LvmException.CommandFailed.class, () -> runner().run(Effect.CHANGE, CHANGE));
        assertEquals(1, seen.size());
    }
}
