package lvms.api;

import com.google.gson.JsonObject;

import java.util.Optional;

/** The fields that a device class and an LVMVolumeGroup have in common. */
final class VolumeGroupFields {
    private VolumeGroupFields() {}

    static Optional<DiscoveryPolicy> discoveryPolicy(JsonObject tree) {
        var text = Fields.text(tree, "deviceDiscoveryPolicy");
        return text.isEmpty() ? Optional.empty() : Optional.of(DiscoveryPolicy.of(text));
    }

    static void add(
            JsonObject tree,
            Optional<DiscoveryPolicy> discoveryPolicy,
            Optional<DeviceSelector> deviceSelector,
            Optional<NodeTerms> nodeSelector,
            Optional<ThinPoolConfig> thinPool,
            Optional<RaidConfig> raid) {
        discoveryPolicy.ifPresent(p -> tree.addProperty("deviceDiscoveryPolicy", p.text()));
        deviceSelector.ifPresent(s -> tree.add("deviceSelector", s.json()));
        nodeSelector.ifPresent(s -> tree.add("nodeSelector", s.json()));
        thinPool.ifPresent(p -> tree.add("thinPoolConfig", p.json()));
        raid.ifPresent(r -> tree.add("raidConfig", r.json()));
    }
}
