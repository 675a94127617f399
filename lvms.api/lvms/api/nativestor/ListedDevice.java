package lvms.api.nativestor;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;
import java.util.OptionalInt;

/**
 * A device that a TopolvmCluster lists.
 *
 * @param name path of the device; of a loop device that is made, a name of the user's choice
 * @param type {@code disk} or {@code loop}; nothing else ever had an effect
 * @param auto whether file and loop device are made
 * @param path folder on the host for the file
 * @param sizeGb size of the file in GiB
 */
public record ListedDevice(
        String name, String type, boolean auto, String path, OptionalInt sizeGb) {
    private static final String LOOP = "loop";

    public ListedDevice {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(sizeGb, "sizeGb");
    }

    /** Reads the JSON form. */
    public static ListedDevice of(ObjectTree tree) {
        return new ListedDevice(
                Fields.text(tree, "name"),
                Fields.text(tree, "type"),
                Fields.flag(tree, "auto"),
                Fields.text(tree, "path"),
                Fields.integer(tree, "size"));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name);
        Fields.addText(tree, "type", type);
        Fields.addFlag(tree, "auto", auto);
        Fields.addText(tree, "path", path);
        sizeGb.ifPresent(size -> tree.put("size", size));
        return tree.build();
    }

    public boolean loop() {
        return type.equals(LOOP);
    }
}
