package lvms.node;

import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeCase;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The volumes of a node work on a real device-mapper: runs the guest's tests inside a lab node. */
@Lasts(seconds = 80)
@FullOnly("the suites of the real cluster publish the same volumes")
class CsiNodeTests extends NodeCase {
    private static final long MIB = 1L << 20;
    private static final String CRD = "deploy/base/crds/topolvm.io_logicalvolumes.yaml";
    private static final Duration DEADLINE = Duration.ofMinutes(8);

    CsiNodeTests() {
        super(NodeOptions.named("node1", List.of(1024 * MIB, 1024 * MIB, 64 * MIB)));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "lvms.node.volume.VolumeOperationsGuest",
                "lvms.node.volume.IsolationGuest",
                "lvms.node.csi.LvmPublishGuest",
                "lvms.node.CsiNodeGuest"
            })
    void passesInsideTheNode(String guestClass) throws Exception {
        LabJvm.heap(512)
                .property("lvms.crds", Path.of(CRD).toAbsolutePath())
                .test(node, DEADLINE, guestClass);
    }
}
