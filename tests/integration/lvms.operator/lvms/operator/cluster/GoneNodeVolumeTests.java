package lvms.operator.cluster;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.LvmVolumeGroup;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.node.GoneNodeStatusReconciler;
import lvms.operator.node.GoneNodeVolumeReconciler;
import lvms.operator.node.TerminatingNodeReconciler;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicReference;

/** A volume that is to end waits for its node, but not for one that was deleted for good. */
class GoneNodeVolumeTests {
    private static final ObjectKey NODE = ObjectKey.cluster("n1");
    private static final String HOLD = "topolvm.io/node";
    private static final ObjectKey VOLUME = ObjectKey.cluster("pvc-1");

    private final AtomicReference<Instant> now = new AtomicReference<>(Instant.now());
    private Site site;
    private OperatorInformers informers;
    private GoneNodeVolumeReconciler lost;

    @BeforeEach
    void open() throws Exception {
        site = Site.open();
        informers = OperatorInformers.of(site.kube, Drivers.DEFAULT, Site.NAMESPACE);
        informers.all().forEach(Informer::start);
        lost = new GoneNodeVolumeReconciler(site.kube, informers, now::get);
        site.node(NODE.name());
        site.createObject(
                LogicalVolume.TYPE,
                VOLUME,
                "{'metadata':{'name':'pvc-1','finalizers':['topolvm.io/logicalvolume']},"
                        + "'spec':{'name':'pvc-1','nodeName':'n1','deviceClass':'vg1',"
                        + "'size':'1Gi'}}");
        Site.await("node seen", () -> informers.nodes().get(NODE).isPresent());
    }

    @AfterEach
    void close() throws Exception {
        informers.all().forEach(Informer::close);
        site.close();
    }

    private void deleteVolume() throws Exception {
        site.delete(LogicalVolume.TYPE, VOLUME);
        var node = site.kube.get(Types.NODE, NODE);
        Site.await("end seen", () -> lost.waitingFor(node).contains(VOLUME));
    }

    private void deleteNode() throws Exception {
        site.delete(Types.NODE, NODE);
        Site.await("loss seen", () -> informers.nodes().get(NODE).isEmpty());
    }

    private void pass(Duration time) {
        now.updateAndGet(then -> then.plus(time));
    }

    @Test
    void aVolumeEndsWhenItsNodeStaysAway() throws Exception {
        deleteVolume();
        assertEquals(Result.done(), lost.reconcile(VOLUME), "its node does it");
        deleteNode();
        assertEquals(Result.requeueAfter(GoneNodeVolumeReconciler.GRACE), lost.reconcile(VOLUME));
        pass(GoneNodeVolumeReconciler.GRACE);
        assertEquals(Result.done(), lost.reconcile(VOLUME));
        site.awaitGone(LogicalVolume.TYPE, VOLUME);
    }

    @Test
    void aNodeThatComesBackEndsItsVolumesItself() throws Exception {
        deleteVolume();
        deleteNode();
        assertEquals(Result.requeueAfter(GoneNodeVolumeReconciler.GRACE), lost.reconcile(VOLUME));
        site.kube.withFieldManager("kubelet").create(Types.NODE, Clusters.node(NODE.name()));
        assertEquals(Result.done(), lost.reconcile(VOLUME));
        pass(GoneNodeVolumeReconciler.GRACE);
        deleteNode();
        assertEquals(Result.requeueAfter(GoneNodeVolumeReconciler.GRACE), lost.reconcile(VOLUME));
    }

    /** A machine that takes over the name of one that was given up has disks of its own. */
    @Test
    void theNoteThatItsDisksWereWipedGoesOnceTheNodeHasBeenAwayForLong() throws Exception {
        var group = ObjectKey.of(Site.NAMESPACE, "vg1");
        var note = "wiped.devices.lvms.openshift.io/n1";
        site.createObject(
                LvmVolumeGroup.TYPE,
                group,
                "{'metadata':{'name':'vg1','namespace':'lvms-system','annotations':{'%s':'then'}}}"
                        .formatted(note));
        Site.await("group seen", () -> informers.volumeGroups().get(group).isPresent());
        var gone = new GoneNodeStatusReconciler(site.kube, informers, now::get);
        var key = ObjectKey.of(Site.NAMESPACE, NODE.name());
        assertEquals(Result.done(), gone.reconcile(key));
        deleteNode();
        assertEquals(Result.requeueAfter(GoneNodeStatusReconciler.GRACE), gone.reconcile(key));
        pass(GoneNodeStatusReconciler.GRACE.minusSeconds(1));
        assertEquals(Result.requeueAfter(Duration.ofSeconds(1)), gone.reconcile(key));
        assertTrue(site.kube.get(LvmVolumeGroup.TYPE, group).annotations().containsKey(note));
        pass(Duration.ofSeconds(1));
        assertEquals(Result.done(), gone.reconcile(key));
        assertFalse(site.kube.get(LvmVolumeGroup.TYPE, group).annotations().containsKey(note));
    }

    /** Nothing of the new Node is deleted because the cache still shows the old one. */
    @Safety(5)
    @Test
    void aNodeThatIsThereAgainKeepsItsVolumes() throws Exception {
        var held = site.kube.addFinalizer(Types.NODE, site.kube.get(Types.NODE, NODE), HOLD);
        site.delete(Types.NODE, NODE);
        Site.await(
                "end seen",
                () -> informers.nodes().get(NODE).filter(KubeObject::terminating).isPresent());
        site.server.faults().stallWatches(true);
        site.kube.removeFinalizer(Types.NODE, held, HOLD);
        site.awaitGone(Types.NODE, NODE);
        site.kube.withFieldManager("kubelet").create(Types.NODE, Clusters.node(NODE.name()));
        try (var events = EventRecorder.open(site.kube, "test", "test")) {
            new TerminatingNodeReconciler(site.kube, informers, events, true).reconcile(NODE);
        }
        assertFalse(site.kube.get(LogicalVolume.TYPE, VOLUME).terminating());
    }

    @Test
    void aVolumeThatNobodyDeletesStays() throws Exception {
        deleteNode();
        assertEquals(Result.done(), lost.reconcile(VOLUME));
        pass(GoneNodeVolumeReconciler.GRACE);
        assertEquals(Result.done(), lost.reconcile(VOLUME));
        assertEquals(1, site.kube.get(LogicalVolume.TYPE, VOLUME).finalizers().size());
    }
}
