package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;

/**
 * A physical volume to create on a device, in no group yet. {@link NewVolumeGroup} and {@link
 * VolumeGroups#extend} make physical volumes themselves.
 *
 * @param device the block device
 * @param metadataSizeBytes size of its metadata area, which cannot grow later
 * @param wipe whether LVM may wipe signatures it finds; otherwise it refuses them with {@link
 *     LvmException.InUse}
 */
public record NewPhysicalVolume(Path device, long metadataSizeBytes, boolean wipe) {
    public NewPhysicalVolume {
        Grammar.requireDevices(List.of(device));
        Grammar.requireSize("metadata size", metadataSizeBytes);
    }

    /** One with the default metadata size, on a device without signatures. */
    public NewPhysicalVolume(Path device) {
        this(device, NewVolumeGroup.DEFAULT_METADATA_SIZE_BYTES, false);
    }
}
