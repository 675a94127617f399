package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * Which block devices a device class may take.
 *
 * @param paths devices that must be usable, or be in the volume group already, on every node
 * @param optionalPaths devices that are used where they exist
 * @param forceWipe whether to destroy what is on the devices, once per node; absent is not the same
 *     as false, since neither may change into the other
 */
public record DeviceSelector(
        List<String> paths, List<String> optionalPaths, Optional<Boolean> forceWipe) {
    private static final String FORCE_WIPE = "forceWipeDevicesAndDestroyAllData";

    public DeviceSelector {
        paths = List.copyOf(paths);
        optionalPaths = List.copyOf(optionalPaths);
        Objects.requireNonNull(forceWipe, "forceWipe");
    }

    /** Reads the JSON form. */
    public static DeviceSelector of(ObjectTree tree) {
        return new DeviceSelector(
                tree.texts("paths"),
                tree.texts("optionalPaths"),
                tree.has(FORCE_WIPE)
                        ? Optional.of(Fields.flag(tree, FORCE_WIPE))
                        : Optional.empty());
    }

    /** Returns the JSON form; empty lists are left out. */
    public ObjectTree json() {
        var tree = ObjectTree.builder();
        if (!paths.isEmpty()) {
            tree.put("paths", ListTree.ofTexts(paths));
        }
        if (!optionalPaths.isEmpty()) {
            tree.put("optionalPaths", ListTree.ofTexts(optionalPaths));
        }
        forceWipe.ifPresent(flag -> tree.put(FORCE_WIPE, flag));
        return tree.build();
    }

    /** Returns whether the selector names no device at all. */
    public boolean isEmpty() {
        return paths.isEmpty() && optionalPaths.isEmpty();
    }

    /** Returns how many devices the selector names. */
    public int count() {
        return paths.size() + optionalPaths.size();
    }
}
