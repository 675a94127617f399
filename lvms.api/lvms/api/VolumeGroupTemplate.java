package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;
import java.util.Optional;

/**
 * What the volume group of a device class must look like on each of its nodes. An administrator
 * writes it in a class of an LVMCluster, the operator copies it to an LVMVolumeGroup, and the nodes
 * carry it out. It holds the fields that the two kinds have in common.
 *
 * @param discoveryPolicy what happens to devices that appear later; absent means DYNAMIC, see
 *     {@link #effectiveDiscovery()}
 * @param deviceSelector which devices it may take; absent means every usable one
 * @param nodeSelector which nodes it is for; absent means all
 * @param thinPool its thin pool; absent means thick provisioning
 * @param raid its RAID layout, only for thick provisioning
 * @param erasure how its volumes are erased, only for thick provisioning
 */
public record VolumeGroupTemplate(
        Optional<DiscoveryPolicy> discoveryPolicy,
        Optional<DeviceSelector> deviceSelector,
        Optional<NodeTerms> nodeSelector,
        Optional<ThinPoolConfig> thinPool,
        Optional<RaidConfig> raid,
        Optional<ErasureConfig> erasure) {
    public VolumeGroupTemplate {
        Objects.requireNonNull(discoveryPolicy, "discoveryPolicy");
        Objects.requireNonNull(deviceSelector, "deviceSelector");
        Objects.requireNonNull(nodeSelector, "nodeSelector");
        Objects.requireNonNull(thinPool, "thinPool");
        Objects.requireNonNull(raid, "raid");
        Objects.requireNonNull(erasure, "erasure");
    }

    /**
     * Reads the fields from an object that has other fields too.
     *
     * @throws IllegalArgumentException if the schema does not allow a value
     */
    public static VolumeGroupTemplate of(ObjectTree tree) {
        var policy = Fields.text(tree, "deviceDiscoveryPolicy");
        return new VolumeGroupTemplate(
                policy.isEmpty() ? Optional.empty() : Optional.of(DiscoveryPolicy.of(policy)),
                Fields.object(tree, "deviceSelector", DeviceSelector::of),
                Fields.object(tree, "nodeSelector", NodeTerms::of),
                Fields.object(tree, "thinPoolConfig", ThinPoolConfig::of),
                Fields.object(tree, "raidConfig", RaidConfig::of),
                Fields.object(tree, "erasureConfig", ErasureConfig::of));
    }

    /** Writes the fields to an object that has other fields too. */
    void addTo(ObjectTree.Builder tree) {
        discoveryPolicy.ifPresent(p -> tree.put("deviceDiscoveryPolicy", p.text()));
        deviceSelector.ifPresent(s -> tree.put("deviceSelector", s.json()));
        nodeSelector.ifPresent(s -> tree.put("nodeSelector", s.json()));
        thinPool.ifPresent(p -> tree.put("thinPoolConfig", p.json()));
        raid.ifPresent(r -> tree.put("raidConfig", r.json()));
        erasure.ifPresent(e -> tree.put("erasureConfig", e.json()));
    }

    /** Returns how volumes are erased: a class that says nothing leaks nothing to raw devices. */
    public ErasureConfig effectiveErasure() {
        return erasure.orElse(ErasureConfig.DEFAULT);
    }

    /** Returns the same group with another policy. */
    public VolumeGroupTemplate withDiscovery(Optional<DiscoveryPolicy> policy) {
        return new VolumeGroupTemplate(
                policy, deviceSelector, nodeSelector, thinPool, raid, erasure);
    }

    /** Returns how devices are chosen: paths win, RAID is never dynamic, unset means dynamic. */
    public EffectiveDiscovery effectiveDiscovery() {
        if (raid.isPresent() || deviceSelector.filter(s -> !s.isEmpty()).isPresent()) {
            return EffectiveDiscovery.PRECONFIGURED;
        }
        return discoveryPolicy.orElse(DiscoveryPolicy.DYNAMIC) == DiscoveryPolicy.STATIC
                ? EffectiveDiscovery.RUNTIME_STATIC
                : EffectiveDiscovery.RUNTIME_DYNAMIC;
    }
}
