package lvms.node.vgmanager;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** RAID on a real device-mapper: {@link RaidGuest} runs on a node and asserts there. */
@Lasts(seconds = 70)
class RaidLabTests {
    private static final Duration DEADLINE = Duration.ofMinutes(8);

    @TempDir static Path folder;

    @Test
    @Safety({7, 9, 22})
    void aDeviceThatVanishesUnderLoadComesBackOrIsReplaced() throws Exception {
        try (var lab = Lab.inFolder(folder)) {
            var node = lab.add(NodeOptions.named("raid", List.of()).withUdev());
            node.boot();
            LabJvm.heap(128)
                    .run(node, DEADLINE, RaidGuest.class, System.getProperty("lvms.full", "false"));
        }
    }
}
