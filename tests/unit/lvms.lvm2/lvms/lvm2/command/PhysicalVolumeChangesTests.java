package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.engine.Reply;
import lvms.lvm2.lock.GroupLocks;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;

/** The devices file of a host forgets a physical volume that is gone, if there is such a file. */
class PhysicalVolumeChangesTests {
    private static final String UUID = "cHSz3c-ixqs-S5ZI-zyG7-NGcy-CZl8-Ncx0sB";

    @TempDir Path folder;
    private final ScriptedEngine engine = new ScriptedEngine();

    private PhysicalVolumeChanges volumes() {
        var commands = engine.runner(folder);
        var kernel = new KernelView(DeviceMapper.system(), false);
        var mending = new Mending(commands, kernel, ConcurrentHashMap.newKeySet());
        var runner = new MendingRunner(commands, mending, new GroupLocks(Duration.ofSeconds(30)));
        return new PhysicalVolumeChanges(runner);
    }

    /** What LVM says and ends with was seen of 2.03.16; an older one has no such command. */
    @ParameterizedTest
    @CsvSource({
        "0, ''",
        "5, Devices file not enabled.",
        "5, PVID not found in devices file.",
        "2, No such command.  Try 'lvm help'."
    })
    void whatTheFileDoesNotListIsForgotten(int status, String error) throws Exception {
        engine.answer = _ -> new Reply(status, "", "  " + error + "\n");
        volumes().forget(UUID);
        var words = engine.seen.getFirst().words();
        assertEquals("lvmdevices", words.getFirst());
        assertEquals(List.of("--delpvid", UUID), words.subList(words.size() - 2, words.size()));
    }

    @ParameterizedTest
    @ValueSource(ints = {3, 4})
    void everyOtherFailureIsTold(int status) {
        engine.answer = _ -> new Reply(status, "", "  Internal error.\n");
        var failure = assertThrows(LvmException.class, () -> volumes().forget(UUID));
        assertTrue(
                failure.getMessage().endsWith("Internal error. (status " + status + ")"),
                failure.getMessage());
    }

    @Test
    void aFileThatCannotBeReadIsTold() {
        engine.answer =
                _ -> {
                    throw new LvmException.OutcomeUnknown("killed", null);
                };
        assertThrows(LvmException.OutcomeUnknown.class, () -> volumes().forget(UUID));
    }
}
