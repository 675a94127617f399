package lvms.node;

import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeCase;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** TopoLVM's node service on a real device-mapper: runs the guest's tests inside a lab node. */
@Lasts(seconds = 40)
@FullOnly("the integration tests of topolvm-node have its calls")
class TopolvmNodeTests extends NodeCase {
    private static final long MIB = 1L << 20;
    private static final String CRD = "deploy/base/crds/topolvm.io_logicalvolumes.yaml";

    TopolvmNodeTests() {
        super(NodeOptions.named("node1", List.of(512 * MIB, 512 * MIB)));
    }

    @Test
    void passesInsideTheNode() throws Exception {
        LabJvm.heap(256)
                .property("lvms.crds", Path.of(CRD).toAbsolutePath())
                .test(node, Duration.ofMinutes(4), "lvms.node.TopolvmNodeGuest");
    }

    @Test
    void convertsVolumesOfTheOldNameInsideTheNode() throws Exception {
        LabJvm.heap(256)
                .property("lvms.crds", Path.of(CRD).toAbsolutePath())
                .test(node, Duration.ofMinutes(4), "lvms.node.ConversionGuest");
    }
}
