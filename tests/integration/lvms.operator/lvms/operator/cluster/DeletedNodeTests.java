package lvms.operator.cluster;

import static lvms.operator.cluster.Clusters.cluster;
import static lvms.operator.cluster.Site.CLUSTER;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.Faults;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.node.TerminatingNodeReconciler;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** A Node that is deleted takes along what was on it, and nothing else. */
@Lasts(seconds = 20)
class DeletedNodeTests extends ClusterCase {
    @Test
    void deletionDoesNotWaitForNodesThatAreGone() throws Exception {
        ready(VG1);
        site.createObject(
                LogicalVolume.TYPE,
                ObjectKey.cluster("pvc-1"),
                "{'metadata':{'name':'pvc-1','finalizers':['topolvm.io/logicalvolume']},"
                        + "'spec':{'name':'pvc-1','nodeName':'lost','deviceClass':'vg1',"
                        + "'size':'1Gi'}}");
        site.kube
                .withFieldManager("vg-manager")
                .addFinalizer(
                        LvmVolumeGroup.TYPE,
                        site.groups().getFirst(),
                        Names.nodeCleanupFinalizer("lost"));
        site.delete(LvmCluster.TYPE, CLUSTER);
        site.awaitObject(LvmVolumeGroup.TYPE, group("vg1"), KubeObject::terminating);
        site.release("vg1", "n1");
        site.unregister("n1");
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
    }

    /** Its kubelet may make it again on the same disks, so the note that they were wiped stays. */
    @Test
    @Safety(3)
    void aNodeThatGoesTakesItsStatusAndItsHoldAlong() throws Exception {
        ready(VG1);
        site.kube
                .withFieldManager("vg-manager")
                .mergePatch(
                        LvmVolumeGroup.TYPE,
                        group("vg1"),
                        Clusters.tree(
                                "{'metadata':{'annotations':"
                                        + "{'wiped.devices.lvms.openshift.io/n1':'then'}}}"));
        site.node("n2");
        site.awaitObject(LvmVolumeGroupNodeStatus.TYPE, group("n2"), _ -> true);
        site.delete(Types.NODE, ObjectKey.cluster("n1"));
        site.awaitGone(LvmVolumeGroupNodeStatus.TYPE, group("n1"));
        var released =
                site.awaitObject(LvmVolumeGroup.TYPE, group("vg1"), g -> g.finalizers().isEmpty());
        assertEquals(Map.of("wiped.devices.lvms.openshift.io/n1", "then"), released.annotations());
    }

    @Test
    void whatOtherNodesHoldStays() throws Exception {
        ready(VG1);
        site.node("n2");
        site.report("n2", "Ready");
        site.kube
                .withFieldManager("vg-manager")
                .mergePatch(
                        LvmVolumeGroup.TYPE,
                        group("vg1"),
                        Clusters.tree(
                                "{'metadata':{'annotations':"
                                        + "{'wiped.devices.lvms.openshift.io/n2':'then'}}}"));
        site.delete(Types.NODE, ObjectKey.cluster("n1"));
        site.awaitGone(LvmVolumeGroupNodeStatus.TYPE, group("n1"));
        var left = site.kube.get(LvmVolumeGroup.TYPE, group("vg1"));
        assertEquals(List.of(Names.nodeCleanupFinalizer("n2")), left.finalizers());
        assertTrue(left.annotations().containsKey("wiped.devices.lvms.openshift.io/n2"));
        assertEquals(
                List.of("delete-protection.lvm.openshift.io"),
                site.kube.get(LvmVolumeGroupNodeStatus.TYPE, group("n2")).finalizers());
    }

    @Test
    void whatFailsOnceIsReleasedByTheNextPass() throws Exception {
        ready(VG1);
        Predicate<Faults.Seen> deletesStatus =
                r ->
                        r.method().equals("DELETE")
                                && r.target().endsWith("/lvmvolumegroupnodestatuses/n1");
        site.server.faults().answer(deletesStatus, 3, 500, "{}");
        site.delete(Types.NODE, ObjectKey.cluster("n1"));
        site.awaitGone(LvmVolumeGroupNodeStatus.TYPE, group("n1"));
        long tries = site.server.faults().requests().stream().filter(deletesStatus).count();
        assertTrue(tries > 3, "tried " + tries + " times");
        assertEquals(List.of(), site.kube.get(LvmVolumeGroup.TYPE, group("vg1")).finalizers());
    }

    /** Such as one that a backup brought back. */
    @Test
    void aStatusWithoutAClusterGoesWithItsNode() throws Exception {
        site.node("n1");
        site.startOperator();
        site.createObject(
                LvmVolumeGroupNodeStatus.TYPE,
                group("n1"),
                "{'metadata':{'name':'n1','namespace':'lvms-system',"
                        + "'finalizers':['delete-protection.lvm.openshift.io']},'spec':{}}");
        site.delete(Types.NODE, ObjectKey.cluster("n1"));
        site.awaitGone(LvmVolumeGroupNodeStatus.TYPE, group("n1"));
    }

    /**
     * A cluster's finalizer was taken off by force while a pass went on: the status was made once
     * more, and garbage collection deletes it.
     */
    @Test
    void aStatusWhoseClusterIsGoneMakesRoomForTheNextClusters() throws Exception {
        site.createObject(
                LvmVolumeGroupNodeStatus.TYPE,
                group("n1"),
                "{'metadata':{'name':'n1','namespace':'lvms-system',"
                        + "'finalizers':['delete-protection.lvm.openshift.io'],"
                        + "'ownerReferences':[{'apiVersion':'lvm.topolvm.io/v1alpha1',"
                        + "'kind':'LVMCluster','name':'"
                        + CLUSTER.name()
                        + "','uid':'0b1f','controller':true}]},'spec':{}}");
        var lost = site.kube.get(LvmVolumeGroupNodeStatus.TYPE, group("n1"));
        site.delete(LvmVolumeGroupNodeStatus.TYPE, group("n1"));
        assertTrue(site.kube.get(LvmVolumeGroupNodeStatus.TYPE, group("n1")).terminating());
        site.node("n1");
        site.startOperator();
        site.create(cluster(VG1));
        var next =
                site.awaitObject(
                        LvmVolumeGroupNodeStatus.TYPE,
                        group("n1"),
                        status -> !status.uid().equals(lost.uid()));
        var owner = next.ownerReferences().getFirst();
        assertEquals(site.kube.get(LvmCluster.TYPE, CLUSTER).uid(), owner.uid());
    }

    /** What the present cluster needs, a person does not delete. */
    @Test
    void aStatusWhoseClusterIsThereIsNotLetGo() throws Exception {
        ready(VG1);
        var status = site.kube.get(LvmVolumeGroupNodeStatus.TYPE, group("n1"));
        site.delete(LvmVolumeGroupNodeStatus.TYPE, group("n1"));
        site.node("n2");
        site.awaitObject(LvmVolumeGroupNodeStatus.TYPE, group("n2"), _ -> true);
        var same = site.kube.get(LvmVolumeGroupNodeStatus.TYPE, group("n1"));
        assertEquals(status.uid(), same.uid());
        assertTrue(same.terminating());
    }

    /** A bound claim whose volume is on a node, perhaps another than it was scheduled to. */
    private ObjectKey boundClaim(String name, String selected, String node) throws Exception {
        var claim = claim(name, selected);
        logicalVolume(name, node);
        persistentVolume(name, node);
        return claim;
    }

    private ObjectKey claim(String name, String selected) throws Exception {
        var claim = ObjectKey.of("default", name);
        site.createObject(
                Types.PVC,
                claim,
                "{'metadata':{'name':'%s','namespace':'default','annotations':".formatted(name)
                        + "{'volume.kubernetes.io/selected-node':'%s'}},".formatted(selected)
                        + "'spec':{'storageClassName':'lvms-vg1','accessModes':['ReadWriteOnce'],"
                        + "'resources':{'requests':{'storage':'1Gi'}}}}");
        return claim;
    }

    private void logicalVolume(String name, String node) throws Exception {
        site.createObject(
                LogicalVolume.TYPE,
                ObjectKey.cluster("pvc-" + name),
                "{'metadata':{'name':'pvc-%s','finalizers':['topolvm.io/logicalvolume']},"
                                .formatted(name)
                        + "'spec':{'name':'pvc-%s','nodeName':'%s','deviceClass':'vg1',"
                                .formatted(name, node)
                        + "'size':'1Gi'}}");
        site.kube.mergePatchStatus(
                LogicalVolume.TYPE,
                ObjectKey.cluster("pvc-" + name),
                Clusters.tree("{'status':{'volumeID':'%s'}}".formatted(name)));
    }

    private void persistentVolume(String name, String node) throws Exception {
        var claim = site.kube.get(Types.PVC, ObjectKey.of("default", name));
        site.createObject(
                Types.PV,
                ObjectKey.cluster("pvc-" + name),
                "{'spec':{'storageClassName':'lvms-vg1','accessModes':['ReadWriteOnce'],"
                        + "'capacity':{'storage':'1Gi'},'claimRef':{'namespace':'default',"
                        + "'name':'%s','uid':'%s'},".formatted(name, claim.uid())
                        + "'csi':{'driver':'topolvm.io','volumeHandle':'%s'},".formatted(name)
                        + "'nodeAffinity':{'required':{'nodeSelectorTerms':[{'matchExpressions':"
                        + "[{'key':'topology.topolvm.io/node','operator':'In',"
                        + "'values':['%s']}]}]}}}}".formatted(node));
    }

    private ObjectKey heldNode() throws Exception {
        var node = ObjectKey.cluster("n1");
        site.kube
                .withFieldManager("vg-manager")
                .addFinalizer(Types.NODE, site.kube.get(Types.NODE, node), "topolvm.io/node");
        return node;
    }

    @Safety(5)
    @Test
    void aNodeThatIsDeletedTakesTheClaimsOfItsOwnVolumesAlong() throws Exception {
        ready(VG1);
        var node = heldNode();
        site.node("n2");
        var own = boundClaim("own", "n1", "n1");
        var cloneHere = boundClaim("clone-here", "n2", "n1");
        var cloneThere = boundClaim("clone-there", "n1", "n2");
        site.delete(Types.NODE, node);
        site.awaitGone(Types.NODE, node);
        for (var gone : List.of(own, cloneHere)) {
            site.awaitGone(Types.PVC, gone);
            site.awaitGone(LogicalVolume.TYPE, ObjectKey.cluster("pvc-" + gone.name()));
            var note = site.awaitEvent(gone.name(), "NodeDeleted").text("note").orElseThrow();
            assertTrue(note.contains("Node n1, which holds volume pvc-" + gone.name()), note);
        }
        assertFalse(site.kube.get(Types.PVC, cloneThere).terminating());
        assertFalse(
                site.kube
                        .get(LogicalVolume.TYPE, ObjectKey.cluster("pvc-clone-there"))
                        .terminating());
    }

    /** Whoever hands a volume over may have read its object before the Node was deleted. */
    @Safety(5)
    @Test
    void aClaimThatGetsItsVolumeWhileTheNodeGoesIsDeletedToo() throws Exception {
        site.node("n1");
        var node = heldNode();
        var claim = claim("late", "n1");
        logicalVolume("late", "n1");
        site.delete(Types.NODE, node);
        var volume = ObjectKey.cluster("pvc-late");
        var informers = OperatorInformers.of(site.kube, Drivers.DEFAULT, Site.NAMESPACE);
        informers.all().forEach(Informer::start);
        try (var events = EventRecorder.open(site.kube, "test.io/test", "test")) {
            for (var informer : informers.all()) {
                informer.awaitSync(Duration.ofSeconds(30));
            }
            var cleaning = new TerminatingNodeReconciler(site.kube, informers, events, true);
            cleaning.reconcile(node);
            site.awaitGone(LogicalVolume.TYPE, volume);
            assertTrue(site.kube.find(Types.NODE, node).isPresent(), "it looks once more");
            persistentVolume("late", "n1");
            Site.await(
                    "the caches follow",
                    () ->
                            informers.persistentVolumes().get(volume).isPresent()
                                    && informers.everyLogicalVolume().findAny().isEmpty());
            cleaning.reconcile(node);
            site.awaitGone(Types.PVC, claim);
            site.awaitGone(Types.NODE, node);
        } finally {
            informers.all().forEach(Informer::close);
        }
    }

    /** A node agent that was taken over may write the id of any volume into its own objects. */
    @Safety({5, 18})
    @Test
    void aClaimStaysIfAnObjectOfADeletedNodeSaysThatItIsItsVolume() throws Exception {
        ready(VG1);
        var node = heldNode();
        site.node("n2");
        var thief = ObjectKey.cluster("thief");
        site.createObject(
                LogicalVolume.TYPE,
                thief,
                "{'spec':{'name':'pvc-good','nodeName':'n1','deviceClass':'vg1','size':'1Gi'}}");
        site.kube.mergePatchStatus(
                LogicalVolume.TYPE, thief, Clusters.tree("{'status':{'volumeID':'good'}}"));
        var claim = boundClaim("good", "n2", "n2");
        site.delete(Types.NODE, node);
        site.awaitGone(Types.NODE, node);
        assertFalse(site.kube.get(Types.PVC, claim).terminating());
    }

    @Safety(5)
    @Test
    void whoWantsToKeepTheClaimsOfADeletedNodeCan() throws Exception {
        site.keepAfterNodes();
        ready(VG1);
        var node = heldNode();
        var claim = boundClaim("own", "n1", "n1");
        site.delete(Types.NODE, node);
        site.awaitGone(Types.NODE, node);
        assertFalse(site.kube.get(Types.PVC, claim).terminating());
        assertFalse(site.kube.get(LogicalVolume.TYPE, ObjectKey.cluster("pvc-own")).terminating());
    }

    @Safety(5)
    @Test
    void noNodeIsHeldOnceTheClusterIsGone() throws Exception {
        ready(VG1);
        var node = heldNode();
        site.delete(LvmCluster.TYPE, CLUSTER);
        Site.await("the group goes", () -> site.groups().getFirst().terminating());
        site.release("vg1", "n1");
        site.unregister("n1");
        site.awaitGone(LvmCluster.TYPE, CLUSTER);
        assertEquals(List.of(), site.kube.get(Types.NODE, node).finalizers());
    }
}
