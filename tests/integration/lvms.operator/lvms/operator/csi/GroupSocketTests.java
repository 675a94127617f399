package lvms.operator.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import lvms.api.StatusCode;
import lvms.csi.SocketChannel;
import lvms.proto.csi.v1.ControllerGrpc;
import lvms.proto.csi.v1.ControllerGrpc.ControllerBlockingStub;
import lvms.proto.csi.v1.CreateSnapshotRequest;
import lvms.proto.csi.v1.CreateVolumeGroupSnapshotRequest;
import lvms.proto.csi.v1.CreateVolumeRequest;
import lvms.proto.csi.v1.DeleteSnapshotRequest;
import lvms.proto.csi.v1.DeleteVolumeGroupSnapshotRequest;
import lvms.proto.csi.v1.GetVolumeGroupSnapshotRequest;
import lvms.proto.csi.v1.GroupControllerGrpc;
import lvms.proto.csi.v1.GroupControllerGrpc.GroupControllerBlockingStub;
import lvms.proto.csi.v1.Snapshot;
import lvms.proto.csi.v1.Topology;
import lvms.proto.csi.v1.TopologyRequirement;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode;
import lvms.proto.csi.v1.VolumeGroupSnapshot;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/** Snapshots of several volumes: all of them, or none. */
@Lasts(seconds = 20)
class GroupSocketTests {
    private static final long GIB = 1L << 30;

    @TempDir Path folder;
    private DriverCluster cluster;
    private SocketChannel channel;
    private String first;
    private String second;

    @BeforeEach
    void start() throws Exception {
        var socket = folder.resolve("csi/csi.sock");
        cluster = new DriverCluster();
        cluster.agent.addNode("n1", 10 * GIB);
        cluster.agent.addNode("n2", 10 * GIB);
        cluster.serveOn(socket);
        cluster.startOperator();
        channel = new SocketChannel(socket);
        first = volume("pvc-1", "n1");
        second = volume("pvc-2", "n1");
    }

    @AfterEach
    void stop() throws Exception {
        channel.close();
        cluster.close();
    }

    private GroupControllerBlockingStub groups() {
        return GroupControllerGrpc.newBlockingStub(channel.grpc())
                .withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    private ControllerBlockingStub controller() {
        return ControllerGrpc.newBlockingStub(channel.grpc())
                .withDeadlineAfter(20, TimeUnit.SECONDS);
    }

    private String volume(String name, String node) {
        return controller()
                .createVolume(
                        CreateVolumeRequest.newBuilder()
                                .setName(name)
                                .addVolumeCapabilities(
                                        VolumeCapability.newBuilder()
                                                .setMount(VolumeCapability.MountVolume.newBuilder())
                                                .setAccessMode(
                                                        AccessMode.newBuilder()
                                                                .setMode(
                                                                        AccessMode.Mode
                                                                                .SINGLE_NODE_WRITER)))
                                .putAllParameters(Map.of("topolvm.io/device-class", "ssd"))
                                .setAccessibilityRequirements(
                                        TopologyRequirement.newBuilder()
                                                .addRequisite(
                                                        Topology.newBuilder()
                                                                .putSegments(
                                                                        "topology.topolvm.io/node",
                                                                        node)))
                                .build())
                .getVolume()
                .getVolumeId();
    }

    private VolumeGroupSnapshot take(String name, String... sources) {
        return groups().createVolumeGroupSnapshot(
                        CreateVolumeGroupSnapshotRequest.newBuilder()
                                .setName(name)
                                .addAllSourceVolumeIds(List.of(sources))
                                .build())
                .getGroupSnapshot();
    }

    private VolumeGroupSnapshot get(String id, String... snapshots) {
        return groups().getVolumeGroupSnapshot(
                        GetVolumeGroupSnapshotRequest.newBuilder()
                                .setGroupSnapshotId(id)
                                .addAllSnapshotIds(List.of(snapshots))
                                .build())
                .getGroupSnapshot();
    }

    private void delete(String id, String... snapshots) {
        var _ =
                groups().deleteVolumeGroupSnapshot(
                                DeleteVolumeGroupSnapshotRequest.newBuilder()
                                        .setGroupSnapshotId(id)
                                        .addAllSnapshotIds(List.of(snapshots))
                                        .build());
    }

    private static Set<String> sources(VolumeGroupSnapshot group) {
        return group.getSnapshotsList().stream()
                .map(Snapshot::getSourceVolumeId)
                .collect(Collectors.toSet());
    }

    private static Status refused(Status.Code code, Runnable call) {
        var failure = assertThrows(StatusRuntimeException.class, call::run);
        assertEquals(code, failure.getStatus().getCode(), failure.getMessage());
        return failure.getStatus();
    }

    private void onlyTheVolumesAreLeft() throws Exception {
        cluster.await("no snapshot is left", () -> cluster.volumes().size() == 2);
    }

    @Test
    void aGroupIsTakenFoundAndRemoved() throws Exception {
        var group = take("group-1", first, second);
        assertTrue(group.getReadyToUse());
        assertEquals(Set.of(first, second), sources(group));
        assertEquals(
                group,
                take("group-1", second, first).toBuilder()
                        .clearSnapshots()
                        .addAllSnapshots(group.getSnapshotsList())
                        .build());
        assertEquals(4, cluster.agent.made());
        assertEquals(Set.of(first, second), sources(get(group.getGroupSnapshotId())));
        delete(group.getGroupSnapshotId());
        delete(group.getGroupSnapshotId());
        onlyTheVolumesAreLeft();
        refused(Status.Code.NOT_FOUND, () -> get(group.getGroupSnapshotId()));
    }

    @Test
    void volumesOfTwoNodesAreRefusedInOneLineAndNothingIsTaken() throws Exception {
        var elsewhere = volume("pvc-3", "n2");
        var status =
                refused(Status.Code.FAILED_PRECONDITION, () -> take("group-1", first, elsewhere));
        assertEquals(
                "snapshots of one instant need volumes of one node, but pvc-1 is on n1 and pvc-3 on"
                        + " n2",
                status.getDescription());
        assertEquals(3, cluster.volumes().size());
    }

    @Test
    void oneThatFailsTakesTheOthersWithIt() throws Exception {
        cluster.agent.failNext("group-1." + second, StatusCode.INTERNAL);
        refused(Status.Code.INTERNAL, () -> take("group-1", first, second));
        onlyTheVolumesAreLeft();
        assertEquals(Set.of(first, second), sources(take("group-1", first, second)));
    }

    @Test
    void aSourceThatIsNotThereIsNotFoundAndNothingIsTaken() throws Exception {
        refused(Status.Code.NOT_FOUND, () -> take("group-1", first, "none"));
        onlyTheVolumesAreLeft();
    }

    /** Its snapshots would be of different instants. */
    @Test
    void anAgentThatTakesEachForItselfIsNotBelieved() throws Exception {
        cluster.agent.forgetGroups();
        var status = refused(Status.Code.UNIMPLEMENTED, () -> take("group-1", first, second));
        assertTrue(status.getDescription().contains("node n1"), status.getDescription());
        onlyTheVolumesAreLeft();
    }

    @Test
    void badRequestsAreRefused() {
        refused(Status.Code.INVALID_ARGUMENT, () -> take("", first));
        refused(Status.Code.INVALID_ARGUMENT, () -> take("group-1"));
        refused(Status.Code.INVALID_ARGUMENT, () -> take("group-1", first, first));
        refused(Status.Code.INVALID_ARGUMENT, () -> get(""));
        refused(Status.Code.INVALID_ARGUMENT, () -> delete(""));
        refused(Status.Code.NOT_FOUND, () -> get("none"));
        delete("none");
    }

    @Test
    void anotherRequestUnderTheNameIsRefused() throws Exception {
        var group = take("group-1", first, second);
        refused(Status.Code.ALREADY_EXISTS, () -> take("group-1", first));
        refused(Status.Code.INVALID_ARGUMENT, () -> get(group.getGroupSnapshotId(), first));
        refused(Status.Code.INVALID_ARGUMENT, () -> delete(group.getGroupSnapshotId(), first));
        assertEquals(4, cluster.volumes().size());
    }

    private void removeAlone(Snapshot member) {
        var _ =
                controller()
                        .deleteSnapshot(
                                DeleteSnapshotRequest.newBuilder()
                                        .setSnapshotId(member.getSnapshotId())
                                        .build());
    }

    /** A snapshot that is taken anew would be of another instant than those that are left. */
    @Test
    void aGroupThatLostAMemberKeepsTheOthersAndIsNotFilledUp() throws Exception {
        var group = take("group-1", first, second);
        removeAlone(group.getSnapshots(0));
        cluster.await("it is gone", () -> cluster.volumes().size() == 3);
        var again = refused(Status.Code.ALREADY_EXISTS, () -> take("group-1", first, second));
        assertEquals(
                "only 1 of the 2 snapshots of group-1 are left; one that is taken now would be of"
                        + " another instant",
                again.getDescription());
        var found = refused(Status.Code.NOT_FOUND, () -> get("group-1"));
        assertEquals(
                "group snapshot group-1 is not whole: 1 of its 2 snapshots are ready",
                found.getDescription());
        assertEquals(3, cluster.volumes().size());
        delete("group-1");
        onlyTheVolumesAreLeft();
        assertEquals(Set.of(first, second), sources(take("group-1", first, second)));
    }

    @Test
    void whatIsSaidOfTheMembersHasToBeTrue() {
        var group = take("group-1", first, second);
        var one = group.getSnapshots(0).getSnapshotId();
        var two = group.getSnapshots(1).getSnapshotId();
        assertEquals(Set.of(first, second), sources(get("group-1", two, one)));
        refused(Status.Code.INVALID_ARGUMENT, () -> get("group-1", one));
        refused(Status.Code.INVALID_ARGUMENT, () -> get("group-1", one, two, "none"));
    }

    /** A volume is what a snapshot can be taken of; a snapshot is none, though it has an id too. */
    @Test
    void aSnapshotHasNoSnapshots() throws Exception {
        var snapshot = take("group-1", first).getSnapshots(0).getSnapshotId();
        refused(Status.Code.NOT_FOUND, () -> take("group-2", snapshot, second));
        var status = refused(Status.Code.NOT_FOUND, () -> takeOne("snapshot-1", snapshot));
        assertEquals("volume " + snapshot + " does not exist", status.getDescription());
        assertEquals(3, cluster.volumes().size());
    }

    private Snapshot takeOne(String name, String source) {
        return controller()
                .createSnapshot(
                        CreateSnapshotRequest.newBuilder()
                                .setName(name)
                                .setSourceVolumeId(source)
                                .build())
                .getSnapshot();
    }

    /** Retention deletes by age: no snapshot may seem older than what is in it. */
    @Test
    void theTimeOfAGroupIsNotBeforeItsSnapshots() throws Exception {
        var before = Instant.now();
        var time = take("group-1", first, second).getCreationTime();
        assertFalse(Instant.ofEpochSecond(time.getSeconds(), time.getNanos()).isBefore(before));
    }

    @Test
    void aMemberMayBeRemovedAlone() throws Exception {
        var group = take("group-1", first, second);
        var member = group.getSnapshots(0);
        removeAlone(member);
        delete(group.getGroupSnapshotId(), member.getSnapshotId());
        onlyTheVolumesAreLeft();
    }
}
