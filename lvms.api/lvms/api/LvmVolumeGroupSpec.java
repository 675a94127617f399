package lvms.api;

import com.google.gson.JsonObject;

import java.util.Objects;
import java.util.Optional;

/**
 * What a volume group shall be on each of its nodes.
 *
 * @param isDefault whether volumes that name no device class come here
 * @param discoveryPolicy what happens to devices that appear later; absent means DYNAMIC, see
 *     {@link #effectiveDiscovery()}
 * @param deviceSelector which devices it may take; absent means every usable one
 * @param nodeSelector which nodes it is for; absent means all
 * @param thinPool its thin pool; absent means thick provisioning
 * @param raid its RAID layout, only for thick provisioning
 */
public record LvmVolumeGroupSpec(
        boolean isDefault,
        Optional<DiscoveryPolicy> discoveryPolicy,
        Optional<DeviceSelector> deviceSelector,
        Optional<NodeTerms> nodeSelector,
        Optional<ThinPoolConfig> thinPool,
        Optional<RaidConfig> raid) {
    /** Checks that nothing is null. */
    public LvmVolumeGroupSpec {
        Objects.requireNonNull(discoveryPolicy, "discoveryPolicy");
        Objects.requireNonNull(deviceSelector, "deviceSelector");
        Objects.requireNonNull(nodeSelector, "nodeSelector");
        Objects.requireNonNull(thinPool, "thinPool");
        Objects.requireNonNull(raid, "raid");
    }

    /**
     * Reads the JSON form.
     *
     * @throws IllegalArgumentException if a value is none that the schema allows
     */
    public static LvmVolumeGroupSpec of(JsonObject tree) {
        return new LvmVolumeGroupSpec(
                Fields.flag(tree, "default"),
                VolumeGroupFields.discoveryPolicy(tree),
                Fields.object(tree, "deviceSelector", DeviceSelector::of),
                Fields.object(tree, "nodeSelector", NodeTerms::of),
                Fields.object(tree, "thinPoolConfig", ThinPoolConfig::of),
                Fields.object(tree, "raidConfig", RaidConfig::of));
    }

    /** Returns the JSON form. */
    public JsonObject json() {
        var tree = new JsonObject();
        tree.addProperty("default", isDefault);
        VolumeGroupFields.add(tree, discoveryPolicy, deviceSelector, nodeSelector, thinPool, raid);
        return tree;
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
