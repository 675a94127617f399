package lvms.node.lvmd;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** lvmd, and the commands for people, on a real device-mapper: both guests in one lab node. */
@Lasts(seconds = 60)
@FullOnly("LvmdSocketTests have its calls on loop devices")
class LvmdLabTests {
    private static final long MIB = 1L << 20;
    private static final Duration DEADLINE = Duration.ofMinutes(4);

    @TempDir static Path folder;

    @Test
    void servesRealVolumes() throws Exception {
        try (var lab = Lab.inFolder(folder)) {
            var node = lab.add(NodeOptions.named("lvmd", List.of(512 * MIB, 512 * MIB)));
            node.boot();
            var guests = List.of("lvms.node.lvmd.LvmdGuest", "lvms.node.doctor.DoctorGuest");
            LabJvm.heap(256).test(node, DEADLINE, guests.toArray(String[]::new));
        }
    }
}
