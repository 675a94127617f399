package lvms.operator.cluster;

import static lvms.operator.cluster.Site.CLUSTER;
import static lvms.operator.cluster.Site.NAMESPACE;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.Faults;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * The deletion of an LVMCluster waits for claims, volumes and nodes, and the agents stay for it.
 */
class ClusterDeletionTests extends ClusterCase {
    @Test
    void anAccountMadeAnewStartsTheAgentsAnew() throws Exception {
        var agents = ObjectKey.of(NAMESPACE, "vg-manager");
        site.createObject(Types.SERVICE_ACCOUNT, agents, "{}");
        ready(VG1);
        awaitTokensOf(site.kube.get(Types.SERVICE_ACCOUNT, agents).uid());
        deleteWithAVolume();
        site.delete(Types.SERVICE_ACCOUNT, agents);
        site.createObject(Types.SERVICE_ACCOUNT, agents, "{}");
        site.edit("{'metadata':{'annotations':{'touched':'yes'}}}");
        awaitTokensOf(site.kube.get(Types.SERVICE_ACCOUNT, agents).uid());
    }

    private void awaitTokensOf(String account) throws Exception {
        site.awaitObject(
                Types.DAEMON_SET,
                AGENT,
                d ->
                        d.textMap("spec", "template", "metadata", "annotations")
                                .getOrDefault("topolvm.io/service-account-uid", "")
                                .equals(account));
    }

    @Test
    void deletionWaitsForClaimsThenForRetainedVolumesThenForTheNodes() throws Exception {
        ready(VG1, VG2);
        var claim = ObjectKey.of("default", "c");
        site.createObject(
                Types.PVC,
                claim,
                "{'spec':{'storageClassName':'lvms-vg1','accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'1Gi'}}}}");
        var volume = ObjectKey.cluster("v");
        site.createObject(
                Types.PV,
                volume,
                "{'spec':{'storageClassName':'lvms-vg2','accessModes':['ReadWriteOnce'],"
                        + "'capacity':{'storage':'1Gi'},'persistentVolumeReclaimPolicy':'Retain',"
                        + "'csi':{'driver':'topolvm.io','volumeHandle':'h'}}}");
        site.delete(LvmCluster.TYPE, CLUSTER);
        awaitDeletionWaits("default/c");
        assertFalse(site.groups().stream().anyMatch(KubeObject::terminating));
        site.awaitEvent("my", "DeletionPending");
        site.delete(Types.PVC, claim);
        awaitDeletionWaits("retained");
        assertFalse(site.groups().stream().anyMatch(KubeObject::terminating));
        site.delete(Types.PV, volume);
        awaitDeletionWaits("LVMVolumeGroups are terminating: vg1 (nodes n1), vg2 (nodes n1)");
        assertTrue(site.kube.find(Types.DAEMON_SET, AGENT).isPresent());
        site.release("vg1", "n1");
        site.release("vg2", "n1");
        awaitDeletionWaits("still registered");
        site.unregister("n1");
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
        site.awaitGone(LvmVolumeGroupNodeStatus.TYPE, group("n1"));
        for (var deviceClass : List.of("vg1", "vg2")) {
            site.awaitGone(LvmVolumeGroup.TYPE, group(deviceClass));
            site.awaitGone(Types.STORAGE_CLASS, storageClass(deviceClass));
        }
        site.awaitGone(Types.DAEMON_SET, AGENT);
        site.awaitGone(Types.CSI_DRIVER, DRIVER);
        for (var policy :
                List.of("lvms-operator-allow", "lvms-vg-manager-allow", "lvms-default-deny")) {
            site.awaitGone(Types.NETWORK_POLICY, ObjectKey.of(NAMESPACE, policy));
        }
    }

    @Test
    void deletionWaitsUntilTheServerSaysThatNobodyHasAClaim() throws Exception {
        ready(VG1);
        site.server.faults().answer(ClusterDeletionTests::listsClaims, 1000, 500, "{}");
        site.server.faults().forgetRequests();
        site.delete(LvmCluster.TYPE, CLUSTER);
        Site.await(
                "it asks again",
                () ->
                        site.server.faults().requests().stream()
                                        .filter(ClusterDeletionTests::listsClaims)
                                        .count()
                                > 2);
        assertFalse(site.groups().getFirst().terminating());
        site.server.faults().clear();
        site.awaitObject(LvmVolumeGroup.TYPE, group("vg1"), KubeObject::terminating);
    }

    private static boolean listsClaims(Faults.Seen request) {
        return request.target().endsWith("/persistentvolumeclaims")
                && !request.query().containsKey("watch");
    }

    /** Only an agent can blank the disks of its node. */
    @Test
    @Safety(39)
    void theAgentsComeBackWhileTheVolumeGroupsAreRemoved() throws Exception {
        site.createObject(Types.SERVICE_ACCOUNT, AGENT, "{}");
        ready(VG1);
        site.delete(LvmCluster.TYPE, CLUSTER);
        awaitDeletionWaits("LVMVolumeGroups are terminating: vg1 (nodes n1)");
        var before = site.kube.get(Types.DAEMON_SET, AGENT).uid();
        site.delete(Types.DAEMON_SET, AGENT);
        site.awaitObject(Types.DAEMON_SET, AGENT, d -> !d.uid().equals(before));
        site.delete(Types.SERVICE_ACCOUNT, AGENT);
        site.createObject(Types.SERVICE_ACCOUNT, AGENT, "{}");
        awaitTokensOf(site.kube.get(Types.SERVICE_ACCOUNT, AGENT).uid());
        site.release("vg1", "n1");
        site.unregister("n1");
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
        site.awaitGone(Types.DAEMON_SET, AGENT);
    }

    private void awaitDeletionWaits(String text) throws Exception {
        site.awaitObject(
                LvmCluster.TYPE,
                CLUSTER,
                o ->
                        o.condition(Names.CONDITION_RESOURCES)
                                .filter(c -> c.message().contains("waiting to be deleted"))
                                .filter(c -> c.message().contains(text))
                                .isPresent());
    }

    /** Deletes the cluster, which stays because of a volume on its node. */
    private void deleteWithAVolume() throws Exception {
        site.createObject(
                LogicalVolume.TYPE,
                ObjectKey.cluster("pvc-1"),
                "{'spec':{'name':'pvc-1','nodeName':'n1','deviceClass':'vg1','size':'1Gi'}}");
        site.delete(LvmCluster.TYPE, CLUSTER);
        awaitDeletionWaits("LogicalVolumes of device class vg1");
    }

    @Test
    void deletionWaitsForLogicalVolumesOfNodesThatExist() throws Exception {
        ready(VG1);
        deleteWithAVolume();
        assertFalse(site.groups().getFirst().terminating());
    }
}
