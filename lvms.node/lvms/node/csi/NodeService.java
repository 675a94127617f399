package lvms.node.csi;

import io.grpc.stub.StreamObserver;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.csi.Calls;
import lvms.lvm2.LvmException;
import lvms.node.format.Formats;
import lvms.node.volume.LvmFailure;
import lvms.proto.csi.v1.NodeExpandVolumeRequest;
import lvms.proto.csi.v1.NodeExpandVolumeResponse;
import lvms.proto.csi.v1.NodeGetCapabilitiesRequest;
import lvms.proto.csi.v1.NodeGetCapabilitiesResponse;
import lvms.proto.csi.v1.NodeGetInfoRequest;
import lvms.proto.csi.v1.NodeGetInfoResponse;
import lvms.proto.csi.v1.NodeGetVolumeStatsRequest;
import lvms.proto.csi.v1.NodeGetVolumeStatsResponse;
import lvms.proto.csi.v1.NodeGrpc;
import lvms.proto.csi.v1.NodePublishVolumeRequest;
import lvms.proto.csi.v1.NodePublishVolumeResponse;
import lvms.proto.csi.v1.NodeServiceCapability;
import lvms.proto.csi.v1.NodeServiceCapability.RPC;
import lvms.proto.csi.v1.NodeUnpublishVolumeRequest;
import lvms.proto.csi.v1.NodeUnpublishVolumeResponse;
import lvms.proto.csi.v1.Topology;
import lvms.proto.csi.v1.VolumeCondition;
import lvms.proto.csi.v1.VolumeUsage;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * The CSI Node service. Volumes are published from their device straight to the pod: with a local
 * device a staging mount would save nothing, and TopoLVM's volumes have none, so NodeStageVolume
 * stays unimplemented.
 */
public final class NodeService extends NodeGrpc.NodeImplBase {
    private static final Logger LOG = System.getLogger(NodeService.class.getName());

    /**
     * After a boot, kubelet doubles its pause with each call that fails, so a call that comes a
     * moment too soon is better kept waiting. Kubelet waits two minutes for a call.
     */
    private static final Duration STARTING = Duration.ofSeconds(30);

    private static final String HEALTHY = "volume is healthy and operating normally";

    private final NodeIdentity identity;
    private final VolumeDevices devices;
    private final VolumeCalls volumes;
    private final Calls calls = Calls.of("the node agent").withFailures(NodeService::codeOf);
    private final FilesystemPublisher filesystems;
    private final DevicePublisher rawDevices = new DevicePublisher();
    private final KubeletFolders kubelet;
    private final Unpublisher unpublisher;
    private final Consumer<VolumeId> released;
    private final BiConsumer<VolumeId, Optional<String>> conditions;

    /**
     * @param formats where filesystems are made, shared with all that copies volumes
     * @param kubelet kubelet's folder; volumes are published below it alone
     * @param released called after a volume left a target
     * @param conditions told what is wrong with a volume, or that nothing is, whenever kubelet asks
     */
    public NodeService(
            NodeIdentity identity,
            VolumeDevices devices,
            VolumeCalls volumes,
            Formats formats,
            KubeletFolders kubelet,
            Consumer<VolumeId> released,
            BiConsumer<VolumeId, Optional<String>> conditions) {
        this.identity = identity;
        this.devices = devices;
        this.volumes = volumes;
        this.filesystems = new FilesystemPublisher(devices, formats);
        this.kubelet = kubelet;
        this.unpublisher = new Unpublisher(kubelet.root());
        this.released = released;
        this.conditions = conditions;
    }

    /**
     * Who this node is to Kubernetes.
     *
     * @param nodeName name of the Node object
     * @param topologyKey key of the node's topology segment
     * @param offer what pods can have of its volumes
     */
    public record NodeIdentity(String nodeName, String topologyKey, Offer offer) {}

    /** What pods can have of a volume. */
    public enum Offer {
        /** A filesystem or the device, which both can grow. */
        ALL,
        /** The device, whose size never changes; no filesystem is made or mounted. */
        DEVICES
    }

    @Override
    public void nodePublishVolume(
            NodePublishVolumeRequest request, StreamObserver<NodePublishVolumeResponse> answer) {
        calls.answer(
                "NodePublishVolume",
                answer,
                _ -> {
                    var wanted = Publication.of(request);
                    requireOffered(wanted);
                    devices.awaitKnown(STARTING);
                    devices.require(wanted.volume());
                    var group =
                            Optional.ofNullable(
                                    request.getVolumeContextMap()
                                            .get(LogicalVolume.Home.GROUP_ATTRIBUTE));
                    volumes.run(wanted.volume(), () -> publish(wanted.resolved(), group));
                    return NodePublishVolumeResponse.getDefaultInstance();
                });
    }

    private void requireOffered(Publication wanted) throws VolumeException {
        if (identity.offer() == Offer.DEVICES && wanted.access() instanceof Publication.Mounted) {
            throw new VolumeException(
                    StatusCode.INVALID_ARGUMENT,
                    "this driver has no filesystems: the claim has to say volumeMode: Block");
        }
    }

    private Void publish(Publication wanted, Optional<String> group) throws Exception {
        wanted.target().requireBelow(kubelet.root());
        devices.requireHome(wanted.volume(), group);
        var device = devices.active(wanted.volume());
        requireMode(wanted);
        switch (wanted.access()) {
            case Publication.Mounted mounted -> filesystems.publish(wanted, mounted, device);
            case Publication.Raw _ -> rawDevices.publish(wanted, device);
        }
        devices.confirm(wanted.volume(), device);
        LOG.log(
                Level.INFO,
                () -> "volume published volume=" + wanted.volume() + " target=" + wanted.target());
        return null;
    }

    /** The PersistentVolume may have been written anew, by hand or from a backup. */
    private void requireMode(Publication wanted) throws Exception {
        var past = devices.past(wanted.volume(), false);
        boolean block = wanted.access() instanceof Publication.Raw;
        if (block ? past.filesystem() : past.block()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "volume %s was made as volumeMode: %s, and its PersistentVolume says %s: %s"
                            .formatted(
                                    wanted.volume(),
                                    block ? "Filesystem" : "Block",
                                    block ? "Block" : "Filesystem",
                                    "make the PersistentVolume anew with the mode of the volume"));
        }
    }

    @Override
    public void nodeUnpublishVolume(
            NodeUnpublishVolumeRequest request,
            StreamObserver<NodeUnpublishVolumeResponse> answer) {
        calls.answer(
                "NodeUnpublishVolume",
                answer,
                _ -> {
                    var volume = VolumeId.of(request.getVolumeId());
                    var target = TargetPath.of("target_path", request.getTargetPath());
                    volumes.run(volume, () -> unpublish(volume, target.resolved()));
                    released.accept(volume);
                    return NodeUnpublishVolumeResponse.getDefaultInstance();
                });
    }

    private Void unpublish(VolumeId volume, TargetPath target) throws Exception {
        unpublisher.unpublish(volume, target, known(volume));
        kubelet.unpublished(volume);
        LOG.log(Level.INFO, () -> "volume unpublished volume=" + volume + " target=" + target);
        return null;
    }

    /**
     * Returns the device if it can be found; a pod must be able to end even if the volume is gone.
     */
    private Optional<VolumeDevice> known(VolumeId volume) throws Exception {
        try {
            return devices.find(volume);
        } catch (VolumeException e) {
            if (e.code() == StatusCode.NOT_FOUND || e.code() == StatusCode.ABORTED) {
                return Optional.empty();
            }
            throw e;
        }
    }

    @Override
    public void nodeGetVolumeStats(
            NodeGetVolumeStatsRequest request, StreamObserver<NodeGetVolumeStatsResponse> answer) {
        calls.answer(
                "NodeGetVolumeStats",
                answer,
                _ -> {
                    requirePresent("volume_path", request.getVolumePath());
                    var volume = VolumeId.of(request.getVolumeId());
                    devices.require(volume);
                    return volumes.run(volume, () -> stats(volume, request.getVolumePath()));
                });
    }

    private NodeGetVolumeStatsResponse stats(VolumeId volume, String path) throws Exception {
        var device = present(volume);
        var trouble = devices.trouble(volume);
        conditions.accept(volume, trouble); // first: a disk that fails may fail what follows
        return NodeGetVolumeStatsResponse.newBuilder()
                .addAllUsage(usage(path, device, trouble))
                .setVolumeCondition(
                        VolumeCondition.newBuilder()
                                .setAbnormal(trouble.isPresent())
                                .setMessage(trouble.orElse(HEALTHY)))
                .build();
    }

    /** Of a volume in trouble, the condition is the answer, whether or not it can be measured. */
    private static List<VolumeUsage> usage(
            String path, VolumeDevice device, Optional<String> trouble)
            throws VolumeException, IOException {
        try {
            return VolumeUsageReader.at(path, device);
        } catch (IOException e) {
            if (trouble.isEmpty()) {
                throw e;
            }
            LOG.log(
                    Level.WARNING,
                    () -> "usage not read path=%s: %s".formatted(path, e.getMessage()));
            return List.of();
        }
    }

    @Override
    public void nodeExpandVolume(
            NodeExpandVolumeRequest request, StreamObserver<NodeExpandVolumeResponse> answer) {
        calls.answer(
                "NodeExpandVolume",
                answer,
                _ -> {
                    if (identity.offer() == Offer.DEVICES) {
                        throw new VolumeException(
                                StatusCode.UNIMPLEMENTED, "volumes of this driver cannot grow");
                    }
                    requirePresent("volume_path", request.getVolumePath());
                    var volume = VolumeId.of(request.getVolumeId());
                    Expander.requireValid(request.getCapacityRange());
                    devices.require(volume);
                    long size = volumes.run(volume, () -> expand(volume, request));
                    return NodeExpandVolumeResponse.newBuilder().setCapacityBytes(size).build();
                });
    }

    private long expand(VolumeId volume, NodeExpandVolumeRequest request) throws Exception {
        return Expander.expand(
                request.getVolumePath(), request.getCapacityRange(), present(volume));
    }

    private VolumeDevice present(VolumeId volume) throws Exception {
        return devices.find(volume)
                .orElseThrow(
                        () ->
                                new VolumeException(
                                        StatusCode.NOT_FOUND,
                                        "the volume has no active device, so it is not published"
                                                + " here: "
                                                + volume));
    }

    @Override
    public void nodeGetCapabilities(
            NodeGetCapabilitiesRequest request,
            StreamObserver<NodeGetCapabilitiesResponse> answer) {
        calls.answer(
                "NodeGetCapabilities",
                answer,
                _ -> {
                    var declared = NodeGetCapabilitiesResponse.newBuilder();
                    declared.addCapabilities(capability(RPC.Type.GET_VOLUME_STATS));
                    if (identity.offer() == Offer.ALL) {
                        declared.addCapabilities(capability(RPC.Type.EXPAND_VOLUME));
                    }
                    return declared.addCapabilities(capability(RPC.Type.VOLUME_CONDITION))
                            .addCapabilities(capability(RPC.Type.SINGLE_NODE_MULTI_WRITER))
                            .build();
                });
    }

    @Override
    public void nodeGetInfo(
            NodeGetInfoRequest request, StreamObserver<NodeGetInfoResponse> answer) {
        calls.answer(
                "NodeGetInfo",
                answer,
                _ ->
                        NodeGetInfoResponse.newBuilder()
                                .setNodeId(identity.nodeName())
                                .setAccessibleTopology(
                                        Topology.newBuilder()
                                                .putSegments(
                                                        identity.topologyKey(),
                                                        identity.nodeName()))
                                .build());
    }

    private static NodeServiceCapability capability(RPC.Type type) {
        return NodeServiceCapability.newBuilder().setRpc(RPC.newBuilder().setType(type)).build();
    }

    private static void requirePresent(String field, String text) throws VolumeException {
        if (text.isEmpty()) {
            throw new VolumeException(StatusCode.INVALID_ARGUMENT, field + " is missing");
        }
    }

    private static Optional<StatusCode> codeOf(Exception failure) {
        return failure instanceof LvmException e
                ? Optional.of(LvmFailure.codeOf(e))
                : Optional.empty();
    }
}
