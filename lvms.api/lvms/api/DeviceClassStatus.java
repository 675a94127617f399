package lvms.api;

import com.google.gson.JsonObject;

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
        private static OnNode of(JsonObject tree) {
            return new OnNode(Fields.text(tree, "node"), VolumeGroupStatus.of(tree));
        }

        private JsonObject json() {
            var tree = new JsonObject();
            tree.addProperty("node", node);
            volumeGroup.json().asMap().forEach(tree::add);
            return tree;
        }
    }

    /** Reads the JSON form. */
    public static DeviceClassStatus of(JsonObject tree) {
        return new DeviceClassStatus(
                Fields.text(tree, "name"), Fields.objects(tree, "nodeStatus", OnNode::of));
    }

    public JsonObject json() {
        var tree = new JsonObject();
        tree.addProperty("name", name);
        tree.add("nodeStatus", Fields.array(nodes, OnNode::json));
        return tree;
    }
}
