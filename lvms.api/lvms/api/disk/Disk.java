package lvms.api.disk;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One block device of a node, as its agent found it: what it is, and whether it is free.
 *
 * @param name name for people, such as {@code /dev/mapper/mpatha}
 * @param kernelName path by the kernel's name, such as {@code /dev/dm-3}; unique on the node
 * @param links other paths that lead to it, below {@code /dev/disk}
 * @param type {@code disk}, {@code part}, {@code loop}, {@code mpath}, {@code crypt}, ...
 * @param sizeBytes size in bytes
 * @param rotational whether it is a spinning disk
 * @param model model; empty if unknown
 * @param serial serial number; empty if unknown
 * @param content what is on it, such as {@code xfs} or {@code gpt}; empty if nothing is known
 * @param partitions kernel names of its partitions and of the devices on top of it
 * @param group the volume group that it is, or was, a physical volume of; empty if none
 * @param unknownData whether it has data though nothing that is known: only a class that names it
 *     takes it
 * @param obstacles why no class can take it as it is; empty if it is free
 * @param keptFromWipe why it would not even be wiped; empty if a class that may wipe it would
 */
public record Disk(
        String name,
        String kernelName,
        List<String> links,
        String type,
        long sizeBytes,
        boolean rotational,
        String model,
        String serial,
        String content,
        List<String> partitions,
        String group,
        boolean unknownData,
        List<String> obstacles,
        Optional<String> keptFromWipe) {
    public Disk {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(kernelName, "kernelName");
        links = List.copyOf(links);
        partitions = List.copyOf(partitions);
        obstacles = List.copyOf(obstacles);
    }

    /** Reads the JSON form; what is missing is empty. */
    public static Disk of(ObjectTree tree) {
        var name = tree.text("name").orElse("");
        return new Disk(
                name,
                tree.text("kernelName").orElse(name),
                tree.texts("links"),
                tree.text("type").orElse(""),
                tree.number("sizeBytes").orElse(0),
                tree.flag("rotational").orElse(false),
                tree.text("model").orElse(""),
                tree.text("serial").orElse(""),
                tree.text("content").orElse(""),
                tree.texts("partitions"),
                tree.text("volumeGroup").orElse(""),
                tree.flag("unknownData").orElse(false),
                tree.texts("obstacles"),
                tree.text("keptFromWipe"));
    }

    /** Returns the JSON form; what is empty or false is left out. */
    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name);
        add(tree, "kernelName", kernelName.equals(name) ? "" : kernelName);
        add(tree, "links", links);
        add(tree, "type", type);
        tree.put("sizeBytes", sizeBytes);
        add(tree, "rotational", rotational);
        add(tree, "model", model);
        add(tree, "serial", serial);
        add(tree, "content", content);
        add(tree, "partitions", partitions);
        add(tree, "volumeGroup", group);
        add(tree, "unknownData", unknownData);
        add(tree, "obstacles", obstacles);
        add(tree, "keptFromWipe", keptFromWipe.orElse(""));
        return tree.build();
    }

    private static void add(ObjectTree.Builder tree, String name, String text) {
        if (!text.isEmpty()) {
            tree.put(name, text);
        }
    }

    private static void add(ObjectTree.Builder tree, String name, boolean flag) {
        if (flag) {
            tree.put(name, true);
        }
    }

    private static void add(ObjectTree.Builder tree, String name, List<String> texts) {
        if (!texts.isEmpty()) {
            tree.put(name, ListTree.ofTexts(texts));
        }
    }

    /** Returns whether a class may take it, if it has no reason of its own against it. */
    public boolean free() {
        return obstacles.isEmpty() && group.isEmpty();
    }

    /** Returns whether a path leads to it. */
    public boolean isAt(String path) {
        return name.equals(path) || kernelName.equals(path) || links.contains(path);
    }
}
