package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;

/**
 * State of one device class on all its nodes.
 *
 * @param name name of the class
 * @param nodes its volume group on each node
 */
public record DeviceClassStatus(String name, List<OnNode> nodes) {
    public DeviceClassStatus {
        Objects.requireNonNull(name, "name");
        nodes = List.copyOf(nodes);
    }

    /**
     * A volume group on a node.
     *
     * @param node name of the node
     * @param volumeGroup what the node reported
     */
    public record OnNode(String node, VolumeGroupStatus volumeGroup) {
        private static OnNode of(ObjectTree tree) {
            return new OnNode(Fields.text(tree, "node"), VolumeGroupStatus.of(tree));
        }

        private ObjectTree json() {
            var tree = ObjectTree.builder();
            tree.put("node", node);
            volumeGroup.json().members().forEach(tree::put);
            return tree.build();
        }
    }

    /** Reads the JSON form. */
    public static DeviceClassStatus of(ObjectTree tree) {
        return new DeviceClassStatus(
                Fields.text(tree, "name"), Fields.objects(tree, "nodeStatus", OnNode::of));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name);
        tree.put("nodeStatus", Fields.array(nodes, OnNode::json));
        return tree.build();
    }
}
