package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;

/**
 * A logical volume of ours that no LogicalVolume names.
 *
 * @param name its name in LVM
 * @param object name of the LogicalVolume that its tag names; empty without one
 * @param size its size
 */
public record UnclaimedVolume(String name, String object, Quantity size) {
    public UnclaimedVolume {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(object, "object");
        Objects.requireNonNull(size, "size");
    }

    static UnclaimedVolume of(ObjectTree tree) {
        return new UnclaimedVolume(
                Fields.text(tree, "name"),
                Fields.text(tree, "object"),
                Fields.quantity(tree, "size").orElse(Quantity.ZERO));
    }

    ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name);
        Fields.addText(tree, "object", object);
        tree.put("size", size.toString());
        return tree.build();
    }
}
