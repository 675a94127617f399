package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.csi.SocketChannel;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.proto.csi.v1.ControllerGrpc;
import lvms.proto.csi.v1.ListSnapshotsRequest;
import lvms.tests.server.Definitions;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * Where NativeStor's place was taken, one operator serves its driver with LogicalVolumes of its
 * group and ours with those of ours. The tests stand in for the agent of the old group.
 */
@Timeout(120)
class OldGroupTests {
    private static final long GIB = 1L << 30;
    private static final ResourceType OLD = Driver.LEGACY.logicalVolumes();

    private DriverCluster cluster;

    @BeforeEach
    void start() throws Exception {
        cluster = new DriverCluster(Drivers.of(Driver.TOPOLVM, Driver.LEGACY));
        Definitions.install(
                cluster.kube, Path.of("deploy/legacy/topolvm.cybozu.com_logicalvolumes.yaml"));
        cluster.agent.addNode("n1", 10 * GIB);
        cluster.create(
                Types.CSI_DRIVER,
                "{'metadata':{'name':'topolvm.cybozu.com','annotations':{"
                        + "'topolvm.io/logicalvolumes-in':'topolvm.cybozu.com'}},'spec':{}}");
        cluster.create(
                Types.STORAGE_CLASS,
                "{'metadata':{'name':'old'},'provisioner':'topolvm.cybozu.com',"
                        + "'parameters':{'topolvm.cybozu.com/device-class':'ssd'},"
                        + "'allowVolumeExpansion':true}");
        cluster.createClass("new", "");
        cluster.startOperator();
    }

    @AfterEach
    void end() throws Exception {
        cluster.close();
    }

    private List<KubeObject> old() throws Exception {
        return cluster.list(OLD);
    }

    private LogicalVolume awaitOld() throws Exception {
        cluster.await("an old LogicalVolume", () -> old().size() == 1);
        return LogicalVolume.of(old().getFirst());
    }

    private void make(LogicalVolume volume, String size) throws Exception {
        cluster.kube.mergePatchStatus(
                OLD,
                volume.object().key(),
                DriverCluster.object(
                        "{'status':{'volumeID':'%s','currentSize':'%s'}}"
                                .formatted(volume.uid(), size)));
    }

    /** What the agent of a node does when an object of it is deleted. */
    private void letGo(String name) throws Exception {
        var key = ObjectKey.cluster(name);
        cluster.await("the object is deleted", () -> cluster.kube.get(OLD, key).terminating());
        cluster.kube.removeFinalizer(
                OLD, cluster.kube.get(OLD, key), Driver.LEGACY.volumeFinalizer());
    }

    @Test
    void aClaimOfAnOldClassLivesInTheOldGroup() throws Exception {
        cluster.createClaim("data", "old", "1Gi", "");
        var volume = awaitOld();
        assertEquals("n1", volume.spec().nodeName());
        assertEquals("ssd", volume.spec().deviceClass());
        make(volume, "1Gi");
        var bound = cluster.kube.get(Types.PV, cluster.awaitVolumeOf("data"));
        assertEquals(Optional.of("topolvm.cybozu.com"), bound.text("spec", "csi", "driver"));
        assertEquals(Optional.of(volume.uid()), bound.text("spec", "csi", "volumeHandle"));
        cluster.patch(
                Types.PVC,
                DriverCluster.claim("data"),
                "{'spec':{'resources':{'requests':{'storage':'2Gi'}}}}");
        cluster.await(
                "the growth is asked for",
                () -> LogicalVolume.of(old().getFirst()).spec().size().bytes() == 2 * GIB);
        make(volume, "2Gi");
        cluster.await(
                "the PersistentVolume has grown",
                () ->
                        cluster.kube
                                .get(Types.PV, bound.key())
                                .text("spec", "capacity", "storage")
                                .filter("2Gi"::equals)
                                .isPresent());
        cluster.delete(Types.PVC, DriverCluster.claim("data"));
        letGo(volume.name());
        cluster.await("nothing is left", () -> old().isEmpty() && cluster.list(Types.PV).isEmpty());
        assertEquals(List.of(), cluster.volumes(), "nothing was in our group");
    }

    /** A volume that is there and was NativeStor's: its object says nothing of claims. */
    @Test
    void aVolumeOfNativeStorIsDeletedWithItsClaim() throws Exception {
        var volume =
                LogicalVolume.of(
                        cluster.create(
                                OLD,
                                "{'metadata':{'name':'pvc-9','finalizers':["
                                        + "'topolvm.cybozu.com/logicalvolume']},'spec':{'name':"
                                        + "'pvc-9','nodeName':'n1','size':'1Gi',"
                                        + "'deviceClass':'ssd'}}"));
        make(volume, "1Gi");
        cluster.create(
                Types.PV,
                "{'metadata':{'name':'pvc-9','annotations':{'pv.kubernetes.io/provisioned-by':"
                        + "'topolvm.cybozu.com'}},'spec':{'capacity':{'storage':'1Gi'},"
                        + "'accessModes':['ReadWriteOnce'],'persistentVolumeReclaimPolicy':"
                        + "'Delete','storageClassName':'old','csi':{'driver':"
                        + "'topolvm.cybozu.com','volumeHandle':'"
                        + volume.uid()
                        + "'}}}");
        cluster.createClaim("data", "old", "1Gi", ",'volumeName':'pvc-9'");
        cluster.awaitBound("data");
        cluster.delete(Types.PVC, DriverCluster.claim("data"));
        letGo("pvc-9");
        cluster.await("nothing is left", () -> old().isEmpty() && cluster.list(Types.PV).isEmpty());
    }

    /** What the agent notes of a snapshot that NativeStor's TopoLVM took, by what it is in LVM. */
    private LogicalVolume snapshotOfTheFork(LogicalVolume of) throws Exception {
        var made =
                LogicalVolume.of(
                        cluster.create(
                                OLD,
                                "{'metadata':{'name':'taken','annotations':{"
                                        + "'topolvm.cybozu.com/snapshot-source-volume':'"
                                        + of.name()
                                        + "','topolvm.cybozu.com/source-volume-id':'"
                                        + of.uid()
                                        + "'},'finalizers':['topolvm.cybozu.com/logicalvolume']},"
                                        + "'spec':{'name':'taken','nodeName':'n1','size':'1Gi',"
                                        + "'deviceClass':'ssd'}}"));
        make(made, "1Gi");
        cluster.create(
                Types.VOLUME_SNAPSHOT_CONTENT,
                "{'metadata':{'name':'taken'},'spec':{'driver':'topolvm.cybozu.com',"
                        + "'deletionPolicy':'Delete','source':{'snapshotHandle':'"
                        + made.uid()
                        + "'},'volumeSnapshotRef':{'namespace':'default','name':'snap'}}}");
        cluster.create(
                Types.VOLUME_SNAPSHOT,
                "{'metadata':{'namespace':'default','name':'snap'},'spec':{'source':"
                        + "{'volumeSnapshotContentName':'taken'}}}");
        return made;
    }

    private LogicalVolume boundData() throws Exception {
        cluster.agent.makeThick("n1");
        cluster.createClaim("data", "old", "1Gi", "");
        var data = awaitOld();
        make(data, "1Gi");
        cluster.awaitBound("data");
        return data;
    }

    /** Has a claim with a source, and its volume made; returns the LogicalVolume. */
    private LogicalVolume copied(String claim, String source, LogicalVolume from) throws Exception {
        int before = old().size();
        cluster.createClaim(claim, "old", "1Gi", source);
        cluster.await("the copy is asked for", () -> old().size() == before + 1);
        var copy =
                old().stream()
                        .map(LogicalVolume::tolerant)
                        .filter(volume -> volume.status().volumeId().isEmpty())
                        .findFirst()
                        .orElseThrow();
        assertEquals(from.name(), copy.spec().source());
        make(copy, "1Gi");
        var pv = cluster.kube.get(Types.PV, cluster.awaitVolumeOf(claim));
        assertEquals(Optional.of("topolvm.cybozu.com"), pv.text("spec", "csi", "driver"));
        return copy;
    }

    @Test
    void aSnapshotOfTheForkIsRestoredAndDeletedInTheOldGroup() throws Exception {
        var data = boundData();
        var taken = snapshotOfTheFork(data);
        SnapshotCase.awaitReady(cluster);
        copied("restored", SnapshotCase.FROM_SNAPSHOT, taken);
        cluster.delete(Types.VOLUME_SNAPSHOT, DriverCluster.claim("snap"));
        letGo("taken");
        cluster.await(
                "content and snapshot are gone",
                () -> cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).isEmpty() && old().size() == 2);
        assertFalse(cluster.kube.get(OLD, data.object().key()).terminating());
        assertEquals(List.of(), cluster.volumes(), "nothing was in our group");
    }

    @Test
    void aSnapshotOfTheForkIsListedByTheSocketOfTheOldDriver(@TempDir Path folder)
            throws Exception {
        var socket = folder.resolve("csi/csi.sock");
        cluster.killOperator();
        cluster.serveOn(Driver.LEGACY, socket);
        cluster.startOperator();
        var data = boundData();
        var taken = snapshotOfTheFork(data);
        SnapshotCase.awaitReady(cluster);
        try (var channel = new SocketChannel(socket)) {
            var listed =
                    ControllerGrpc.newBlockingStub(channel.grpc())
                            .withDeadlineAfter(30, TimeUnit.SECONDS)
                            .listSnapshots(ListSnapshotsRequest.getDefaultInstance())
                            .getEntriesList();
            assertEquals(1, listed.size(), listed.toString());
            var snapshot = listed.getFirst().getSnapshot();
            assertEquals(taken.uid(), snapshot.getSnapshotId());
            assertEquals(data.uid(), snapshot.getSourceVolumeId());
            assertEquals(GIB, snapshot.getSizeBytes());
        }
    }

    /** Volumes of NativeStor get what ours have: snapshots and clones, in their own group. */
    @Test
    void aVolumeOfTheOldGroupIsSnapshottedAndCloned() throws Exception {
        var data = boundData();
        cluster.create(
                Types.VOLUME_SNAPSHOT_CLASS,
                "{'metadata':{'name':'snaps'},'driver':'topolvm.cybozu.com',"
                        + "'deletionPolicy':'Delete'}");
        SnapshotCase.cut(cluster);
        cluster.await("a snapshot is asked for", () -> old().size() == 2);
        var snapshot =
                old().stream()
                        .map(LogicalVolume::tolerant)
                        .filter(LogicalVolume::isSnapshot)
                        .findFirst()
                        .orElseThrow();
        assertEquals(data.name(), snapshot.spec().source());
        make(snapshot, "1Gi");
        SnapshotCase.awaitReady(cluster);
        assertEquals(
                Optional.of(snapshot.uid()),
                SnapshotCase.content(cluster).text("status", "snapshotHandle"));
        copied("cloned", ",'dataSource':{'kind':'PersistentVolumeClaim','name':'data'}", data);
        assertEquals(List.of(), cluster.volumes(), "nothing was in our group");
    }

    /** The bytes of a node are reserved once, whichever driver asks. */
    @Test
    void bothDriversReserveTheSameBytes() throws Exception {
        cluster.createClaim("first", "old", "7Gi", "");
        awaitOld(); // which nobody makes, so the node's report stays as it was
        cluster.createClaim("second", "new", "7Gi", "");
        cluster.awaitEvent("ProvisioningFailed", "7Gi");
        assertEquals(List.of(), cluster.volumes());
        cluster.createClaim("third", "new", "3Gi", "");
        cluster.awaitBound("third");
    }
}
