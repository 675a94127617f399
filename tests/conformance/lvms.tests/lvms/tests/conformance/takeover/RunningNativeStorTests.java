package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.api.Driver;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

/**
 * NativeStor is taken over with volumes that pods have mounted and write to, given back, taken
 * again and confirmed: no volume is remounted, no byte differs, volumes that one side made live on
 * with the other, and nothing stays on the disks of what is deleted.
 */
@Lasts(seconds = 400)
@FullOnly("two installations in a cluster of its own")
class RunningNativeStorTests {
    private static final long GIB = 1L << 30;
    private static final String CLASS = "lvms-ssd";
    private static final String FILE = "/data/file";

    /** TopoLVM 0.10 makes whole GiB. */
    private static final String SIZE = "1Gi";

    private Product product;
    private Sandbox box;

    @Test
    void itIsTakenOverAndGivenBackWhilePodsWrite() throws Exception {
        NativeStorPeer.require();
        var folder = Path.of("out/conformance/takeover-nativestor").toAbsolutePath();
        var node = NodeSpec.debian("node1").disks(8 * GIB);
        try (var cluster = Cluster.start(ClusterOptions.of(folder.resolve("cluster"), node))) {
            product = Product.on(cluster);
            var theirs = new NativeStorPeer(product, folder.resolve("peer"));
            theirs.install();
            var apps = Apps.start(product, "ssd");
            box = Sandbox.open(product, "nativestor");
            var first = make("theirs");
            var handover = new Handover(product, "nativestor", NativeStorPeer.NAMESPACE);
            take(handover);
            apps.requireUntouched("ours");
            liveOn("theirs", first);
            var second = make("ours");
            assertEquals(
                    Driver.LEGACY.name(),
                    box.volumeOf("ours").text("spec", "csi", "driver").orElse(""));
            requireNothingUnclaimed();
            box.remove(Types.POD, "ours"); // TopoLVM of that time unmounts what it has mounted only
            handover.back(_ -> {});
            theirs.awaitServing();
            apps.requireGoingOn("given back");
            comeBack("ours", second);
            var third = make("third");
            take(handover);
            apps.requireUntouched("again");
            handover.confirm();
            liveOn("third", third);
            apps.requireUntouched("confirmed");
        }
    }

    private void take(Handover handover) throws Exception {
        handover.take();
        product.patience()
                .untilNothingMissing(
                        "the TopolvmCluster is Ready",
                        () -> {
                            var now =
                                    product.kube().get(TopolvmCluster.TYPE, NativeStorPeer.CLUSTER);
                            boolean ready =
                                    now.text("status", "phase").filter("Ready"::equals).isPresent()
                                            && now.text("status", "nodesReady").isPresent();
                            return ready ? "" : now.toJson();
                        });
        var sockets = "ls /var/lib/kubelet/plugins_registry | grep topolvm | sort";
        assertEquals(
                List.of("topolvm.cybozu.com-reg.sock", "topolvm.io-reg.sock"),
                shell(sockets).lines().toList());
    }

    private String make(String name) throws Exception {
        box.start(Claim.of(name, CLASS, SIZE));
        return box.write(name, FILE, 4);
    }

    /** Mounts a volume once more, and deletes it with its logical volume. */
    private void liveOn(String name, String content) throws Exception {
        box.remove(Types.POD, name);
        comeBack(name, content);
    }

    private void comeBack(String name, String content) throws Exception {
        box.create(Pod.with(name, name));
        box.awaitReady(name);
        assertEquals(content, box.checksum(name, FILE, 4), name + ", remounted");
        Inheritance.end(product, box, name);
    }

    private String shell(String script) throws Exception {
        return product.cluster().node("node1").shell(script);
    }

    /** What has an object in the group of the old driver is nobody's to adopt. */
    private void requireNothingUnclaimed() throws Exception {
        var status =
                product.kubectl(
                        "get",
                        "lvmvolumegroupnodestatus",
                        "--namespace=" + NativeStorPeer.NAMESPACE,
                        "node1",
                        "--output=json");
        assertFalse(status.contains("\"unclaimedVolumes\""), status);
    }
}
