package lvms.api;

import lvms.k8s.tree.ObjectTree;

import java.util.Objects;
import java.util.Optional;

/**
 * What the volume group of a device class has to be on each of its nodes. A person writes it in a
 * class of an LVMCluster, the operator passes it on in an LVMVolumeGroup, the nodes carry it out:
 * the one place for what the two kinds have in common.
 *
 * @param discoveryPolicy what happens to devices that appear later; absent means DYNAMIC, see
 *     {@link #effectiveDiscovery()}
 * @param deviceSelector which devices it may take; absent means every usable one
 * @param nodeSelector which nodes it is for; absent means all
 * @param thinPool its thin pool; absent means thick provisioning
 * @param raid its RAID layout, only for thick provisioning
 */
public record VolumeGroupTemplate(
        Optional<DiscoveryPolicy> discoveryPolicy,
        Optional<DeviceSelector> deviceSelector,
        Optional<NodeTerms> nodeSelector,
        Optional<ThinPoolConfig> thinPool,
        Optional<RaidConfig> raid) {
    public VolumeGroupTemplate {
        Objects.requireNonNull(discoveryPolicy, "discoveryPolicy");
        Objects.requireNonNull(deviceSelector, "deviceSelector");
        Objects.requireNonNull(nodeSelector, "nodeSelector");
        Objects.requireNonNull(thinPool, "thinPool");
        Objects.requireNonNull(raid, "raid");
    }

    /**
     * Reads the fields out of an object that has others beside them.
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
                Fields.object(tree, "raidConfig", RaidConfig::of));
    }

    /** Writes the fields into an object that has others beside them. */
    void addTo(ObjectTree.Builder tree) {
        discoveryPolicy.ifPresent(p -> tree.put("deviceDiscoveryPolicy", p.text()));
        deviceSelector.ifPresent(s -> tree.put("deviceSelector", s.json()));
        nodeSelector.ifPresent(s -> tree.put("nodeSelector", s.json()));
        thinPool.ifPresent(p -> tree.put("thinPoolConfig", p.json()));
        raid.ifPresent(r -> tree.put("raidConfig", r.json()));
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
