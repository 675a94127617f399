package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.AllocationPolicy;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolumes.Tuning;
import lvms.lvm2.LogicalVolumes.Tuning.ReadAhead;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.engine.Command;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.engine.Reply;
import lvms.lvm2.lock.GroupLocks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Metadata and kernel say the same of a read-ahead, whenever the change was cut. */
class TuningChangesTests {
    private static final String UUID = "abcdef-0000-0000-0000-0000-0000-000001";
    private static final Identity<LvName> VOLUME = new Identity<>(new LvName("vg", "lv"), UUID);
    private static final Tuning MIB =
            new Tuning(Optional.of(ReadAhead.ofBytes(1 << 20)), Optional.empty());

    @TempDir private Path folder;
    private final ScriptedEngine engine = new ScriptedEngine();

    private TuningChanges changes() {
        var commands = engine.runner(folder);
        var kernel = new KernelView(DeviceMapper.system(), false);
        var mending = new Mending(commands, kernel, ConcurrentHashMap.newKeySet());
        var locks = new GroupLocks(Duration.ofSeconds(30));
        var runner = new MendingRunner(commands, mending, locks);
        return new TuningChanges(runner, runner.reads());
    }

    private static Reply row(String metadata, String kernel) {
        var row =
                "{\"lv_uuid\":\"%s\",\"lv_attr\":\"-wi-a-----\",\"lv_read_ahead\":\"%s\","
                        + "\"lv_kernel_read_ahead\":\"%s\"}";
        return new Reply(
                0,
                "{\"report\": [{\"lv\": ["
                        + row.formatted(UUID, metadata, kernel)
                        + "]}],"
                        + " \"log\": []}",
                "");
    }

    private List<List<String>> changesMade() {
        return engine.seen.stream()
                .filter(command -> command.effect() != Effect.READ)
                .map(Command::words)
                .toList();
    }

    /** The metadata are written, and the worker dies before it comes to the kernel. */
    @Test
    void aRetryTellsTheKernelWhatACutChangeDidNot() throws Exception {
        var changes = changes();
        engine.answer =
                command -> {
                    if (command.effect() != Effect.READ) {
                        throw new LvmException.OutcomeUnknown("killed", null);
                    }
                    return row("auto", "131072");
                };
        assertThrows(LvmException.OutcomeUnknown.class, () -> changes.change(VOLUME, MIB));
        engine.seen.clear();
        engine.answer =
                command ->
                        command.words().getFirst().equals("lvs")
                                ? row("1048576", changesMade().isEmpty() ? "131072" : "1048576")
                                : new Reply(0, ScriptedEngine.EMPTY, "");
        assertEquals(MIB.readAhead(), changes.change(VOLUME, MIB).readAhead());
        var made = changesMade();
        assertEquals(1, made.size(), made.toString());
        assertTrue(made.getFirst().contains("--refresh"), made.toString());
        assertTrue(made.getFirst().contains("lv_uuid=" + UUID), made.toString());
        changes.change(VOLUME, MIB);
        assertEquals(1, changesMade().size(), "once it is told, nothing is left to do");
    }

    @ParameterizedTest(name = "metadata {0}, kernel {1}: refreshed {2}")
    @CsvSource({
        "1048576, 1048576, false",
        "1048576, 131072, true",
        "1048576, 0, true",
        "0, 131072, true",
        "0, 0, false",
        "1048576, '', false",
        "1048576, -1, false",
        "auto, 131072, false",
        "auto, 4194304, false",
        "auto, 0, true",
        "auto, '', false",
    })
    void onlyAKernelThatIsBehindIsTold(String metadata, String kernel, boolean told)
            throws Exception {
        var ahead =
                metadata.equals("auto")
                        ? ReadAhead.AUTO
                        : ReadAhead.ofBytes(Long.parseLong(metadata));
        engine.answer =
                command ->
                        command.words().getFirst().equals("lvs")
                                ? row(metadata, kernel)
                                : new Reply(0, ScriptedEngine.EMPTY, "");
        changes().change(VOLUME, new Tuning(Optional.of(ahead), Optional.empty()));
        assertEquals(told ? 1 : 0, changesMade().size(), changesMade().toString());
    }

    @Test
    void whoAsksForNoReadAheadGetsNoRefresh() throws Exception {
        engine.answer = _ -> row("1048576", "131072");
        changes()
                .change(
                        VOLUME,
                        new Tuning(Optional.empty(), Optional.of(AllocationPolicy.INHERIT)));
        assertEquals(List.of(), changesMade());
    }
}
