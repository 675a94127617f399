package lvms.api.listing;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * A loop device among the devices of a class, for development.
 *
 * @param name the device, or with {@code auto} the name by which its state is found again
 * @param path folder on the host for the file behind it; only with {@code auto}
 * @param sizeGb size of that file in GiB; only with {@code auto}
 * @param auto whether the node makes the file and the device
 */
public record LoopDevice(String name, Optional<String> path, OptionalInt sizeGb, boolean auto) {
    public LoopDevice {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(sizeGb, "sizeGb");
    }

    /** Reads the JSON form. */
    public static LoopDevice of(ObjectTree tree) {
        return new LoopDevice(
                Fields.text(tree, "name"),
                tree.text("path"),
                Fields.integer(tree, "sizeGb"),
                Fields.flag(tree, "auto"));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name);
        path.ifPresent(folder -> tree.put("path", folder));
        sizeGb.ifPresent(size -> tree.put("sizeGb", size));
        Fields.addFlag(tree, "auto", auto);
        return tree.build();
    }
}
