package lvms.tests.lab.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.lab.cluster.ClusterOptions;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

/** On a node with udev, LVM waits for its cookies and the volume still comes and goes. */
@FullOnly("node2 of the real cluster has udev")
class UdevLabTests {
    private static final String THICK =
            """
            - name: vg1
              default: true
              fstype: xfs
            """;

    @Test
    void aThickVolumeIsMountedAndGoes() throws Exception {
        var options = ClusterOptions.twoNodes(Path.of("out/lab/UdevLabTests")).nodes(1).withUdev();
        try (var scenario = Scenario.start(THICK, options)) {
            scenario.claim("data", "1Gi");
            scenario.pod("data");
            scenario.awaitReady("data");
            assertTrue(scenario.inPod("data", "grep ' /data ' /proc/mounts").contains("xfs"));
            assertEquals(1, scenario.volumesOnDisk().size());
            scenario.removeAll();
            assertEquals(List.of(), scenario.cluster().violations());
        }
    }
}
