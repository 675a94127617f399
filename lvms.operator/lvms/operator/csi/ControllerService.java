package lvms.operator.csi;

import com.google.protobuf.Int64Value;

import io.grpc.stub.StreamObserver;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.attribute.VolumeAttributes;
import lvms.csi.Calls;
import lvms.k8s.client.ApiException;
import lvms.operator.volume.VolumeService;
import lvms.proto.csi.v1.ControllerExpandVolumeRequest;
import lvms.proto.csi.v1.ControllerExpandVolumeResponse;
import lvms.proto.csi.v1.ControllerGetCapabilitiesRequest;
import lvms.proto.csi.v1.ControllerGetCapabilitiesResponse;
import lvms.proto.csi.v1.ControllerGetVolumeRequest;
import lvms.proto.csi.v1.ControllerGetVolumeResponse;
import lvms.proto.csi.v1.ControllerGrpc;
import lvms.proto.csi.v1.ControllerModifyVolumeRequest;
import lvms.proto.csi.v1.ControllerModifyVolumeResponse;
import lvms.proto.csi.v1.ControllerServiceCapability;
import lvms.proto.csi.v1.ControllerServiceCapability.RPC;
import lvms.proto.csi.v1.CreateSnapshotRequest;
import lvms.proto.csi.v1.CreateSnapshotResponse;
import lvms.proto.csi.v1.CreateVolumeRequest;
import lvms.proto.csi.v1.CreateVolumeResponse;
import lvms.proto.csi.v1.DeleteSnapshotRequest;
import lvms.proto.csi.v1.DeleteSnapshotResponse;
import lvms.proto.csi.v1.DeleteVolumeRequest;
import lvms.proto.csi.v1.DeleteVolumeResponse;
import lvms.proto.csi.v1.GetCapacityRequest;
import lvms.proto.csi.v1.GetCapacityResponse;
import lvms.proto.csi.v1.GetSnapshotRequest;
import lvms.proto.csi.v1.GetSnapshotResponse;
import lvms.proto.csi.v1.ListSnapshotsRequest;
import lvms.proto.csi.v1.ListSnapshotsResponse;
import lvms.proto.csi.v1.ListVolumesRequest;
import lvms.proto.csi.v1.ListVolumesResponse;
import lvms.proto.csi.v1.ValidateVolumeCapabilitiesRequest;
import lvms.proto.csi.v1.ValidateVolumeCapabilitiesResponse;
import lvms.proto.csi.v1.VolumeContentSource;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * The CSI Controller service. Calls that only read answer from informers; the others wait for the
 * node.
 */
public final class ControllerService extends ControllerGrpc.ControllerImplBase {
    private static final List<RPC.Type> CAPABILITIES =
            List.of(
                    RPC.Type.CREATE_DELETE_VOLUME,
                    RPC.Type.LIST_VOLUMES,
                    RPC.Type.GET_CAPACITY,
                    RPC.Type.CREATE_DELETE_SNAPSHOT,
                    RPC.Type.LIST_SNAPSHOTS,
                    RPC.Type.CLONE_VOLUME,
                    RPC.Type.EXPAND_VOLUME,
                    RPC.Type.VOLUME_CONDITION,
                    RPC.Type.GET_VOLUME,
                    RPC.Type.MODIFY_VOLUME,
                    RPC.Type.SINGLE_NODE_MULTI_WRITER,
                    RPC.Type.GET_SNAPSHOT);

    private final VolumeService volumes;
    private final Driver driver;
    private final Calls calls;
    private final Requests requests;
    private final Answers answers;

    /** Serves the volumes of one driver. */
    public ControllerService(VolumeService volumes, Calls calls) {
        this.volumes = volumes;
        this.driver = volumes.driver();
        this.calls = calls;
        this.requests = new Requests(driver, volumes.capacities());
        this.answers = new Answers(driver, volumes.capacities(), volumes.store());
    }

    @Override
    public void controllerGetCapabilities(
            ControllerGetCapabilitiesRequest request,
            StreamObserver<ControllerGetCapabilitiesResponse> observer) {
        var answer = ControllerGetCapabilitiesResponse.newBuilder();
        for (var type : CAPABILITIES) {
            answer.addCapabilities(
                    ControllerServiceCapability.newBuilder()
                            .setRpc(RPC.newBuilder().setType(type)));
        }
        observer.onNext(answer.build());
        observer.onCompleted();
    }

    @Override
    public void createVolume(
            CreateVolumeRequest request, StreamObserver<CreateVolumeResponse> observer) {
        calls.answer("CreateVolume", observer, timeout -> create(request, timeout));
    }

    private CreateVolumeResponse create(CreateVolumeRequest request, Duration timeout)
            throws VolumeException, ApiException, InterruptedException {
        var wanted = requests.volume(request);
        var name = VolumeService.objectName(wanted.name());
        var volume = volumes.await(name, timeout, () -> volumes.create(wanted));
        var source =
                request.hasVolumeContentSource()
                        ? Optional.of(request.getVolumeContentSource())
                        : Optional.<VolumeContentSource>empty();
        return CreateVolumeResponse.newBuilder()
                .setVolume(answers.created(volume, wanted.access(), source))
                .build();
    }

    @Override
    public void deleteVolume(
            DeleteVolumeRequest request, StreamObserver<DeleteVolumeResponse> observer) {
        calls.answer(
                "DeleteVolume",
                observer,
                timeout -> {
                    delete(request.getVolumeId(), "volume_id", false, timeout);
                    return DeleteVolumeResponse.getDefaultInstance();
                });
    }

    @Override
    public void deleteSnapshot(
            DeleteSnapshotRequest request, StreamObserver<DeleteSnapshotResponse> observer) {
        calls.answer(
                "DeleteSnapshot",
                observer,
                timeout -> {
                    delete(request.getSnapshotId(), "snapshot_id", true, timeout);
                    return DeleteSnapshotResponse.getDefaultInstance();
                });
    }

    /**
     * DeleteSnapshot never deletes a volume, and DeleteVolume never deletes a snapshot: for that
     * call it does not exist.
     */
    private void delete(String id, String field, boolean snapshot, Duration timeout)
            throws VolumeException, ApiException, InterruptedException {
        Requests.required(id, field);
        var found = volumes.store().byId(id).filter(volume -> volume.isSnapshot() == snapshot);
        if (found.isPresent()) {
            volumes.requireNoDependents(found.get());
            volumes.await(found.get().name(), timeout, () -> volumes.delete(id));
        }
    }

    @Override
    public void validateVolumeCapabilities(
            ValidateVolumeCapabilitiesRequest request,
            StreamObserver<ValidateVolumeCapabilitiesResponse> observer) {
        calls.answer("ValidateVolumeCapabilities", observer, _ -> validate(request));
    }

    private ValidateVolumeCapabilitiesResponse validate(ValidateVolumeCapabilitiesRequest request)
            throws VolumeException {
        Requests.required(request.getVolumeId(), "volume_id");
        if (request.getVolumeCapabilitiesCount() == 0) {
            throw Requests.invalid("volume_capabilities are missing");
        }
        existing(request.getVolumeId(), false);
        VolumeAttributes.of(driver, request.getModifiableParametersMap());
        var answer = ValidateVolumeCapabilitiesResponse.newBuilder();
        for (var capability : request.getVolumeCapabilitiesList()) {
            var problem = Requests.problem(capability);
            if (problem.isPresent()) {
                return answer.setMessage(problem.get()).build();
            }
        }
        return answer.setConfirmed(
                        ValidateVolumeCapabilitiesResponse.Confirmed.newBuilder()
                                .putAllVolumeContext(request.getVolumeContextMap())
                                .addAllVolumeCapabilities(request.getVolumeCapabilitiesList())
                                .putAllParameters(request.getParametersMap())
                                .putAllModifiableParameters(request.getModifiableParametersMap()))
                .build();
    }

    private LogicalVolume existing(String id, boolean snapshot) throws VolumeException {
        return volumes.store()
                .byId(id)
                .filter(volume -> volume.isSnapshot() == snapshot)
                .orElseThrow(
                        () -> new VolumeException(StatusCode.NOT_FOUND, id + " does not exist"));
    }

    @Override
    public void listVolumes(
            ListVolumesRequest request, StreamObserver<ListVolumesResponse> observer) {
        calls.answer("ListVolumes", observer, _ -> list(request));
    }

    private ListVolumesResponse list(ListVolumesRequest request) throws VolumeException {
        var all = finished(false);
        var page = Paging.of(all, request.getMaxEntries(), request.getStartingToken(), this::entry);
        return ListVolumesResponse.newBuilder()
                .addAllEntries(page.entries())
                .setNextToken(page.nextToken())
                .build();
    }

    private ListVolumesResponse.Entry entry(LogicalVolume volume) {
        return ListVolumesResponse.Entry.newBuilder()
                .setVolume(answers.volume(volume))
                .setStatus(
                        ListVolumesResponse.VolumeStatus.newBuilder()
                                .setVolumeCondition(answers.condition(volume)))
                .build();
    }

    private List<LogicalVolume> finished(boolean snapshots) {
        return volumes.store().all().stream()
                .filter(volume -> volume.isSnapshot() == snapshots)
                .filter(volume -> volume.state() == LogicalVolume.State.READY)
                .toList();
    }

    @Override
    public void controllerGetVolume(
            ControllerGetVolumeRequest request,
            StreamObserver<ControllerGetVolumeResponse> observer) {
        calls.answer(
                "ControllerGetVolume",
                observer,
                _ -> {
                    Requests.required(request.getVolumeId(), "volume_id");
                    var volume = existing(request.getVolumeId(), false);
                    return ControllerGetVolumeResponse.newBuilder()
                            .setVolume(answers.volume(volume))
                            .setStatus(
                                    ControllerGetVolumeResponse.VolumeStatus.newBuilder()
                                            .setVolumeCondition(answers.condition(volume)))
                            .build();
                });
    }

    @Override
    public void getCapacity(
            GetCapacityRequest request, StreamObserver<GetCapacityResponse> observer) {
        calls.answer("GetCapacity", observer, _ -> capacity(request));
    }

    /** A volume is on one node: the largest one is smaller than what several have together. */
    private GetCapacityResponse capacity(GetCapacityRequest request) {
        var capacities = volumes.capacities();
        var deviceClass = request.getParametersOrDefault(driver.deviceClassParameter(), "");
        if (!request.hasAccessibleTopology()) {
            return capacity(
                    capacities.freeEverywhere(deviceClass), capacities.mostFree(deviceClass));
        }
        long free =
                requests.node(request.getAccessibleTopology())
                        .map(node -> capacities.free(node, deviceClass).orElse(0))
                        .orElse(0L);
        return capacity(free, free);
    }

    private static GetCapacityResponse capacity(long availableBytes, long largestBytes) {
        return GetCapacityResponse.newBuilder()
                .setAvailableCapacity(availableBytes)
                .setMaximumVolumeSize(Int64Value.of(largestBytes))
                .build();
    }

    @Override
    public void createSnapshot(
            CreateSnapshotRequest request, StreamObserver<CreateSnapshotResponse> observer) {
        calls.answer("CreateSnapshot", observer, timeout -> snapshot(request, timeout));
    }

    private CreateSnapshotResponse snapshot(CreateSnapshotRequest request, Duration timeout)
            throws VolumeException, ApiException, InterruptedException {
        Requests.required(request.getSourceVolumeId(), "source_volume_id");
        Requests.required(request.getName(), "name");
        var room = Requests.room(request.getParametersMap());
        var source = request.getSourceVolumeId();
        var snapshot =
                volumes.await(
                        VolumeService.objectName(request.getName()),
                        timeout,
                        () -> volumes.snapshot(request.getName(), source, room));
        return CreateSnapshotResponse.newBuilder().setSnapshot(answers.snapshot(snapshot)).build();
    }

    @Override
    public void listSnapshots(
            ListSnapshotsRequest request, StreamObserver<ListSnapshotsResponse> observer) {
        calls.answer("ListSnapshots", observer, _ -> list(request));
    }

    private ListSnapshotsResponse list(ListSnapshotsRequest request) throws VolumeException {
        var id = request.getSnapshotId();
        var source = request.getSourceVolumeId();
        var matching =
                finished(true).stream()
                        .filter(snapshot -> id.isEmpty() || id.equals(snapshot.status().volumeId()))
                        .filter(
                                snapshot ->
                                        source.isEmpty()
                                                || source.equals(answers.sourceId(snapshot)))
                        .toList();
        var page =
                Paging.of(
                        matching,
                        request.getMaxEntries(),
                        request.getStartingToken(),
                        this::snapshotEntry);
        return ListSnapshotsResponse.newBuilder()
                .addAllEntries(page.entries())
                .setNextToken(page.nextToken())
                .build();
    }

    private ListSnapshotsResponse.Entry snapshotEntry(LogicalVolume snapshot) {
        return ListSnapshotsResponse.Entry.newBuilder()
                .setSnapshot(answers.snapshot(snapshot))
                .build();
    }

    @Override
    public void getSnapshot(
            GetSnapshotRequest request, StreamObserver<GetSnapshotResponse> observer) {
        calls.answer(
                "GetSnapshot",
                observer,
                _ -> {
                    Requests.required(request.getSnapshotId(), "snapshot_id");
                    var snapshot = existing(request.getSnapshotId(), true);
                    return GetSnapshotResponse.newBuilder()
                            .setSnapshot(answers.snapshot(snapshot))
                            .build();
                });
    }

    @Override
    public void controllerExpandVolume(
            ControllerExpandVolumeRequest request,
            StreamObserver<ControllerExpandVolumeResponse> observer) {
        calls.answer("ControllerExpandVolume", observer, timeout -> expand(request, timeout));
    }

    private ControllerExpandVolumeResponse expand(
            ControllerExpandVolumeRequest request, Duration timeout)
            throws VolumeException, ApiException, InterruptedException {
        Requests.required(request.getVolumeId(), "volume_id");
        if (!request.hasCapacityRange()) {
            throw Requests.invalid("capacity_range is missing");
        }
        var range = Requests.range(request.getCapacityRange());
        var name = existing(request.getVolumeId(), false).name();
        var grown =
                volumes.await(name, timeout, () -> volumes.expand(request.getVolumeId(), range));
        return ControllerExpandVolumeResponse.newBuilder()
                .setCapacityBytes(grown.bytes())
                .setNodeExpansionRequired(request.getVolumeCapability().hasMount())
                .build();
    }

    @Override
    public void controllerModifyVolume(
            ControllerModifyVolumeRequest request,
            StreamObserver<ControllerModifyVolumeResponse> observer) {
        calls.answer(
                "ControllerModifyVolume",
                observer,
                timeout -> {
                    modify(request, timeout);
                    return ControllerModifyVolumeResponse.getDefaultInstance();
                });
    }

    private void modify(ControllerModifyVolumeRequest request, Duration timeout)
            throws VolumeException, ApiException, InterruptedException {
        var id = request.getVolumeId();
        Requests.required(id, "volume_id");
        var wanted = VolumeAttributes.of(driver, request.getMutableParametersMap());
        var name = existing(id, false).name();
        volumes.await(name, timeout, () -> volumes.modify(id, wanted));
    }
}
