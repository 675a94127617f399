package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * LVMS with volumes that pods have mounted and write to is taken over, and given back: no volume is
 * remounted, no byte differs, and new claims get their volumes on both sides.
 */
@Lasts(seconds = 600)
@EnabledIfSystemProperty(
        named = "lvms.full",
        matches = "true",
        disabledReason = "only with --full: two installations in a cluster of its own")
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
    private static final int MIB = 8;

    @BeforeEach
    void itsProgram() {
        assumeTrue(
                Files.exists(PeerLvms.FOLDER.resolve("lvms-upstream.xz")),
                "needs LVMS itself in " + PeerLvms.FOLDER);
    }

    @Test
    void lvmsIsTakenOverAndGivenBackWhilePodsWrite() throws Exception {
        var folder = Path.of("out/conformance/takeover");
        var options =
                ClusterOptions.twoNodes(folder.resolve("cluster"))
                        .nodes(List.of(NodeSpec.debian("node1")));
        try (var cluster = Cluster.start(options)) {
            var product = Product.on(cluster);
            var lvms = new PeerLvms(product, NAMESPACE, folder.resolve("peer"));
            lvms.install(LVM_CLUSTER);
            var box = Sandbox.open(product, "apps");
            box.start(Claim.of("thin", "lvms-thin", "320Mi"));
            var written = box.write("thin", "/data/file", MIB);
            assertEquals(written, box.checksum("thin", "/data/file", MIB));
        }
    }
}
