package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.VolumeAffinity;
import lvms.k8s.client.MergePatch;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.operator.ProvisionerSettings;
import lvms.operator.TopolvmController;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.SizeRules;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The old driver goes on working when its LogicalVolumes are ours: for what is there, and for
 * claims and snapshots of its classes.
 */
@Timeout(60)
class ConvertedDriverTests {
    private static final long GIB = 1L << 30;
    private static final ObjectKey NAME = ObjectKey.cluster("pvc-1");
    private static final String FROM_SNAPSHOT =
            ",'dataSource':{'apiGroup':'snapshot.storage.k8s.io','kind':'VolumeSnapshot',"
                    + "'name':'snap'}";
    private static final String FROM_CLAIM =
            ",'dataSource':{'kind':'PersistentVolumeClaim','name':'data'}";
    private static final String ID = "4a1f0d4e-0000-4000-8000-000000000001";

    @TempDir Path folder;
    private DriverCluster cluster;
    private EventRecorder events;
    private TopolvmController controller;

    @BeforeEach
    void start() throws Exception {
        var drivers = Drivers.of(Driver.TOPOLVM, Driver.CONVERTED);
        cluster = new DriverCluster(drivers);
        cluster.agent.addNode("n1", 10 * GIB);
        converted();
        bound();
        events = EventRecorder.open(cluster.kube, "topolvm-controller", "test");
        controller =
                new TopolvmController(
                        cluster.kube,
                        cluster.kube,
                        OperatorInformers.of(cluster.kube, drivers, DriverCluster.POD.namespace()),
                        new TopolvmController.Settings(
                                Driver.TOPOLVM,
                                SizeRules.DEFAULT,
                                "test",
                                folder.resolve("csi.sock"),
                                true,
                                Optional.of(
                                        new TopolvmController.Alone(
                                                DriverCluster.POD, ProvisionerSettings.DEFAULT))),
                        events,
                        new MetricsRegistry());
        controller.serve();
        controller.lead();
    }

    @AfterEach
    void stop() throws Exception {
        controller.close();
        events.close();
        cluster.close();
    }

    /** The object as a conversion leaves it; its volume has the UID of the former one. */
    private void converted() throws Exception {
        cluster.agent.hold();
        var type = Driver.TOPOLVM.logicalVolumes();
        var spec =
                new LogicalVolume.Spec(NAME.name(), "n1", Quantity.ofBytes(GIB), "ssd", "", "", "");
        var annotations = Map.of(Driver.TOPOLVM.volumeIdAnnotation(), ID);
        var made =
                cluster.kube.create(type, LogicalVolume.create(Driver.TOPOLVM, spec, annotations));
        cluster.kube.mergePatchStatus(
                type,
                MergePatch.of(made)
                        .status(
                                DriverCluster.object(
                                        "{'volumeID':'" + ID + "','currentSize':'1Gi'}")));
    }

    private void bound() throws Exception {
        cluster.create(
                Types.STORAGE_CLASS,
                "{'metadata':{'name':'old'},'provisioner':'topolvm.cybozu.com',"
                        + "'parameters':{'topolvm.cybozu.com/device-class':'ssd'},"
                        + "'allowVolumeExpansion':true}");
        cluster.create(
                Types.PV,
                "{'metadata':{'name':'pvc-1','annotations':{"
                        + "'pv.kubernetes.io/provisioned-by':'topolvm.cybozu.com'},'finalizers':["
                        + "'external-provisioner.volume.kubernetes.io/finalizer']},"
                        + "'spec':{'capacity':{'storage':'1Gi'},'accessModes':['ReadWriteOnce'],"
                        + "'persistentVolumeReclaimPolicy':'Delete','storageClassName':'old',"
                        + "'claimRef':{'namespace':'default','name':'data'},"
                        + "'csi':{'driver':'topolvm.cybozu.com','volumeHandle':'"
                        + ID
                        + "'},'nodeAffinity':{'required':{'nodeSelectorTerms':[{"
                        + "'matchExpressions':[{'key':'topology.topolvm.cybozu.com/node',"
                        + "'operator':'In','values':['n1']}]}]}}}}");
        cluster.createClaim("data", "old", "1Gi", ",'volumeName':'pvc-1'");
        cluster.awaitBound("data");
    }

    private KubeObject volume() throws Exception {
        return cluster.kube.get(Driver.TOPOLVM.logicalVolumes(), NAME);
    }

    /** An agent under the old name has the driver itself, and must not serve it twice. */
    @Test
    void whoServesTheOldDriverItselfServesNothingBesideIt() throws Exception {
        cluster.create(
                Types.CSI_DRIVER,
                "{'metadata':{'name':'topolvm.cybozu.com','annotations':{'"
                        + Drivers.CONVERTED_MARK
                        + "':'topolvm.io'}},'spec':{}}");
        assertEquals(
                Drivers.of(Driver.TOPOLVM, Driver.CONVERTED),
                Drivers.servedWith(cluster.kube, Driver.TOPOLVM));
        assertEquals(Drivers.of(Driver.LEGACY), Drivers.servedWith(cluster.kube, Driver.LEGACY));
    }

    @Test
    void growsAndIsRemovedWithItsVolume() throws Exception {
        cluster.patch(
                Types.PVC,
                DriverCluster.claim("data"),
                "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}");
        cluster.await(
                "its volume is asked to grow",
                () -> LogicalVolume.of(volume()).spec().size().bytes() == 2 * GIB);
        assertEquals(1, cluster.volumes().size());
        cluster.delete(Types.PVC, DriverCluster.claim("data"));
        cluster.await("its volume is being deleted", () -> volume().terminating());
        cluster.agent.resume();
        cluster.awaitNothingLeft();
    }

    private KubeObject persistentVolumeOf(String claim) throws Exception {
        return cluster.kube.get(Types.PV, cluster.awaitVolumeOf(claim));
    }

    /** Returns the object behind a PersistentVolume of the old driver, which is one of ours. */
    private LogicalVolume behind(KubeObject persistentVolume) throws Exception {
        assertEquals(
                "topolvm.cybozu.com", persistentVolume.text("spec", "csi", "driver").orElseThrow());
        assertEquals(Optional.of("n1"), VolumeAffinity.node(persistentVolume, Driver.CONVERTED));
        var id = persistentVolume.text("spec", "csi", "volumeHandle").orElseThrow();
        return LogicalVolume.withId(cluster.volumes(), id).getFirst();
    }

    @Test
    void aNewClaimOfAnOldClassGetsAVolumeOfTheOldDriver() throws Exception {
        cluster.agent.resume();
        cluster.createClaim("new", "old", "3Gi", "");
        var made = behind(persistentVolumeOf("new"));
        assertEquals("ssd", made.spec().deviceClass());
        assertEquals(3 * GIB, made.bytes());
        cluster.delete(Types.PVC, DriverCluster.claim("new"));
        cluster.delete(Types.PVC, DriverCluster.claim("data"));
        cluster.awaitNothingLeft();
    }

    @Test
    void theSchedulerIsToldTheRoomOfAnOldClass() throws Exception {
        cluster.create(
                Types.STORAGE_CLASS,
                "{'metadata':{'name':'waits'},'provisioner':'topolvm.cybozu.com',"
                        + "'parameters':{'topolvm.cybozu.com/device-class':'ssd'},"
                        + "'volumeBindingMode':'WaitForFirstConsumer'}");
        cluster.await(
                "its room is published",
                () ->
                        cluster.list(Types.CSI_STORAGE_CAPACITY).stream()
                                .filter(o -> o.text("storageClassName").orElse("").equals("waits"))
                                .filter(o -> o.text("capacity").orElse("").equals("10Gi"))
                                .map(o -> o.textMap("nodeTopology", "matchLabels"))
                                .anyMatch(
                                        Map.of("topology.topolvm.cybozu.com/node", "n1")::equals));
    }

    @Test
    void aConvertedVolumeIsSnapshotRestoredAndCloned() throws Exception {
        cluster.agent.resume();
        cluster.create(
                Types.VOLUME_SNAPSHOT_CLASS,
                "{'metadata':{'name':'snaps'},'driver':'topolvm.cybozu.com',"
                        + "'deletionPolicy':'Delete'}");
        cluster.create(
                Types.VOLUME_SNAPSHOT,
                "{'metadata':{'namespace':'default','name':'snap'},'spec':{"
                        + "'volumeSnapshotClassName':'snaps','source':{"
                        + "'persistentVolumeClaimName':'data'}}}");
        var snap = DriverCluster.claim("snap");
        cluster.await(
                "the snapshot is ready",
                () ->
                        cluster.kube
                                .get(Types.VOLUME_SNAPSHOT, snap)
                                .flag("status", "readyToUse")
                                .orElse(false));
        var content = cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).getFirst();
        assertEquals("topolvm.cybozu.com", content.text("spec", "driver").orElseThrow());
        cluster.createClaim("restored", "old", "1Gi", FROM_SNAPSHOT);
        var restored = behind(persistentVolumeOf("restored"));
        cluster.createClaim("cloned", "old", "1Gi", FROM_CLAIM);
        assertEquals("pvc-1", behind(persistentVolumeOf("cloned")).spec().source());
        var snapshot = content.text("status", "snapshotHandle").orElseThrow();
        assertEquals(
                restored.spec().source(),
                LogicalVolume.withId(cluster.volumes(), snapshot).getFirst().name());

        cluster.delete(Types.VOLUME_SNAPSHOT, snap);
        cluster.await(
                "its content is gone", () -> cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).isEmpty());
        for (var claim : List.of("restored", "cloned", "data")) {
            cluster.delete(Types.PVC, DriverCluster.claim(claim));
        }
        cluster.awaitNothingLeft();
    }
}
