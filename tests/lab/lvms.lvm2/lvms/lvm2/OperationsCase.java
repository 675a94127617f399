package lvms.lvm2;

import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeCase;
import lvms.tests.lab.machine.NodeOptions;

import java.time.Duration;
import java.util.List;

/** Runs stories of {@link OperationsGuest} on one node, which assert there. */
abstract class OperationsCase extends NodeCase {
    private static final Duration DEADLINE = Duration.ofMinutes(4);

    OperationsCase() {
        super(NodeOptions.named("operations", List.of(Slices.diskBytes())));
    }

    final void guest(LvmOptions.Engine engine, String stories) throws Exception {
        var arguments = (engine + " " + stories).split(" ");
        LabJvm.heap(128).run(node, DEADLINE, OperationsGuest.class, arguments);
    }
}
