package lvms.operator.csi;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.attribute.VolumeAttributes;
import lvms.api.filesystem.MkfsOptions;
import lvms.api.snapshot.StoreSize;
import lvms.csi.Sharing;
import lvms.operator.volume.Access;
import lvms.operator.volume.CapacityRange;
import lvms.operator.volume.NodeCapacities;
import lvms.operator.volume.Origin;
import lvms.operator.volume.Placement;
import lvms.operator.volume.VolumeRequest;
import lvms.proto.csi.v1.CreateVolumeRequest;
import lvms.proto.csi.v1.Topology;
import lvms.proto.csi.v1.TopologyRequirement;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeContentSource;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Reads and checks what callers ask for. */
final class Requests {
    private static final String CLAIM = "csi.storage.k8s.io/pvc/";

    private final Driver driver;
    private final NodeCapacities capacities;

    Requests(Driver driver, NodeCapacities capacities) {
        this.driver = driver;
        this.capacities = capacities;
    }

    VolumeRequest volume(CreateVolumeRequest request) throws VolumeException {
        required(request.getName(), "name");
        if (request.getVolumeCapabilitiesCount() == 0) {
            throw invalid("volume_capabilities are missing");
        }
        for (var capability : request.getVolumeCapabilitiesList()) {
            var problem = problem(capability);
            if (problem.isPresent()) {
                throw invalid(problem.get());
            }
        }
        var parameters = request.getParametersMap();
        var attributes = VolumeAttributes.of(driver, request.getModifiableParametersMap());
        return new VolumeRequest(
                request.getName(),
                range(request.getCapacityRange()),
                access(request.getVolumeCapabilities(0), parameters),
                parameters.getOrDefault(driver.deviceClassParameter(), ""),
                parameters.getOrDefault(driver.optionClassParameter(), ""),
                request.hasVolumeContentSource()
                        ? Optional.of(origin(request.getVolumeContentSource()))
                        : Optional.empty(),
                attributes,
                request.hasAccessibilityRequirements()
                        ? placement(request.getAccessibilityRequirements())
                        : new Placement.Anywhere(),
                claim(parameters));
    }

    /** What external-provisioner adds with {@code --extra-create-metadata}. */
    private Map<String, String> claim(Map<String, String> parameters) {
        var namespace = parameters.get(CLAIM + "namespace");
        var name = parameters.get(CLAIM + "name");
        return namespace == null || name == null
                ? Map.of()
                : Map.of(driver.claimNameAnnotation(), namespace + "/" + name);
    }

    static void required(String value, String name) throws VolumeException {
        if (value.isEmpty()) {
            throw invalid(name + " is missing");
        }
    }

    static CapacityRange range(lvms.proto.csi.v1.CapacityRange range) {
        return new CapacityRange(range.getRequiredBytes(), range.getLimitBytes());
    }

    /** Reads what room snapshots of thick volumes get. */
    static StoreSize room(Map<String, String> parameters) throws VolumeException {
        try {
            return StoreSize.of(parameters);
        } catch (IllegalArgumentException e) {
            throw invalid(e.getMessage());
        }
    }

    private static Access access(VolumeCapability capability, Map<String, String> parameters) {
        return capability.hasBlock()
                ? new Access.Block()
                : new Access.Mount(
                        capability.getMount().getFsType(),
                        parameters.getOrDefault(MkfsOptions.PARAMETER, ""),
                        capability.getMount().getMountFlagsList());
    }

    /** Returns why no volume can be used in this way; empty if one can. */
    static Optional<String> problem(VolumeCapability capability) {
        if (!capability.hasBlock() && !capability.hasMount()) {
            return Optional.of("a capability is neither block nor mount");
        }
        return switch (Sharing.of(capability)) {
            case PODS_OF_THE_NODE, ONE_POD -> Optional.empty();
            case UNNAMED -> Optional.of("access_mode is missing or unknown");
            case IMPOSSIBLE ->
                    Optional.of(
                            "access mode "
                                    + capability.getAccessMode().getMode()
                                    + " is not possible for a volume on one node");
        };
    }

    private static Origin origin(VolumeContentSource source) throws VolumeException {
        return switch (source.getTypeCase()) {
            case SNAPSHOT -> new Origin.FromSnapshot(source.getSnapshot().getSnapshotId());
            case VOLUME -> new Origin.FromVolume(source.getVolume().getVolumeId());
            case TYPE_NOT_SET ->
                    throw invalid("volume_content_source is neither a snapshot nor a volume");
        };
    }

    /** The preferred nodes in their order, then the other allowed ones. */
    private Placement placement(TopologyRequirement requirement) throws VolumeException {
        var nodes = new LinkedHashSet<String>();
        var terms = new ArrayList<>(requirement.getPreferredList());
        terms.addAll(requirement.getRequisiteList());
        for (var term : terms) {
            node(term).ifPresent(nodes::add);
        }
        if (nodes.isEmpty()) {
            throw invalid("no topology segment has the key " + driver.topologyKey());
        }
        return new Placement.InOrder(List.copyOf(nodes));
    }

    /** Returns the node of a topology; an unknown value counts as the name of a node. */
    Optional<String> node(Topology topology) {
        var value = topology.getSegmentsOrDefault(driver.topologyKey(), "");
        return value.isEmpty()
                ? Optional.empty()
                : Optional.of(capacities.topology().nodeOf(value).orElse(value));
    }

    static VolumeException invalid(String text) {
        return new VolumeException(StatusCode.INVALID_ARGUMENT, text);
    }
}
