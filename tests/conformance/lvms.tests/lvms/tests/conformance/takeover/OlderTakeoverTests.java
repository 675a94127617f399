package lvms.tests.conformance.takeover;

import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Peers;
import lvms.tests.runner.Peers.Program;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;

/**
 * LVMS up to 4.15, which ran TopoLVM's programs in workloads of its own, is taken over with volumes
 * that pods have mounted and write to, and given back: no volume is remounted, no byte differs, and
 * at no time do two node parts serve one driver.
 */
@Lasts(seconds = 340)
@FullOnly("TopoLVM's own programs; OwnProgramsTakeoverTests has ours in their place")
class OlderTakeoverTests {
    private static final String NAMESPACE = "openshift-storage";

    @BeforeEach
    void itsPrograms() {
        PeerLvms.manifests();
        Peers.find().require(Program.HYPERTOPOLVM, Program.NODE_DRIVER_REGISTRAR);
    }

    /** As 4.14 and 4.15 left it. */
    @Test
    void oneWithLabelsIsTakenOverAndGivenBackWhilePodsWrite() throws Exception {
        var folder = Path.of("out/conformance/takeover-older");
        try (var cluster = Cluster.start(options(folder))) {
            var product = Product.on(cluster);
            var lvms = new OlderLvms(product, NAMESPACE, true, false, folder.resolve("peer"));
            lvms.install();
            var apps = Apps.start(product, "vg1", "vg2");
            lvms.take();
            apps.requireUntouched("ours");
            lvms.back();
            apps.requireUntouched("theirs");
            lvms.take();
            lvms.confirm();
            apps.requireUntouched("confirmed");
            lvms.requireNothingLeft();
        }
    }

    /** As 4.12 and 4.13 left it. */
    @Test
    void oneWithoutLabelsIsTakenOverWhilePodsWrite() throws Exception {
        var folder = Path.of("out/conformance/takeover-oldest");
        try (var cluster = Cluster.start(options(folder))) {
            var product = Product.on(cluster);
            var lvms = new OlderLvms(product, NAMESPACE, false, false, folder.resolve("peer"));
            lvms.install();
            var apps = Apps.start(product, "vg1", "vg2");
            lvms.take();
            apps.requireUntouched("ours");
            lvms.confirm();
            lvms.requireNothingLeft();
        }
    }

    private static ClusterOptions options(Path folder) {
        return ClusterOptions.of(folder.resolve("cluster"), NodeSpec.debian("node1"));
    }
}
