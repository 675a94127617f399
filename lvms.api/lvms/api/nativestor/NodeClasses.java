package lvms.api.nativestor;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;

/**
 * The device classes of one node.
 *
 * @param nodeName name of the Node
 * @param classes its device classes
 */
public record NodeClasses(String nodeName, List<ListedClass> classes) {
    public NodeClasses {
        Objects.requireNonNull(nodeName, "nodeName");
        classes = List.copyOf(classes);
    }

    /** Reads the JSON form. */
    public static NodeClasses of(ObjectTree tree) {
        return new NodeClasses(
                Fields.text(tree, "nodeName"), Fields.objects(tree, "classes", ListedClass::of));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("nodeName", nodeName);
        tree.put("classes", Fields.array(classes, ListedClass::json));
        return tree.build();
    }
}
