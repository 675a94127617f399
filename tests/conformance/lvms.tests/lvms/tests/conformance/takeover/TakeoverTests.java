package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

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
 * LVMS with volumes that pods have mounted and write to is taken over, and given back: no volume is
 * remounted, no byte differs, and new claims get their volumes on both sides.
 */
@Lasts(seconds = 600)
@FullOnly("two installations in a cluster of its own")
class TakeoverTests {
    private static final String NAMESPACE = "openshift-lvm-storage";
    private static final String LVM_CLUSTER =
            """
            apiVersion: lvm.topolvm.io/v1alpha1
            kind: LVMCluster
            metadata:
              name: my-lvmcluster
              namespace: openshift-lvm-storage
            spec:
              storage:
                deviceClasses:
                  - name: thin
                    default: true
                    fstype: xfs
                    deviceSelector:
                      paths: [/dev/ubdc]
                    thinPoolConfig:
                      name: pool
                      sizePercent: 90
                      overprovisionRatio: 5
                  - name: thick
                    fstype: ext4
                    deviceSelector:
                      paths: [/dev/ubdd]
            """;

    @BeforeEach
    void itsProgram() {
        PeerLvms.manifests();
        Peers.find().require(Program.LVMS_UPSTREAM);
    }

    @Test
    void lvmsIsTakenOverAndGivenBackWhilePodsWrite() throws Exception {
        var folder = Path.of("out/conformance/takeover");
        try (var cluster = Cluster.start(options(folder))) {
            var product = Product.on(cluster);
            var lvms = new PeerLvms(product, NAMESPACE, folder.resolve("peer"));
            lvms.install(LVM_CLUSTER);
            var apps = Apps.start(product, "thin", "thick");
            var handover = new Handover(product, NAMESPACE);
            var notes = handover.takeover().plan().notes().toString();
            assertTrue(notes.contains("thin pool thin/pool on node node1 has used "), notes);
            handover.take();
            lvms.awaitReady();
            apps.requireUntouched("ours");
            handover.back(_ -> {});
            lvms.awaitReady();
            apps.requireUntouched("theirs");
            handover.take();
            lvms.awaitReady();
            apps.requireUntouched("again");
            handover.confirm();
            var roles = product.kubectl("get", "clusterroles", "--output=name");
            assertFalse(roles.contains("/manager-role"), roles);
            apps.requireUntouched("confirmed");
        }
    }

    /** As after somebody who hoped that stopping it is enough: its webhooks refuse all writes. */
    @Test
    void oneThatWasStoppedByHandIsTakenOverInItsOldNamespace() throws Exception {
        var folder = Path.of("out/conformance/takeover-stopped");
        var namespace = "openshift-storage";
        try (var cluster = Cluster.start(options(folder))) {
            var product = Product.on(cluster);
            var lvms = new PeerLvms(product, namespace, folder.resolve("peer"));
            lvms.install(LVM_CLUSTER.replace(NAMESPACE, namespace));
            var apps = Apps.start(product, "thin", "thick");
            lvms.stop();
            var handover = new Handover(product, namespace);
            handover.take();
            lvms.awaitReady();
            apps.requireUntouched("ours");
            product.kubectl(
                    "patch",
                    "lvmcluster/my-lvmcluster",
                    "--namespace=" + namespace,
                    "--type=merge",
                    "--patch={\"spec\":{\"tolerations\":[]}}");
            handover.confirm();
        }
    }

    private static ClusterOptions options(Path folder) {
        return ClusterOptions.of(folder.resolve("cluster"), NodeSpec.debian("node1"));
    }
}
