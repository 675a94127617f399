package lvms.node.volume;

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

/** No volume shows what the tenant before wrote: runs the guest's tests inside a lab node. */
@Lasts(seconds = 60)
class ErasureLabTests {
    private static final long MIB = 1L << 20;
    private static final Duration DEADLINE = Duration.ofMinutes(5);

    @TempDir static Path folder;

    @Test
    @Safety({17, 45, 46})
    void noVolumeShowsWhatTheTenantBeforeWrote() throws Exception {
        try (var lab = Lab.inFolder(folder)) {
            var node = lab.add(NodeOptions.named("erasure", List.of(160 * MIB, 160 * MIB)));
            node.boot();
            LabJvm.heap(256).test(node, DEADLINE, ErasureGuest.class.getName());
        }
    }
}
