package lvms.api.listing;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;

/**
 * The names that belong to one LVMVolumeGroup. They are the same unless its spec says otherwise.
 *
 * @param object name of the LVMVolumeGroup; unique in the cluster
 * @param deviceClass name of the device class, as StorageClasses and LogicalVolumes use it; unique
 *     on each node
 * @param volumeGroup name of the volume group in LVM; unique on each node
 */
public record GroupNames(String object, String deviceClass, String volumeGroup) {
    private static final String DEVICE_CLASS = "deviceClassName";
    private static final String VOLUME_GROUP = "volumeGroupName";

    public GroupNames {
        Objects.requireNonNull(object, "object");
        Objects.requireNonNull(deviceClass, "deviceClass");
        Objects.requireNonNull(volumeGroup, "volumeGroup");
    }

    /** The names of an LVMVolumeGroup that gives none but its own. */
    public static GroupNames of(String object) {
        return new GroupNames(object, object, object);
    }

    /** Reads the names of class and group from an object that has other fields too. */
    public static GroupNames of(String object, ObjectTree tree) {
        return new GroupNames(
                object, orElse(tree, DEVICE_CLASS, object), orElse(tree, VOLUME_GROUP, object));
    }

    private static String orElse(ObjectTree tree, String field, String fallback) {
        return tree.text(field).filter(name -> !name.isEmpty()).orElse(fallback);
    }

    /** Writes the names that differ from the object's. */
    public void addTo(ObjectTree.Builder tree) {
        Fields.addText(tree, DEVICE_CLASS, deviceClass.equals(object) ? "" : deviceClass);
        Fields.addText(tree, VOLUME_GROUP, volumeGroup.equals(object) ? "" : volumeGroup);
    }
}
