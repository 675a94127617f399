package lvms.tests.conformance.takeover;

import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;

/**
 * LVMS as it was up to 4.15, with our programs in the place of TopoLVM's, is taken over with
 * volumes that pods have mounted and write to, and given back: no volume is remounted, no byte
 * differs, and at no time do two node parts serve one driver. It needs no predecessor's program.
 */
@Lasts(seconds = 90)
class OwnProgramsTakeoverTests {
    private static final String NAMESPACE = "openshift-storage";

    @Test
    void itIsTakenOverAndGivenBackWhilePodsWrite() throws Exception {
        var folder = Path.of("out/conformance/takeover-own-programs");
        var node = NodeSpec.debian("node1");
        try (var cluster = Cluster.start(ClusterOptions.of(folder.resolve("cluster"), node))) {
            var lvms =
                    new OlderLvms(
                            Product.on(cluster), NAMESPACE, true, true, folder.resolve("peer"));
            lvms.install();
            var apps = Apps.start(Product.on(cluster), "vg1", "vg2");
            lvms.take();
            apps.requireUntouched("ours");
            lvms.back();
            apps.requireUntouched("theirs");
        }
    }
}
