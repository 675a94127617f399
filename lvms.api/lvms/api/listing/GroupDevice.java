package lvms.api.listing;

import lvms.api.field.Fields;
import lvms.k8s.tree.ObjectTree;

import java.util.Objects;

/**
 * A physical volume of a group whose class was listed. The kernel may give a disk another name at
 * each boot; the UUID stays.
 *
 * @param name the device, as {@link lvms.api.VolumeGroupStatus#devices()} has it
 * @param uuid UUID of the physical volume; empty if nobody reported it
 * @param leaving whether the class no longer names the device
 */
public record GroupDevice(String name, String uuid, boolean leaving) {
    public GroupDevice {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(uuid, "uuid");
    }

    /** Reads the JSON form. */
    public static GroupDevice of(ObjectTree tree) {
        return new GroupDevice(
                Fields.text(tree, "name"), Fields.text(tree, "uuid"), Fields.flag(tree, "leaving"));
    }

    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("name", name);
        tree.put("uuid", uuid);
        Fields.addFlag(tree, "leaving", leaving);
        return tree.build();
    }
}
