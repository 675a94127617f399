package lvms.api.listing;

import lvms.api.field.Fields;
import lvms.api.nativestor.NodeObjects;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;

/**
 * The file that is behind a {@link LoopDevice} on a node already, under whatever name.
 *
 * @param node name of the node
 * @param file path of the file on that node's host
 */
public record LoopFile(String node, String file) {
    private static final int NODE_DIGITS = 12;

    public LoopFile {
        Objects.requireNonNull(node, "node");
        Objects.requireNonNull(file, "file");
    }

    /** Reads the JSON form. */
    public static LoopFile of(ObjectTree tree) {
        return new LoopFile(Fields.text(tree, "node"), Fields.text(tree, "file"));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("node", node);
        tree.put("file", file);
        return tree.build();
    }

    /**
     * Returns how a node names a file that it makes: after the volume group, the device and the
     * node, so that it is found again even if nobody remembers it, and is nobody else's in a folder
     * that nodes share. Neither name can have an {@code @}.
     */
    public static String nameOf(String volumeGroup, String loop, String node) {
        var here = NodeObjects.hash(node).substring(0, NODE_DIGITS);
        return volumeGroup + '@' + loop + '@' + here + ".img";
    }
}
