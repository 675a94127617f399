package lvms.api.listing;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
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
 * @param files files that it has on nodes already, since another program made it there
 */
public record LoopDevice(
        String name,
        Optional<String> path,
        OptionalInt sizeGb,
        boolean auto,
        List<LoopFile> files) {
    public LoopDevice {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(path, "path");
        Objects.requireNonNull(sizeGb, "sizeGb");
        files = List.copyOf(files);
    }

    /** One of which no node has a file that another program made. */
    public LoopDevice(String name, Optional<String> path, OptionalInt sizeGb, boolean auto) {
        this(name, path, sizeGb, auto, List.of());
    }

    /** Reads the JSON form. */
    public static LoopDevice of(ObjectTree tree) {
        return new LoopDevice(
                Fields.text(tree, "name"),
                tree.text("path"),
                Fields.integer(tree, "sizeGb"),
                Fields.flag(tree, "auto"),
                Fields.objects(tree, "files", LoopFile::of));
    }

    /** Returns the same with these files. */
    public LoopDevice with(List<LoopFile> there) {
        return new LoopDevice(name, path, sizeGb, auto, there);
    }

    /** Returns the file that another program made for it on a node. */
    public Optional<String> fileOn(String node) {
        return files.stream().filter(f -> f.node().equals(node)).map(LoopFile::file).findFirst();
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name);
        path.ifPresent(folder -> tree.put("path", folder));
        sizeGb.ifPresent(size -> tree.put("sizeGb", size));
        Fields.addFlag(tree, "auto", auto);
        if (!files.isEmpty()) {
            tree.put("files", Fields.array(files, LoopFile::json));
        }
        return tree.build();
    }
}
