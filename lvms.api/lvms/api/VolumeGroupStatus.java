package lvms.api;

import lvms.api.field.Fields;
import lvms.api.listing.GroupDevice;
import lvms.api.listing.GroupNames;
import lvms.api.listing.LoopState;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What a node reports about one volume group.
 *
 * @param names the names of the LVMVolumeGroup, its class and its group
 * @param state its state; empty before the first report, or for a word we do not know
 * @param reason what is wrong, empty if nothing is
 * @param devices physical volumes as LVM names them; one {@link #MISSING_DEVICE} for each that is
 *     missing
 * @param excluded devices that it may not use, by name
 * @param discovery how devices were chosen
 * @param raid health of its RAID volumes, only for RAID classes
 * @param unclaimed volumes of ours in it that no LogicalVolume names
 * @param loops loop devices that were set up for it, also those that its class no longer names
 * @param physicalVolumes the same as {@code devices} with more of each, if its class was listed
 */
public record VolumeGroupStatus(
        GroupNames names,
        Optional<VolumeGroupState> state,
        String reason,
        List<String> devices,
        List<ExcludedDevice> excluded,
        EffectiveDiscovery discovery,
        Optional<RaidStatus> raid,
        List<UnclaimedVolume> unclaimed,
        List<LoopState> loops,
        List<GroupDevice> physicalVolumes) {
    /** The name of a device that is missing, as LVM and LVMS have it. */
    public static final String MISSING_DEVICE = "[unknown]";

    /** A reason begins so if it is about a path that has to be usable, and is not. */
    public static final String BAD_PATH = "mandatory device path ";

    public VolumeGroupStatus {
        Objects.requireNonNull(names, "names");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(reason, "reason");
        devices = List.copyOf(devices);
        excluded = List.copyOf(excluded);
        Objects.requireNonNull(discovery, "discovery");
        Objects.requireNonNull(raid, "raid");
        unclaimed = List.copyOf(unclaimed);
        loops = List.copyOf(loops);
        physicalVolumes = List.copyOf(physicalVolumes);
    }

    /** An entry without unclaimed volumes, loop devices, and more of each device. */
    public VolumeGroupStatus(
            GroupNames names,
            Optional<VolumeGroupState> state,
            String reason,
            List<String> devices,
            List<ExcludedDevice> excluded,
            EffectiveDiscovery discovery,
            Optional<RaidStatus> raid) {
        this(
                names, state, reason, devices, excluded, discovery, raid, List.of(), List.of(),
                List.of());
    }

    /** Returns the name of the LVMVolumeGroup. */
    public String name() {
        return names.object();
    }

    /** Returns the name of the device class. */
    public String deviceClass() {
        return names.deviceClass();
    }

    /** Returns the same entry with these unclaimed volumes. */
    public VolumeGroupStatus withUnclaimed(List<UnclaimedVolume> volumes) {
        return with(volumes, loops, physicalVolumes);
    }

    /** Returns the same entry with these loop devices. */
    public VolumeGroupStatus withLoops(List<LoopState> states) {
        return with(unclaimed, states, physicalVolumes);
    }

    /** Returns the same entry with more of each of its devices. */
    public VolumeGroupStatus withPhysicalVolumes(List<GroupDevice> volumes) {
        return with(unclaimed, loops, volumes);
    }

    private VolumeGroupStatus with(
            List<UnclaimedVolume> volumes, List<LoopState> states, List<GroupDevice> members) {
        return new VolumeGroupStatus(
                names, state, reason, devices, excluded, discovery, raid, volumes, states, members);
    }

    /** Returns its devices with what is known of each. */
    public List<GroupDevice> members() {
        return physicalVolumes.isEmpty()
                ? devices.stream().map(name -> new GroupDevice(name, "", false)).toList()
                : physicalVolumes;
    }

    /**
     * A device that was looked at and refused.
     *
     * @param name its name
     * @param reasons why, one text for each rule that it broke, sorted
     * @param paths other names by which the class asks for it, as the user wrote them
     */
    public record ExcludedDevice(String name, List<String> reasons, List<String> paths) {
        public ExcludedDevice {
            Objects.requireNonNull(name, "name");
            reasons = List.copyOf(reasons);
            paths = List.copyOf(paths);
        }

        /** Returns every name by which the class may ask for it. */
        public Stream<String> names() {
            return Stream.concat(Stream.of(name), paths.stream());
        }

        private static ExcludedDevice of(ObjectTree tree) {
            return new ExcludedDevice(
                    Fields.text(tree, "name"), tree.texts("reasons"), tree.texts("paths"));
        }

        private ObjectTree json() {
            var tree = ObjectTree.builder();
            tree.put("name", name);
            tree.put("reasons", ListTree.ofTexts(reasons));
            if (!paths.isEmpty()) {
                tree.put("paths", ListTree.ofTexts(paths));
            }
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
                GroupNames.of(Fields.text(tree, "name"), tree),
                WireText.find(VolumeGroupState.class, Fields.text(tree, "status")),
                Fields.text(tree, "reason"),
                tree.texts("devices"),
                Fields.objects(tree, "excluded", ExcludedDevice::of),
                discovery.isEmpty()
                        ? EffectiveDiscovery.RUNTIME_STATIC
                        : EffectiveDiscovery.of(discovery),
                Fields.object(tree, "raidStatus", RaidStatus::of),
                Fields.objects(tree, "unclaimedVolumes", UnclaimedVolume::of),
                Fields.objects(tree, "loops", LoopState::of),
                Fields.objects(tree, "physicalVolumes", GroupDevice::of));
    }

    /** Returns the JSON form; empty texts and lists are left out. */
    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name());
        names.addTo(tree);
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
        if (!loops.isEmpty()) {
            tree.put("loops", Fields.array(loops, LoopState::json));
        }
        if (!physicalVolumes.isEmpty()) {
            tree.put("physicalVolumes", Fields.array(physicalVolumes, GroupDevice::json));
        }
        return tree.build();
    }

    public boolean is(VolumeGroupState wanted) {
        return state.filter(s -> s == wanted).isPresent();
    }
}
