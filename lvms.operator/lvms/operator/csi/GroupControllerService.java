package lvms.operator.csi;

import com.google.protobuf.Timestamp;

import io.grpc.stub.StreamObserver;

import lvms.api.LogicalVolume;
import lvms.api.VolumeException;
import lvms.csi.Calls;
import lvms.k8s.client.ApiException;
import lvms.operator.volume.GroupSnapshot;
import lvms.operator.volume.VolumeService;
import lvms.proto.csi.v1.CreateVolumeGroupSnapshotRequest;
import lvms.proto.csi.v1.CreateVolumeGroupSnapshotResponse;
import lvms.proto.csi.v1.DeleteVolumeGroupSnapshotRequest;
import lvms.proto.csi.v1.DeleteVolumeGroupSnapshotResponse;
import lvms.proto.csi.v1.GetVolumeGroupSnapshotRequest;
import lvms.proto.csi.v1.GetVolumeGroupSnapshotResponse;
import lvms.proto.csi.v1.GroupControllerGetCapabilitiesRequest;
import lvms.proto.csi.v1.GroupControllerGetCapabilitiesResponse;
import lvms.proto.csi.v1.GroupControllerGrpc;
import lvms.proto.csi.v1.GroupControllerServiceCapability;
import lvms.proto.csi.v1.GroupControllerServiceCapability.RPC;
import lvms.proto.csi.v1.VolumeGroupSnapshot;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The CSI GroupController service: snapshots of several volumes of one node, all of one instant.
 * Each can be restored from and removed alone, so none carries the id of its group.
 */
public final class GroupControllerService extends GroupControllerGrpc.GroupControllerImplBase {
    private final VolumeService volumes;
    private final Calls calls;
    private final Answers answers;

    /** Serves the volumes of one driver. */
    public GroupControllerService(VolumeService volumes, Calls calls) {
        this.volumes = volumes;
        this.calls = calls;
        this.answers = new Answers(volumes.driver(), volumes.capacities(), volumes.store());
    }

    @Override
    public void groupControllerGetCapabilities(
            GroupControllerGetCapabilitiesRequest request,
            StreamObserver<GroupControllerGetCapabilitiesResponse> observer) {
        var rpc = RPC.newBuilder().setType(RPC.Type.CREATE_DELETE_GET_VOLUME_GROUP_SNAPSHOT);
        observer.onNext(
                GroupControllerGetCapabilitiesResponse.newBuilder()
                        .addCapabilities(GroupControllerServiceCapability.newBuilder().setRpc(rpc))
                        .build());
        observer.onCompleted();
    }

    @Override
    public void createVolumeGroupSnapshot(
            CreateVolumeGroupSnapshotRequest request,
            StreamObserver<CreateVolumeGroupSnapshotResponse> observer) {
        calls.answer("CreateVolumeGroupSnapshot", observer, timeout -> create(request, timeout));
    }

    private CreateVolumeGroupSnapshotResponse create(
            CreateVolumeGroupSnapshotRequest request, Duration timeout)
            throws VolumeException, ApiException, InterruptedException {
        var name = request.getName();
        Requests.required(name, "name");
        var sources = List.copyOf(request.getSourceVolumeIdsList());
        var room = Requests.room(request.getParametersMap());
        var made =
                volumes.await(
                        VolumeService.groupObjects(name, sources),
                        timeout,
                        () -> volumes.groupSnapshot(name, sources, room));
        return CreateVolumeGroupSnapshotResponse.newBuilder()
                .setGroupSnapshot(message(made))
                .build();
    }

    @Override
    public void deleteVolumeGroupSnapshot(
            DeleteVolumeGroupSnapshotRequest request,
            StreamObserver<DeleteVolumeGroupSnapshotResponse> observer) {
        calls.answer(
                "DeleteVolumeGroupSnapshot",
                observer,
                timeout -> {
                    delete(request, timeout);
                    return DeleteVolumeGroupSnapshotResponse.getDefaultInstance();
                });
    }

    private void delete(DeleteVolumeGroupSnapshotRequest request, Duration timeout)
            throws VolumeException, ApiException, InterruptedException {
        var id = request.getGroupSnapshotId();
        Requests.required(id, "group_snapshot_id");
        var members = volumes.membersOf(id);
        requireMembers(request.getSnapshotIdsList(), members, id);
        var names = members.stream().map(LogicalVolume::name).collect(Collectors.toSet());
        boolean _ = volumes.await(names, timeout, () -> volumes.deleteGroup(id));
    }

    @Override
    public void getVolumeGroupSnapshot(
            GetVolumeGroupSnapshotRequest request,
            StreamObserver<GetVolumeGroupSnapshotResponse> observer) {
        calls.answer(
                "GetVolumeGroupSnapshot",
                observer,
                _ -> {
                    var id = request.getGroupSnapshotId();
                    Requests.required(id, "group_snapshot_id");
                    var found = volumes.groupSnapshot(id);
                    found.requireSnapshots(request.getSnapshotIdsList());
                    return GetVolumeGroupSnapshotResponse.newBuilder()
                            .setGroupSnapshot(message(found))
                            .build();
                });
    }

    /** A snapshot that is gone is no mistake: the call may be repeated. */
    private void requireMembers(List<String> ids, List<LogicalVolume> members, String group)
            throws VolumeException {
        for (var id : ids) {
            boolean foreign =
                    members.stream().noneMatch(member -> member.status().volumeId().equals(id))
                            && volumes.store().byId(id).isPresent();
            if (foreign) {
                throw Requests.invalid(id + " is not in group snapshot " + group);
            }
        }
    }

    private VolumeGroupSnapshot message(GroupSnapshot group) {
        var created = group.created();
        var message =
                VolumeGroupSnapshot.newBuilder()
                        .setGroupSnapshotId(group.id())
                        .setCreationTime(
                                Timestamp.newBuilder()
                                        .setSeconds(created.getEpochSecond())
                                        .setNanos(created.getNano()))
                        .setReadyToUse(true);
        group.snapshots().forEach(member -> message.addSnapshots(answers.snapshot(member)));
        return message.build();
    }
}
