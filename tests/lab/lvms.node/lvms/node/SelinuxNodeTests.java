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

/** Volumes are published with SELinux contexts on a node whose kernel enforces a policy. */
@Lasts(seconds = 10)
@FullOnly("the mount options are compared by NodePublishTests")
class SelinuxNodeTests extends NodeCase {
    SelinuxNodeTests() {
        super(NodeOptions.named("node1", List.of()).withKernel("lsm=selinux", "enforcing=1"));
    }

    @Test
    void passesInsideTheNode() throws Exception {
        var policy = Path.of("tests/lab/lvms.tests/resources/selinux.cil").toAbsolutePath();
        LabJvm.heap(256)
                .property("lvms.selinux.policy", policy)
                .test(node, Duration.ofMinutes(3), "lvms.node.csi.SelinuxGuest");
    }
}
