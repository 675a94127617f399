package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.time.Duration;

/** A node burns down and is deleted from the cluster; nothing of it is in the others' way. */
@EnabledIfSystemProperty(
        named = "lvms.full",
        matches = "true",
        disabledReason = "only with --full: a third node takes minutes")
class NodeDeletionTests {
    private static final String LOST = "node3";
    private static final Duration DEADLINE = Duration.ofMinutes(4);

    private Product product;
    private Sandbox sandbox;

    @BeforeEach
    void open() throws Exception {
        product = Product.shared();
        sandbox = Sandbox.open(product, "node-deletion");
    }

    @AfterEach
    void close() throws Exception {
        sandbox.clear();
        product.checker().awaitAgreement(Duration.ofSeconds(60));
    }

    @Test
    void nothingOfADeletedNodeBlocksTheOthers() throws Exception {
        product.cluster().addNode(NodeSpec.plain(LOST));
        product.awaitReady();
        Writer.start(product, sandbox, Claim.of("lost", Product.THICK_CLASS, "64Mi"), LOST);
        Claims.create(product, sandbox, Claim.of("unused", Product.THIN_CLASS, "16Mi"), LOST);
        sandbox.awaitBound("unused");
        var names = volumes("lost", "unused");

        product.cluster().removeNode(LOST);
        product.kube().delete(Types.NODE, ObjectKey.cluster(LOST), DeleteOptions.any());

        patiently(
                "status of the node is gone",
                () ->
                        product.all(LvmVolumeGroupNodeStatus.TYPE).stream()
                                .noneMatch(status -> status.name().equals(LOST)));
        patiently(
                "volume groups are released",
                () -> product.all(LvmVolumeGroup.TYPE).stream().noneMatch(this::heldByTheLost));
        patiently(
                "capacity of the node is gone",
                () ->
                        product.all(Types.CSI_STORAGE_CAPACITY).stream()
                                .noneMatch(
                                        c ->
                                                c.textMap("nodeTopology", "matchLabels")
                                                        .containsValue(LOST)));
        patiently("cluster is ready", () -> product.clusterState().equals("Ready"));
        // The others work on.
        sandbox.start(Claim.of("other", Product.THIN_CLASS, "320Mi"));
        assertFalse(sandbox.nodeOf("other").equals(LOST));
        // What was on it can be deleted, and then is gone.
        sandbox.delete(Types.PVC, "unused");
        product.kube()
                .delete(
                        Types.POD,
                        ObjectKey.of(sandbox.namespace(), "lost"),
                        DeleteOptions.any().gracePeriodSeconds(0));
        sandbox.delete(Types.PVC, "lost");
        for (var name : names) {
            patiently(
                    "volume " + name + " is gone",
                    () ->
                            product.kube().find(Types.PV, name).isEmpty()
                                    && product.kube().find(LogicalVolume.TYPE, name).isEmpty());
        }
        assertEquals("Ready", product.clusterState());
    }

    private boolean heldByTheLost(KubeObject group) {
        return group.finalizers().contains(Names.nodeCleanupFinalizer(LOST));
    }

    private java.util.List<ObjectKey> volumes(String... claims) throws Exception {
        var names = new java.util.ArrayList<ObjectKey>();
        for (var claim : claims) {
            names.add(sandbox.volumeOf(claim).key());
        }
        return names;
    }

    private void patiently(String what, java.util.concurrent.Callable<Boolean> condition)
            throws Exception {
        product.patience(DEADLINE, sandbox.namespace()).until(what, condition);
    }
}
