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
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
import java.util.List;

/** A node burns down and is deleted from the cluster; nothing of it is in the others' way. */
@FullOnly("a third node takes minutes")
class NodeDeletionTests extends FaultSuite {
    private static final String LOST = "node3";

    @Test
    void nothingOfADeletedNodeBlocksTheOthers() throws Exception {
        product().cluster().addNode(NodeSpec.plain(LOST));
        product().awaitReady();
        writer("lost", Product.THICK_CLASS, "64Mi", LOST);
        claim("unused", Product.THIN_CLASS, "16Mi", LOST);
        box().awaitBound("unused");
        var names = volumes("lost", "unused");

        product().cluster().removeNode(LOST);
        product().kube().delete(Types.NODE, ObjectKey.cluster(LOST), DeleteOptions.any());

        patiently(
                "status of the node is gone",
                () ->
                        product().all(LvmVolumeGroupNodeStatus.TYPE).stream()
                                .noneMatch(status -> status.name().equals(LOST)));
        patiently(
                "volume groups are released",
                () -> product().all(LvmVolumeGroup.TYPE).stream().noneMatch(this::heldByTheLost));
        patiently(
                "capacity of the node is gone",
                () ->
                        product().all(Types.CSI_STORAGE_CAPACITY).stream()
                                .noneMatch(
                                        c ->
                                                c.textMap("nodeTopology", "matchLabels")
                                                        .containsValue(LOST)));
        patiently("cluster is ready", () -> product().clusterState().equals("Ready"));
        // The others work on.
        box().start(Claim.of("other", Product.THIN_CLASS, "320Mi"));
        assertFalse(box().nodeOf("other").equals(LOST));
        // What was on it can be deleted, and then is gone.
        box().delete(Types.PVC, "unused");
        product()
                .kube()
                .delete(
                        Types.POD,
                        ObjectKey.of(box().namespace(), "lost"),
                        DeleteOptions.any().gracePeriodSeconds(0));
        box().delete(Types.PVC, "lost");
        for (var name : names) {
            patiently(
                    "volume " + name + " is gone",
                    () ->
                            product().kube().find(Types.PV, name).isEmpty()
                                    && product().kube().find(LogicalVolume.TYPE, name).isEmpty());
        }
        assertEquals("Ready", product().clusterState());
    }

    private boolean heldByTheLost(KubeObject group) {
        return group.finalizers().contains(Names.nodeCleanupFinalizer(LOST));
    }

    private List<ObjectKey> volumes(String... claims) throws Exception {
        var names = new ArrayList<ObjectKey>();
        for (var claim : claims) {
            names.add(box().volumeOf(claim).key());
        }
        return names;
    }
}
