package lvms.node;

import lvms.tests.lab.machine.Lab;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The volumes of a node work on a real device-mapper: runs the guest's tests inside a lab node. */
@Lasts(seconds = 80)
class CsiNodeTests {
    private static final long MIB = 1L << 20;
    private static final String CRD = "deploy/crds/topolvm.io_logicalvolumes.yaml";
    private static final Duration DEADLINE = Duration.ofMinutes(8);

    @TempDir static Path folder;
    private static Lab lab;
    private static Node node;

    @BeforeAll
    static void boot() throws Exception {
        lab = Lab.inFolder(folder);
        node = lab.add(NodeOptions.named("node1", List.of(1024 * MIB, 1024 * MIB, 64 * MIB)));
        node.boot();
    }

    @AfterAll
    static void end() {
        if (lab != null) {
            lab.close();
        }
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
