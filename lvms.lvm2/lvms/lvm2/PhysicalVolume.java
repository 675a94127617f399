package lvms.lvm2;

import java.util.Set;

/**
 * One physical volume, as {@code pvs} reports it. Sizes are bytes.
 *
 * @param device path that LVM uses for it, or {@code [unknown]} while the device is missing
 * @param uuid LVM's UUID of the physical volume
 * @param vgName its volume group, empty if it is in none
 * @param format metadata format, {@code lvm2}; empty for a device that is no physical volume
 * @param sizeBytes usable size
 * @param freeBytes unallocated part of it
 * @param deviceSizeBytes size of the underlying device
 * @param metadataSizeBytes size of its smallest metadata area
 * @param metadataFreeBytes free part of its fullest metadata area
 * @param allocatable whether extents may be allocated on it
 * @param exported whether its group is exported
 * @param missing whether the device is missing
 * @param duplicate whether LVM saw it on more than one device
 * @param tags its tags
 */
public record PhysicalVolume(
        String device,
        String uuid,
        String vgName,
        String format,
        long sizeBytes,
        long freeBytes,
        long deviceSizeBytes,
        long metadataSizeBytes,
        long metadataFreeBytes,
        boolean allocatable,
        boolean exported,
        boolean missing,
        boolean duplicate,
        Set<String> tags) {
    /** Copies the tags. */
    public PhysicalVolume {
        tags = Set.copyOf(tags);
    }
}
