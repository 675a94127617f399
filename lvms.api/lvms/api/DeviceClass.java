package lvms.api;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One device class of an LVMCluster: one volume group on each of its nodes, one StorageClass.
 *
 * @param name name of the class, of its volume group and of its LVMVolumeGroup
 * @param isDefault whether its StorageClass should be the default of the cluster
 * @param fstype filesystem of its volumes, {@code xfs} or {@code ext4}
 * @param group what its volume group must look like on each of its nodes
 * @param options overrides for its StorageClass
 */
public record DeviceClass(
        String name,
        boolean isDefault,
        String fstype,
        VolumeGroupTemplate group,
        Optional<StorageClassOptions> options) {
    /** Filesystem of a class that names none. */
    public static final String DEFAULT_FSTYPE = "xfs";

    public DeviceClass {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(fstype, "fstype");
        Objects.requireNonNull(group, "group");
        Objects.requireNonNull(options, "options");
    }

    /**
     * Reads one element of {@code spec.storage.deviceClasses}.
     *
     * @throws IllegalArgumentException if the schema does not allow a value
     */
    public static DeviceClass of(ObjectTree tree) {
        var fstype = Fields.text(tree, "fstype");
        return new DeviceClass(
                Fields.text(tree, "name"),
                Fields.flag(tree, "default"),
                fstype.isEmpty() ? DEFAULT_FSTYPE : fstype,
                VolumeGroupTemplate.of(tree),
                Fields.object(tree, "storageClassOptions", StorageClassOptions::of));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name);
        tree.put("default", isDefault);
        tree.put("fstype", fstype);
        group.addTo(tree);
        options.ifPresent(o -> tree.put("storageClassOptions", o.json()));
        return tree.build();
    }

    /** Returns the options in force. */
    public StorageClassOptions effectiveOptions() {
        return options.orElse(StorageClassOptions.DEFAULT);
    }

    /** Returns the required paths. */
    public List<String> paths() {
        return group.deviceSelector().map(DeviceSelector::paths).orElse(List.of());
    }

    public List<String> optionalPaths() {
        return group.deviceSelector().map(DeviceSelector::optionalPaths).orElse(List.of());
    }

    /** Returns whether the class names any device. */
    public boolean hasPaths() {
        return !paths().isEmpty() || !optionalPaths().isEmpty();
    }
}
