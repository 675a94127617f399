package lvms.operator.topolvmcluster;

import lvms.api.DeviceSelector;
import lvms.api.DiscoveryPolicy;
import lvms.api.LvmVolumeGroup;
import lvms.api.NodeTerms;
import lvms.api.RaidConfig;
import lvms.api.VolumeGroupTemplate;
import lvms.api.listing.GroupListing;
import lvms.api.listing.LoopDevice;
import lvms.api.nativestor.ClusterStorage;
import lvms.api.nativestor.ListedClass;
import lvms.api.nativestor.ListedDevice;
import lvms.api.nativestor.NodeClasses;
import lvms.k8s.object.Quantity;
import lvms.operator.topolvmcluster.rule.StorageShape;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * Turns the storage of a TopolvmCluster into volume groups; {@link Adoption} says which of them may
 * be there already. Pure functions.
 */
final class WantedGroups {
    /** As in NativeStor, a smaller device is not used. */
    private static final Quantity LEAST = Quantity.parse("2Gi");

    private WantedGroups() {}

    /** Returns the volume groups that an accepted storage asks for, in its order. */
    static List<WantedGroup> of(ClusterStorage storage) {
        return switch (StorageShape.of(storage)) {
            case ALL_DEVICES -> List.of(everything(storage));
            case SAME_DEVICES -> ofClass(Optional.empty(), oneClass(storage), storage.useLoop());
            case SAME_DEVICES_OF_LISTED_NODES ->
                    nodes(storage).stream()
                            .map(NodeClasses::nodeName)
                            .flatMap(
                                    node ->
                                            ofClass(
                                                    Optional.of(node),
                                                    oneClass(storage),
                                                    storage.useLoop())
                                                    .stream())
                            .toList();
            case LISTED_CLASSES -> listed(storage);
            case NONE -> List.of();
        };
    }

    private static List<NodeClasses> nodes(ClusterStorage storage) {
        return storage.deviceClasses().orElse(List.of());
    }

    private static List<WantedGroup> listed(ClusterStorage storage) {
        var groups = new ArrayList<WantedGroup>();
        for (var node : nodes(storage)) {
            for (var listed : node.classes()) {
                groups.addAll(ofClass(Optional.of(node.nodeName()), listed, storage.useLoop()));
            }
        }
        return groups;
    }

    private static ListedClass oneClass(ClusterStorage storage) {
        return new ListedClass(
                storage.className(),
                storage.volumeGroupName(),
                storage.devices().orElse(List.of()),
                true,
                OptionalInt.empty(),
                OptionalInt.empty(),
                "",
                storage.raid());
    }

    private static WantedGroup everything(ClusterStorage storage) {
        var listed = oneClass(storage);
        var template =
                template(
                        Optional.of(DiscoveryPolicy.DYNAMIC),
                        Optional.empty(),
                        Optional.empty(),
                        Optional.empty()); // RAID needs a list, and is refused
        var spec = new LvmVolumeGroup.Spec(true, template, listing(listed, false, List.of()));
        return WantedGroup.of(Optional.empty(), spec);
    }

    /** A class without devices asks for no volume group: the one that is there goes. */
    private static List<WantedGroup> ofClass(
            Optional<String> node, ListedClass listed, boolean useLoop) {
        if (listed.devices().isEmpty()) {
            return List.of();
        }
        var template =
                template(
                        Optional.empty(),
                        Optional.of(selector(node, listed.devices(), useLoop)),
                        node.map(WantedGroups::only),
                        listed.raid());
        var loops = useLoop ? loops(listed.devices()) : List.<LoopDevice>of();
        var spec =
                new LvmVolumeGroup.Spec(listed.isDefault(), template, listing(listed, true, loops));
        return List.of(WantedGroup.of(node, spec));
    }

    /**
     * Devices of a node have to be there; of those for all nodes, each node takes what it has. A
     * loop device that nobody is to make stays in the list: as in NativeStor, it is a device that
     * is not there.
     */
    private static DeviceSelector selector(
            Optional<String> node, List<ListedDevice> devices, boolean useLoop) {
        var paths =
                devices.stream()
                        .filter(d -> !(useLoop && made(d)))
                        .map(ListedDevice::name)
                        .distinct()
                        .toList();
        return node.isPresent()
                ? new DeviceSelector(paths, List.of(), Optional.empty())
                : new DeviceSelector(List.of(), paths, Optional.empty());
    }

    /** Returns whether a name in a selector may lead to a device. */
    static boolean isPath(String name) {
        return name.startsWith("/dev/");
    }

    private static boolean made(ListedDevice device) {
        return device.loop() && device.auto();
    }

    private static List<LoopDevice> loops(List<ListedDevice> devices) {
        return devices.stream().filter(ListedDevice::loop).map(WantedGroups::loop).toList();
    }

    private static LoopDevice loop(ListedDevice device) {
        return device.auto()
                ? new LoopDevice(device.name(), Optional.of(device.path()), device.sizeGb(), true)
                : new LoopDevice(device.name(), Optional.empty(), OptionalInt.empty(), false);
    }

    private static NodeTerms only(String node) {
        var name = new NodeTerms.Requirement("metadata.name", "In", List.of(node));
        return new NodeTerms(List.of(new NodeTerms.Term(List.of(), List.of(name))));
    }

    private static VolumeGroupTemplate template(
            Optional<DiscoveryPolicy> discovery,
            Optional<DeviceSelector> devices,
            Optional<NodeTerms> nodes,
            Optional<RaidConfig> raid) {
        return new VolumeGroupTemplate(
                discovery, devices, nodes, Optional.empty(), raid, Optional.empty());
    }

    /**
     * What stays on the disks when the object goes is what is safe: whoever really wants a group to
     * go says so before.
     */
    private static GroupListing listing(
            ListedClass listed, boolean emptying, List<LoopDevice> loops) {
        return new GroupListing(
                Optional.of(listed.className()),
                Optional.of(listed.volumeGroup()),
                OptionalInt.of(positive(listed.spareGb()).orElse(ListedClass.DEFAULT_SPARE_GB)),
                positive(listed.stripe()),
                Optional.of(listed.stripeSize()).filter(size -> !size.isEmpty()),
                Optional.of(LEAST),
                true,
                false,
                List.of(),
                emptying,
                loops);
    }

    // NativeStor left a zero out, as if nothing were set.
    private static OptionalInt positive(OptionalInt number) {
        return number.orElse(0) > 0 ? number : OptionalInt.empty();
    }
}
