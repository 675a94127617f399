package lvms.api.nativestor;

import lvms.api.RaidConfig;
import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * The nodes and devices of a TopolvmCluster, in one of three shapes: every device of every node,
 * the same devices of every node, or a list of classes for each node.
 *
 * @param useAllNodes whether it is for every node
 * @param useAllDevices whether it takes every free device
 * @param useLoop whether loop devices among the listed ones are set up
 * @param volumeGroupName volume group of the shapes for all nodes
 * @param className device class of the shapes for all nodes
 * @param raid RAID layout of that class; absent means none
 * @param devices the same devices of every node; absent is not the same as an empty list
 * @param deviceClasses classes node by node; absent is not the same as an empty list
 */
public record ClusterStorage(
        boolean useAllNodes,
        boolean useAllDevices,
        boolean useLoop,
        String volumeGroupName,
        String className,
        Optional<RaidConfig> raid,
        Optional<List<ListedDevice>> devices,
        Optional<List<NodeClasses>> deviceClasses) {
    private static final String RAID = "raidConfig";

    public ClusterStorage {
        Objects.requireNonNull(volumeGroupName, "volumeGroupName");
        Objects.requireNonNull(className, "className");
        Objects.requireNonNull(raid, "raid");
        devices = devices.map(List::copyOf);
        deviceClasses = deviceClasses.map(List::copyOf);
    }

    /** Reads the JSON form. */
    public static ClusterStorage of(ObjectTree tree) {
        return new ClusterStorage(
                Fields.flag(tree, "useAllNodes"),
                Fields.flag(tree, "useAllDevices"),
                Fields.flag(tree, "useLoop"),
                Fields.text(tree, "volumeGroupName"),
                Fields.text(tree, "className"),
                Fields.object(tree, RAID, RaidConfig::of),
                tree.has("devices")
                        ? Optional.of(Fields.objects(tree, "devices", ListedDevice::of))
                        : Optional.empty(),
                tree.has("deviceClasses")
                        ? Optional.of(Fields.objects(tree, "deviceClasses", NodeClasses::of))
                        : Optional.empty());
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("useAllNodes", useAllNodes);
        tree.put("useAllDevices", useAllDevices);
        tree.put("useLoop", useLoop);
        Fields.addText(tree, "volumeGroupName", volumeGroupName);
        Fields.addText(tree, "className", className);
        raid.ifPresent(r -> tree.put(RAID, r.json()));
        devices.ifPresent(list -> tree.put("devices", Fields.array(list, ListedDevice::json)));
        deviceClasses.ifPresent(
                list -> tree.put("deviceClasses", Fields.array(list, NodeClasses::json)));
        return tree.build();
    }
}
