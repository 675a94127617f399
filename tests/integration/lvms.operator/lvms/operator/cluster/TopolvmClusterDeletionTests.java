package lvms.operator.cluster;

import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

/** A TopolvmCluster goes when its volumes are gone, and takes its groups along if that is asked. */
class TopolvmClusterDeletionTests extends TopolvmClusterCase {
    private KubeObject group;

    private void start() throws Exception {
        site.node("n1");
        site.startOperator();
        create(NAME, EVERYTHING);
        group = awaitGroup("fast", "");
        site.report("n1", group.name(), "'status':'Ready','devices':['/dev/sdb']");
        site.unregister("n1");
    }

    private KubeObject awaitTerminating() throws Exception {
        return site.awaitObject(LvmVolumeGroup.TYPE, group.key(), KubeObject::terminating);
    }

    private void awaitGone() throws Exception {
        site.release(group.name(), "n1");
        site.awaitGone(TopolvmCluster.TYPE, NAME);
        site.awaitGone(LvmVolumeGroup.TYPE, group.key());
        site.awaitGone(Types.DAEMON_SET, AGENT);
        site.awaitGone(Types.CSI_DRIVER, ObjectKey.cluster("topolvm.io"));
        site.awaitGone(LvmVolumeGroupNodeStatus.TYPE, ObjectKey.of(NAMESPACE, "n1"));
    }

    /** NativeStor deleted the CSIDriver under the volumes, and the cluster with it. */
    @Test
    @Safety(42)
    void nothingGoesWhileAVolumeIsLeft() throws Exception {
        start();
        site.createObject(
                Driver.TOPOLVM.logicalVolumes(),
                ObjectKey.cluster("pvc-1"),
                "{'spec':{'name':'pvc-1','nodeName':'n1','size':'1Gi'}}");
        site.delete(TopolvmCluster.TYPE, NAME);
        var message = awaitReason(NAME, Names.CONDITION_RESOURCES, "ReconciliationInProgress");
        assertEquals(
                "waiting to be deleted: LogicalVolumes of device class fast have to be deleted"
                        + " first: pvc-1",
                message);
        site.awaitEvent(NAME.name(), "DeletionPending");
        assertEquals(false, site.kube.get(LvmVolumeGroup.TYPE, group.key()).terminating());
        assertTrue(site.kube.find(Types.DAEMON_SET, AGENT).isPresent());
        site.delete(Driver.TOPOLVM.logicalVolumes(), ObjectKey.cluster("pvc-1"));
        awaitTerminating();
        awaitGone();
    }

    @Test
    @Safety(42)
    void withoutCleanupTheVolumeGroupsStayOnTheDisks() throws Exception {
        start();
        site.delete(TopolvmCluster.TYPE, NAME);
        assertTrue(LvmVolumeGroup.of(awaitTerminating()).spec().listing().retainOnDelete());
        var message = awaitReason(NAME, Names.CONDITION_RESOURCES, "ReconciliationInProgress");
        assertTrue(message.endsWith(" is terminating (nodes n1)"), message);
        awaitGone();
    }

    @Test
    void withCleanupTheVolumeGroupsGo() throws Exception {
        start();
        site.kube.mergePatch(TopolvmCluster.TYPE, NAME, Clusters.tree("{'spec':{'cleanup':true}}"));
        site.delete(TopolvmCluster.TYPE, NAME);
        assertEquals(
                false, LvmVolumeGroup.of(awaitTerminating()).spec().listing().retainOnDelete());
        awaitGone();
    }

    /** A group of a node that is gone for good cannot be cleaned by anybody. */
    @Test
    void aNodeThatIsGoneIsNotWaitedFor() throws Exception {
        start();
        site.delete(Types.NODE, ObjectKey.cluster("n1"));
        site.delete(TopolvmCluster.TYPE, NAME);
        site.awaitGone(TopolvmCluster.TYPE, NAME);
    }
}
