package lvms.lvm2.command;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvmOptions;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Map;

/** Workers do without asynchronous I/O wherever a machine's or a host's configuration counts. */
class OpeningTests {
    private static boolean synchronous(LvmOptions options) {
        return Opening.launch(options, Map.of()).synchronous();
    }

    @Test
    void workersDoWithoutAsynchronousIoUnlessTheirUserWantsIt() {
        var machine = LvmOptions.defaults();
        assertTrue(synchronous(machine));
        assertTrue(synchronous(machine.withHost(1)));
        assertFalse(synchronous(machine.withConfiguredIo()));
        assertFalse(synchronous(machine.withConfiguredIo().withHost(1)));
        assertFalse(synchronous(machine.withSystemDir(Path.of("/tmp/lvm"), false, false)));
    }
}
