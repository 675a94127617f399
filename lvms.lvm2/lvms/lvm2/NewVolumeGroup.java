package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;

/**
 * A volume group to create ({@code vgcreate}).
 *
 * @param name its name
 * @param devices block devices to make physical volumes of; at least one
 * @param tags its tags, without {@code @}
 * @param metadataSizeBytes size of each metadata area; it cannot grow later, and LVM's own default
 *     of 1 MiB holds about 1,800 volumes
 * @param wipe whether LVM may wipe signatures it finds on the devices; otherwise it refuses them
 *     with {@link LvmException.InUse}
 */
public record NewVolumeGroup(
        String name, List<Path> devices, Set<String> tags, long metadataSizeBytes, boolean wipe) {
    /** Metadata area that holds tens of thousands of volumes. */
    public static final long DEFAULT_METADATA_SIZE_BYTES = 16L << 20;

    public NewVolumeGroup {
        devices = List.copyOf(devices);
        tags = Set.copyOf(tags);
        Grammar.requireVgName(name);
        Grammar.requireDevices(devices);
        tags.forEach(Grammar::requireTag);
        Grammar.requireSize("metadata size", metadataSizeBytes);
    }

    /** A group with the default metadata size that refuses devices with signatures. */
    public NewVolumeGroup(String name, List<Path> devices, Set<String> tags) {
        this(name, devices, tags, DEFAULT_METADATA_SIZE_BYTES, false);
    }
}
