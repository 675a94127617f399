package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import lvms.api.attribute.AttributeChange;
import lvms.csi.SocketChannel;
import lvms.proto.csi.v1.CapacityRange;
import lvms.proto.csi.v1.ControllerExpandVolumeRequest;
import lvms.proto.csi.v1.ControllerGrpc;
import lvms.proto.csi.v1.ControllerGrpc.ControllerBlockingStub;
import lvms.proto.csi.v1.ControllerModifyVolumeRequest;
import lvms.proto.csi.v1.CreateSnapshotRequest;
import lvms.proto.csi.v1.CreateVolumeRequest;
import lvms.proto.csi.v1.DeleteSnapshotRequest;
import lvms.proto.csi.v1.DeleteVolumeRequest;
import lvms.proto.csi.v1.GetCapacityRequest;
import lvms.proto.csi.v1.IdentityGrpc;
import lvms.proto.csi.v1.ListSnapshotsRequest;
import lvms.proto.csi.v1.ListVolumesRequest;
import lvms.proto.csi.v1.ProbeRequest;
import lvms.proto.csi.v1.Topology;
import lvms.proto.csi.v1.TopologyRequirement;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** External sidecars get from the socket what the controllers do by themselves. */
@Lasts(seconds = 25)
class SocketTests {
    private static final long MIB = 1L << 20;
    private static final long GIB = 1L << 30;

    @TempDir Path folder;
    private DriverCluster cluster;
    private SocketChannel channel;

    @BeforeEach
    void start() throws Exception {
        var socket = folder.resolve("csi/csi.sock");
        cluster = new DriverCluster();
        cluster.agent.addNode("n1", 10 * GIB);
        cluster.agent.addNode("n2", 4 * GIB);
        cluster.serveOn(socket);
        cluster.startOperator();
        channel = new SocketChannel(socket);
    }

    @AfterEach
    void stop() throws Exception {
        channel.close();
        cluster.close();
    }

    private ControllerBlockingStub stub() {
        return ControllerGrpc.newBlockingStub(channel.grpc())
                .withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    private static CreateVolumeRequest.Builder volume(String name, long bytes) {
        return CreateVolumeRequest.newBuilder()
                .setName(name)
                .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(bytes))
                .putParameters("topolvm.io/device-class", "ssd")
                .addVolumeCapabilities(
                        VolumeCapability.newBuilder()
                                .setBlock(VolumeCapability.BlockVolume.getDefaultInstance())
                                .setAccessMode(
                                        AccessMode.newBuilder()
                                                .setMode(AccessMode.Mode.SINGLE_NODE_WRITER)));
    }

    private static Topology on(String node) {
        return Topology.newBuilder().putSegments("topology.topolvm.io/node", node).build();
    }

    private static Status.Code code(Runnable call) {
        return assertThrows(StatusRuntimeException.class, call::run).getStatus().getCode();
    }

    @Test
    void onlyItsOwnerCanReachIt() throws Exception {
        var socket = folder.resolve("csi/csi.sock");
        assertEquals(
                "rw-------", PosixFilePermissions.toString(Files.getPosixFilePermissions(socket)));
        assertEquals(
                "rwx------",
                PosixFilePermissions.toString(Files.getPosixFilePermissions(socket.getParent())));
    }

    private Status.Code probe() {
        try {
            var ready =
                    IdentityGrpc.newBlockingStub(channel.grpc())
                            .withDeadlineAfter(20, TimeUnit.SECONDS)
                            .probe(ProbeRequest.getDefaultInstance());
            return ready.getReady().getValue() ? Status.Code.OK : Status.Code.UNAVAILABLE;
        } catch (StatusRuntimeException e) {
            return e.getStatus().getCode();
        }
    }

    @Test
    void probeFailsWhileTheServerIsAwayAndNoLonger() throws Exception {
        assertEquals(Status.Code.OK, probe());
        cluster.server.faults().answer(r -> r.method().equals("GET"), 1_000_000, 503, "away");
        cluster.server.faults().cutWatches();
        cluster.await("it says so", () -> probe() == Status.Code.FAILED_PRECONDITION);
        cluster.server.faults().clear();
        cluster.await("it is over", () -> probe() == Status.Code.OK);
    }

    @Test
    void theSameNameIsTheSameVolume() {
        var first = stub().createVolume(volume("v", GIB).build()).getVolume();
        var again = stub().createVolume(volume("v", GIB).build()).getVolume();
        assertEquals(first, again);
        assertEquals(
                Status.Code.ALREADY_EXISTS,
                code(() -> stub().createVolume(volume("v", 2 * GIB).build())));
        stub().deleteVolume(
                        DeleteVolumeRequest.newBuilder().setVolumeId(first.getVolumeId()).build());
        stub().deleteVolume(
                        DeleteVolumeRequest.newBuilder().setVolumeId(first.getVolumeId()).build());
        assertEquals(0, cluster.agent.made());
        assertFalse(cluster.page().contains("csi_sidecar_operations_seconds_count"), "not ours");
    }

    @Test
    void goesToThePreferredNodeThatHasRoom() {
        var wishes =
                TopologyRequirement.newBuilder()
                        .addRequisite(on("n1"))
                        .addRequisite(on("n2"))
                        .addPreferred(on("n2"))
                        .addPreferred(on("n1"));
        var small = volume("small", GIB).setAccessibilityRequirements(wishes).build();
        var big = volume("big", 5 * GIB).setAccessibilityRequirements(wishes).build();
        var huge = volume("huge", 50 * GIB).setAccessibilityRequirements(wishes).build();
        assertEquals(on("n2"), stub().createVolume(small).getVolume().getAccessibleTopology(0));
        assertEquals(on("n1"), stub().createVolume(big).getVolume().getAccessibleTopology(0));
        assertEquals(Status.Code.RESOURCE_EXHAUSTED, code(() -> stub().createVolume(huge)));
    }

    @Test
    void withoutAWishTheRoomiestNodeIsTaken() {
        var made = stub().createVolume(volume("v", GIB).build()).getVolume();
        assertEquals(on("n1"), made.getAccessibleTopology(0));
    }

    /** As external-provisioner says it with {@code --extra-create-metadata}. */
    @Test
    void theClaimOfAVolumeIsNoted() throws Exception {
        var claim =
                Map.of(
                        "csi.storage.k8s.io/pvc/name", "data",
                        "csi.storage.k8s.io/pvc/namespace", "team",
                        "csi.storage.k8s.io/pv/name", "v");
        stub().createVolume(volume("v", GIB).putAllParameters(claim).build());
        var volume = cluster.volumes().getFirst();
        var annotation = volume.driver().claimNameAnnotation();
        assertEquals(Optional.of("team/data"), volume.object().annotation(annotation));
    }

    @Test
    void capacityIsThatOfTheTopologyMinusWhatIsPromised() throws Exception {
        var ssd = GetCapacityRequest.newBuilder().putParameters("topolvm.io/device-class", "ssd");
        var everywhere = stub().getCapacity(ssd.build());
        assertEquals(14 * GIB, everywhere.getAvailableCapacity());
        assertEquals(10 * GIB, everywhere.getMaximumVolumeSize().getValue());
        var n2 = ssd.clone().setAccessibleTopology(on("n2")).build();
        assertEquals(4 * GIB, stub().getCapacity(n2).getAvailableCapacity());
        assertEquals(4 * GIB, stub().getCapacity(n2).getMaximumVolumeSize().getValue());
        var nowhere = ssd.clone().setAccessibleTopology(on("n9")).build();
        assertEquals(0, stub().getCapacity(nowhere).getAvailableCapacity());
        var hdd = GetCapacityRequest.newBuilder().putParameters("topolvm.io/device-class", "hdd");
        assertEquals(0, stub().getCapacity(hdd.build()).getAvailableCapacity());
        stub().createVolume(volume("v", GIB).build());
        assertEquals(13 * GIB, stub().getCapacity(ssd.build()).getAvailableCapacity());
    }

    @Test
    void snapshotsAreCutListedAndRestored() {
        var id = stub().createVolume(volume("v", GIB).build()).getVolume().getVolumeId();
        var cut = CreateSnapshotRequest.newBuilder().setName("s").setSourceVolumeId(id).build();
        var snapshot = stub().createSnapshot(cut).getSnapshot();
        assertEquals(snapshot, stub().createSnapshot(cut).getSnapshot());
        var listed =
                stub().listSnapshots(
                                ListSnapshotsRequest.newBuilder().setSourceVolumeId(id).build());
        assertEquals(snapshot, listed.getEntries(0).getSnapshot());
        assertEquals(
                1, stub().listVolumes(ListVolumesRequest.getDefaultInstance()).getEntriesCount());

        var restore = volume("r", GIB);
        restore.getVolumeContentSourceBuilder()
                .getSnapshotBuilder()
                .setSnapshotId(snapshot.getSnapshotId());
        var restored = stub().createVolume(restore.build()).getVolume();
        assertEquals(restore.getVolumeContentSource(), restored.getContentSource());
        stub().deleteSnapshot(
                        DeleteSnapshotRequest.newBuilder()
                                .setSnapshotId(snapshot.getSnapshotId())
                                .build());
        assertEquals(2, cluster.agent.made());
    }

    @Test
    void growsOnceAndAnswersTheRealSize() {
        var id = stub().createVolume(volume("v", GIB).build()).getVolume().getVolumeId();
        var more =
                ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(2 * GIB + 1))
                        .build();
        long expected = 2 * GIB + FakeAgent.EXTENT;
        assertEquals(expected, stub().controllerExpandVolume(more).getCapacityBytes());
        assertEquals(expected, stub().controllerExpandVolume(more).getCapacityBytes());
        var tooMuch =
                more.toBuilder()
                        .setCapacityRange(CapacityRange.newBuilder().setRequiredBytes(50 * GIB));
        assertEquals(
                Status.Code.RESOURCE_EXHAUSTED,
                code(() -> stub().controllerExpandVolume(tooMuch.build())));
    }

    private static CapacityRange exactly(long bytes) {
        return CapacityRange.newBuilder().setRequiredBytes(bytes).setLimitBytes(bytes).build();
    }

    /** Extents have 4 MiB. */
    @Test
    void aSizeThatExtentsCannotGiveIsOutOfRangeAndNothingIsLeft() throws Exception {
        var odd = volume("v", 0).setCapacityRange(exactly(9 * MIB)).build();
        assertEquals(Status.Code.OUT_OF_RANGE, code(() -> stub().createVolume(odd)));
        var filesystem = volume("f", 0).setCapacityRange(exactly(8 * MIB));
        filesystem.getVolumeCapabilitiesBuilder(0).getMountBuilder().setFsType("xfs");
        assertEquals(Status.Code.OUT_OF_RANGE, code(() -> stub().createVolume(filesystem.build())));
        cluster.await("nothing is left", () -> cluster.volumes().isEmpty());
        assertEquals(0, cluster.agent.made());
        var even = odd.toBuilder().setCapacityRange(exactly(12 * MIB)).build();
        assertEquals(12 * MIB, stub().createVolume(even).getVolume().getCapacityBytes());
    }

    @Test
    void growthBeyondTheLimitIsRefusedAndTheSizeStays() throws Exception {
        var id = stub().createVolume(volume("v", 8 * MIB).build()).getVolume().getVolumeId();
        var odd =
                ControllerExpandVolumeRequest.newBuilder()
                        .setVolumeId(id)
                        .setCapacityRange(exactly(9 * MIB))
                        .build();
        assertEquals(Status.Code.OUT_OF_RANGE, code(() -> stub().controllerExpandVolume(odd)));
        assertEquals(8 * MIB, cluster.agent.bytes(id));
        cluster.await(
                "the object asks for what there is",
                () -> cluster.volumes().getFirst().spec().size().bytes() == 8 * MIB);
        var even = odd.toBuilder().setCapacityRange(exactly(12 * MIB)).build();
        assertEquals(12 * MIB, stub().controllerExpandVolume(even).getCapacityBytes());
    }

    @Test
    void aCallThatTimesOutIsFinishedByItsRepetition() throws Exception {
        cluster.agent.hold();
        var hasty =
                ControllerGrpc.newBlockingStub(channel.grpc())
                        .withDeadlineAfter(1, TimeUnit.SECONDS);
        assertEquals(
                Status.Code.DEADLINE_EXCEEDED,
                code(() -> hasty.createVolume(volume("v", GIB).build())));
        cluster.agent.resume();
        stub().createVolume(volume("v", GIB).build());
        assertEquals(1, cluster.agent.made());
        assertTrue(cluster.volumes().size() == 1);
    }

    private static ControllerModifyVolumeRequest modify(String id, String key, String value) {
        return ControllerModifyVolumeRequest.newBuilder()
                .setVolumeId(id)
                .putMutableParameters(key, value)
                .build();
    }

    @Test
    void attributesCanBeChangedAndAnUnknownOneChangesNothing() throws Exception {
        var made = volume("v", GIB).putModifiableParameters("topolvm.io/read-ahead", "64Ki");
        var id = stub().createVolume(made.build()).getVolume().getVolumeId();
        assertEquals("read-ahead=64Ki", attributes());
        stub().controllerModifyVolume(modify(id, "topolvm.io/allocation-policy", "cling"));
        assertEquals("read-ahead=64Ki,allocation-policy=cling", attributes());
        stub().controllerModifyVolume(modify(id, "csi.storage.k8s.io/pvc/name", "data"));
        assertEquals(
                Status.Code.INVALID_ARGUMENT,
                code(() -> stub().controllerModifyVolume(modify(id, "iops", "5"))));
        assertEquals(
                Status.Code.NOT_FOUND,
                code(
                        () ->
                                stub().controllerModifyVolume(
                                                modify("no", "topolvm.io/read-ahead", "none"))));
        assertEquals(
                Status.Code.INVALID_ARGUMENT,
                code(() -> stub().createVolume(made.putModifiableParameters("iops", "5").build())));
        assertEquals("read-ahead=64Ki,allocation-policy=cling", attributes());
    }

    private String attributes() throws Exception {
        return AttributeChange.of(cluster.volumes().getFirst()).applied();
    }
}
