package lvms.operator.csi;

import static lvms.operator.csi.DriverCluster.claim;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.csi.SocketChannel;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.proto.csi.v1.ControllerGrpc;
import lvms.proto.csi.v1.CreateSnapshotRequest;
import lvms.proto.csi.v1.DeleteSnapshotRequest;
import lvms.proto.csi.v1.DeleteVolumeRequest;
import lvms.proto.csi.v1.GetSnapshotRequest;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A snapshot of a thick volume takes the room of its store, and its volume stays as long as it. */
@Lasts(seconds = 25)
class ThickSnapshotTests extends SnapshotCase {
    private static DriverCluster thick(String parameters) throws Exception {
        var cluster = withClaim();
        cluster.agent.makeThick("n1");
        cluster.remove(Types.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster("snaps"));
        cluster.create(
                Types.VOLUME_SNAPSHOT_CLASS,
                "{'metadata':{'name':'snaps'},'driver':'topolvm.io','deletionPolicy':'Delete',"
                        + "'parameters':{%s}}".formatted(parameters));
        return cluster;
    }

    private static LogicalVolume snapshotIn(DriverCluster cluster) throws Exception {
        return cluster.volumes().stream()
                .filter(LogicalVolume::isSnapshot)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void itIsAsLargeAsItsVolumeAndTakesAFifthOfThat() throws Exception {
        try (var cluster = thick("")) {
            cluster.createClaim("large", "fast", "5Gi", "");
            cluster.awaitBound("large");
            cut(cluster, "large");
            awaitReady(cluster);
            assertEquals(5 * GIB, content(cluster).number("status", "restoreSize").orElseThrow());
            var snapshot = snapshotIn(cluster);
            assertEquals(5 * GIB, snapshot.spec().size().bytes());
            assertEquals(GIB, cluster.agent.bytes(snapshot.uid()));
        }
    }

    @Test
    void theClassSaysHowMuchItTakes() throws Exception {
        try (var cluster = thick("'lvms.topolvm.io/snapshot-size':'768Mi'")) {
            cut(cluster);
            awaitReady(cluster);
            assertEquals(3 * GIB / 4, cluster.agent.bytes(snapshotIn(cluster).uid()));
        }
    }

    @Test
    void aSizeThatNobodyCanReadIsToldAndNothingIsBegun() throws Exception {
        try (var cluster = thick("'lvms.topolvm.io/snapshot-size':'much'")) {
            cut(cluster);
            var text = cluster.awaitEvent("SnapshotCreationFailed");
            assertTrue(
                    text.contains(
                            "lvms.topolvm.io/snapshot-size: expected 1% to 100%, or a positive size"
                                    + " such as 5Gi, found \"much\""),
                    text);
            assertEquals(1, cluster.volumes().size());
        }
    }

    @Test
    void withTooLittleRoomItIsRefusedBeforeTheNodeIsAsked() throws Exception {
        try (var cluster = thick("")) {
            cluster.createClaim("filler", "fast", "8800Mi", ""); // of 9 GiB that are free
            cluster.awaitBound("filler");
            cut(cluster);
            var text = cluster.awaitEvent("SnapshotCreationFailed");
            assertTrue(text.contains("512MiB requested"), text);
            assertTrue(text.contains("node n1 has"), text);
            assertEquals(0, cluster.agent.refusals());
            cluster.remove(Types.PVC, claim("filler"));
            awaitReady(cluster);
        }
    }

    /** More volumes fit beside it than if it took as much as its volume. */
    @Test
    void whatItLeavesIsFreeForVolumes() throws Exception {
        try (var cluster = thick("")) {
            cut(cluster);
            awaitReady(cluster);
            cluster.createClaim("rest", "fast", "8700Mi", "");
            cluster.awaitBound("rest");
        }
    }

    /** A copy of a volume that is in use is made from a snapshot of its own. */
    @Test
    void aRestoreTakesItsSizeAndACloneAStoreBesides() throws Exception {
        try (var cluster = thick("")) {
            cut(cluster);
            awaitReady(cluster);
            cluster.createClaim("restored", "fast", "2Gi", FROM_SNAPSHOT);
            cluster.createClaim("cloned", "fast", "1Gi", FROM_CLAIM);
            cluster.awaitBound("restored");
            cluster.awaitBound("cloned");
            var copies =
                    cluster.volumes().stream()
                            .filter(v -> v.spec().accessType().equals(LogicalVolume.WRITABLE))
                            .sorted(Comparator.comparing(LogicalVolume::bytes))
                            .toList();
            assertEquals(List.of(GIB, 2 * GIB), copies.stream().map(v -> v.bytes()).toList());
            assertTrue(copies.getFirst().storeBytes().orElse(0) >= GIB / 2);
            assertTrue(copies.getLast().storeBytes().isEmpty());
        }
    }

    @Test
    void withoutRoomForItsStoreACloneIsNotBegun() throws Exception {
        try (var cluster = thick("")) {
            cluster.createClaim("filler", "fast", "7900Mi", ""); // 1316 MiB are left
            cluster.awaitBound("filler");
            cluster.createClaim("cloned", "fast", "1Gi", FROM_CLAIM);
            cluster.awaitEvent("ProvisioningFailed", "1.5GiB requested");
            assertEquals(0, cluster.agent.refusals());
            assertEquals(2, cluster.volumes().size());
        }
    }

    /** The copy takes its time, in which nobody may take its source away. */
    @Test
    void theSourceStaysWhileItIsCopied() throws Exception {
        try (var cluster = thick("")) {
            cut(cluster);
            awaitReady(cluster);
            cluster.agent.hold();
            cluster.createClaim("restored", "fast", "1Gi", FROM_SNAPSHOT);
            cluster.await("it was begun", () -> cluster.volumes().size() == 3);
            cluster.delete(Types.VOLUME_SNAPSHOT, claim("snap"));
            cluster.await("it is asked", () -> snapshot(cluster).terminating());
            assertTrue(!snapshotIn(cluster).object().terminating());
            cluster.agent.resume();
            cluster.awaitBound("restored");
            cluster.await(
                    "content and snapshot are gone",
                    () ->
                            cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).isEmpty()
                                    && cluster.volumes().size() == 2);
        }
    }

    private static final String FROM_CLAIM =
            ",'dataSource':{'kind':'PersistentVolumeClaim','name':'data'}";

    private static final String LOST = "the snapshot is lost: no room in volume group vg1";

    /** The spec says neither that it is one nor of what; its node has found that out. */
    @Test
    void oneThatNativestorsTopolvmTookIsRestoredAndDeleted() throws Exception {
        try (var cluster = thick("")) {
            cluster.awaitBound("data");
            var data = cluster.volumes().getFirst();
            var spec =
                    new LogicalVolume.Spec(
                            "old",
                            data.spec().nodeName(),
                            data.spec().size(),
                            data.spec().deviceClass(),
                            "",
                            "",
                            "");
            var source = Map.of(Driver.TOPOLVM.sourceVolumeAnnotation(), data.uid());
            var old =
                    cluster.kube.create(
                            LogicalVolume.TYPE, LogicalVolume.create(Driver.TOPOLVM, spec, source));
            cluster.await("it is there", () -> cluster.agent.made() == 2);
            cluster.create(
                    Types.VOLUME_SNAPSHOT_CONTENT,
                    ("{'metadata':{'name':'old'},'spec':{'driver':'topolvm.io',"
                                    + "'deletionPolicy':'Delete','source':{'snapshotHandle':'%s'},"
                                    + "'volumeSnapshotRef':{'namespace':'default','name':'snap'}}}")
                            .formatted(old.uid()));
            cluster.create(
                    Types.VOLUME_SNAPSHOT,
                    "{'metadata':{'namespace':'default','name':'snap'},'spec':{'source':"
                            + "{'volumeSnapshotContentName':'old'}}}");
            awaitReady(cluster);
            cluster.createClaim("restored", "fast", "1Gi", FROM_SNAPSHOT);
            cluster.awaitBound("restored");
            cluster.remove(Types.VOLUME_SNAPSHOT, claim("snap"));
            cluster.await("it is gone", () -> cluster.agent.made() == 2);
            cluster.requireAlive("data");
        }
    }

    /** Whoever relied on it hears of it, nobody gets half of it, and it can be deleted. */
    @Test
    void oneThatIsLostIsToldAndNeverServed() throws Exception {
        try (var cluster = thick("")) {
            cut(cluster);
            awaitReady(cluster);
            cluster.agent.lose(snapshotIn(cluster), LOST);
            cluster.await(
                    "the content says so",
                    () -> !content(cluster).flag("status", "readyToUse").orElse(true));
            assertEquals(LOST, content(cluster).text("status", "error", "message").orElse(""));
            assertEquals(LOST, cluster.awaitEvent("SnapshotLost"));
            cluster.createClaim("copy", "fast", "1Gi", FROM_SNAPSHOT);
            cluster.awaitEvent("ProvisioningFailed", LOST);
            assertEquals(2, cluster.volumes().size());
            cluster.killOperator();
            cluster.startOperator();
            cluster.awaitEvent("ProvisioningFailed", LOST);
            assertEquals(false, content(cluster).flag("status", "readyToUse").orElse(true));
            cluster.remove(Types.PVC, claim("copy")); // the snapshot-controller waits for it
            cluster.delete(Types.VOLUME_SNAPSHOT, claim("snap"));
            cluster.await(
                    "content and snapshot are gone",
                    () ->
                            cluster.list(Types.VOLUME_SNAPSHOT_CONTENT).isEmpty()
                                    && cluster.volumes().size() == 1);
        }
    }

    /** The content may show it later than the LogicalVolume does. */
    @Test
    void callersOfTheSocketHearOfIt(@TempDir Path folder) throws Exception {
        var socket = folder.resolve("csi/csi.sock");
        try (var cluster = serving(socket)) {
            var handle = handle(cluster);
            try (var channel = new SocketChannel(socket)) {
                var request =
                        CreateSnapshotRequest.newBuilder()
                                .setName("s")
                                .setSourceVolumeId(handle)
                                .build();
                var id = stub(channel).createSnapshot(request).getSnapshot().getSnapshotId();
                cluster.agent.lose(snapshotIn(cluster), LOST);
                cluster.await(
                        "it is not ready",
                        () ->
                                !stub(channel)
                                        .getSnapshot(
                                                GetSnapshotRequest.newBuilder()
                                                        .setSnapshotId(id)
                                                        .build())
                                        .getSnapshot()
                                        .getReadyToUse());
                var again =
                        assertThrows(
                                StatusRuntimeException.class,
                                () -> stub(channel).createSnapshot(request));
                assertTrue(again.getMessage().contains(LOST), again.getMessage());
            }
        }
    }

    /** A cluster with a thick claim {@code data}, whose operator serves the CSI socket. */
    private static DriverCluster serving(Path socket) throws Exception {
        var cluster = new DriverCluster();
        cluster.agent.addNode("n1", 10 * GIB);
        cluster.agent.makeThick("n1");
        cluster.serveOn(socket);
        cluster.startOperator();
        cluster.createClass("fast", "");
        cluster.createClaim("data", "fast", "1Gi", "");
        return cluster;
    }

    private static String handle(DriverCluster cluster) throws Exception {
        return cluster.kube
                .get(Types.PV, cluster.awaitVolumeOf("data"))
                .text("spec", "csi", "volumeHandle")
                .orElseThrow();
    }

    @Test
    void itsVolumeIsKeptUntilItIsGone(@TempDir Path folder) throws Exception {
        var socket = folder.resolve("csi/csi.sock");
        try (var cluster = serving(socket)) {
            var handle = handle(cluster);
            try (var channel = new SocketChannel(socket)) {
                var snapshot =
                        stub(channel)
                                .createSnapshot(
                                        CreateSnapshotRequest.newBuilder()
                                                .setName("s")
                                                .setSourceVolumeId(handle)
                                                .putParameters(
                                                        "lvms.topolvm.io/snapshot-size", "10%")
                                                .build())
                                .getSnapshot();
                assertEquals(GIB, snapshot.getSizeBytes());
                assertEquals(GIB / 2, cluster.agent.bytes(snapshot.getSnapshotId()));
                var delete = DeleteVolumeRequest.newBuilder().setVolumeId(handle).build();
                var kept =
                        assertThrows(
                                StatusRuntimeException.class,
                                () -> stub(channel).deleteVolume(delete));
                assertEquals(Status.Code.FAILED_PRECONDITION, kept.getStatus().getCode());
                assertTrue(
                        kept.getStatus().getDescription().contains(snapshotIn(cluster).name()),
                        kept.getStatus().getDescription());
                stub(channel)
                        .deleteSnapshot(
                                DeleteSnapshotRequest.newBuilder()
                                        .setSnapshotId(snapshot.getSnapshotId())
                                        .build());
                stub(channel).deleteVolume(delete);
                assertEquals(0, cluster.agent.made());
            }
        }
    }

    private static ControllerGrpc.ControllerBlockingStub stub(SocketChannel channel) {
        return ControllerGrpc.newBlockingStub(channel.grpc())
                .withDeadlineAfter(30, TimeUnit.SECONDS);
    }
}
