package lvms.api;

import com.google.gson.JsonObject;

import java.util.Objects;

/**
 * The spec of an LVMVolumeGroup.
 *
 * @param isDefault whether volumes that name no device class come here
 * @param group what the volume group has to be on each of its nodes
 */
public record LvmVolumeGroupSpec(boolean isDefault, VolumeGroupTemplate group) {
    /** Checks that nothing is null. */
    public LvmVolumeGroupSpec {
        Objects.requireNonNull(group, "group");
    }

    /**
     * Reads the JSON form.
     *
     * @throws IllegalArgumentException if the schema does not allow a value
     */
    public static LvmVolumeGroupSpec of(JsonObject tree) {
        return new LvmVolumeGroupSpec(Fields.flag(tree, "default"), VolumeGroupTemplate.of(tree));
    }

    /** Returns the JSON form. */
    public JsonObject json() {
        var tree = new JsonObject();
        tree.addProperty("default", isDefault);
        group.addTo(tree);
        return tree;
    }
}
