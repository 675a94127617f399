package lvms.api;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * What a node reports about one volume group.
 *
 * @param name name of the volume group and of its device class
 * @param state its state; empty before the first report, or for a word we do not know
 * @param reason what is wrong, empty if nothing is
 * @param devices physical volumes as LVM names them; one {@link #MISSING_DEVICE} for each that is
 *     missing
 * @param excluded devices that it may not use, by name
 * @param discovery how devices were chosen
 * @param raid health of its RAID volumes, only for RAID classes
 * @param unclaimed volumes of ours in it that no LogicalVolume names
 */
public record VolumeGroupStatus(
        String name,
        Optional<VolumeGroupState> state,
        String reason,
        List<String> devices,
        List<ExcludedDevice> excluded,
        EffectiveDiscovery discovery,
        Optional<RaidStatus> raid,
        List<UnclaimedVolume> unclaimed) {
    /** The name of a device that is missing, as LVM and LVMS have it. */
    public static final String MISSING_DEVICE = "[unknown]";

    public VolumeGroupStatus {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(reason, "reason");
        devices = List.copyOf(devices);
        excluded = List.copyOf(excluded);
        Objects.requireNonNull(discovery, "discovery");
        Objects.requireNonNull(raid, "raid");
        unclaimed = List.copyOf(unclaimed);
    }

    /** An entry without unclaimed volumes. */
    public VolumeGroupStatus(
            String name,
            Optional<VolumeGroupState> state,
            String reason,
            List<String> devices,
            List<ExcludedDevice> excluded,
            EffectiveDiscovery discovery,
            Optional<RaidStatus> raid) {
        this(name, state, reason, devices, excluded, discovery, raid, List.of());
    }

    /** Returns the same entry with these unclaimed volumes. */
    public VolumeGroupStatus withUnclaimed(List<UnclaimedVolume> volumes) {
        return new VolumeGroupStatus(
                name, state, reason, devices, excluded, discovery, raid, volumes);
    }

    /**
     * A device that was looked at and refused.
     *
     * @param name its name
     * @param reasons why, one text for each rule that it broke, sorted
     */
    public record ExcludedDevice(String name, List<String> reasons) {
        public ExcludedDevice {
            Objects.requireNonNull(name, "name");
            reasons = List.copyOf(reasons);
        }

        private static ExcludedDevice of(ObjectTree tree) {
            return new ExcludedDevice(Fields.text(tree, "name"), tree.texts("reasons"));
        }

        private ObjectTree json() {
            var tree = ObjectTree.builder();
            tree.put("name", name);
            tree.put("reasons", ListTree.ofTexts(reasons));
            return tree.build();
        }
    }

    /**
     * Reads the JSON form.
     *
     * @throws IllegalArgumentException if the schema does not allow a value
     */
    public static VolumeGroupStatus of(ObjectTree tree) {
        var discovery = Fields.text(tree, "deviceDiscoveryPolicy");
        return new VolumeGroupStatus(
                Fields.text(tree, "name"),
                WireText.find(VolumeGroupState.class, Fields.text(tree, "status")),
                Fields.text(tree, "reason"),
                tree.texts("devices"),
                Fields.objects(tree, "excluded", ExcludedDevice::of),
                discovery.isEmpty()
                        ? EffectiveDiscovery.RUNTIME_STATIC
                        : EffectiveDiscovery.of(discovery),
                Fields.object(tree, "raidStatus", RaidStatus::of),
                Fields.objects(tree, "unclaimedVolumes", UnclaimedVolume::of));
    }

    /** Returns the JSON form; empty texts and lists are left out. */
    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name);
        state.ifPresent(s -> tree.put("status", s.text()));
        Fields.addText(tree, "reason", reason);
        if (!devices.isEmpty()) {
            tree.put("devices", ListTree.ofTexts(devices));
        }
        if (!excluded.isEmpty()) {
            tree.put("excluded", Fields.array(excluded, ExcludedDevice::json));
        }
        tree.put("deviceDiscoveryPolicy", discovery.text());
        raid.ifPresent(r -> tree.put("raidStatus", r.json()));
        if (!unclaimed.isEmpty()) {
            tree.put("unclaimedVolumes", Fields.array(unclaimed, UnclaimedVolume::json));
        }
        return tree.build();
    }

    public boolean is(VolumeGroupState wanted) {
        return state.filter(s -> s == wanted).isPresent();
    }
}
