package lvms.lvm2;

import java.nio.file.Path;
import java.util.Set;

/**
 * One physical volume, as {@code pvs} reports it. Sizes are bytes.
 *
 * @param device path that LVM uses for it, or {@code [unknown]} while the device is missing
 * @param uuid LVM's UUID of the physical volume
 * @param vgName its volume group, empty if it is in none
 * @param format metadata format, {@code lvm2}; empty for a device that is not a physical volume
 * @param sizeBytes usable size
 * @param freeBytes unallocated part of it
 * @param extents number of its extents; 0 if it is in no group
 * @param allocatedExtents number of those that are allocated to volumes
 * @param startBytes where its first extent begins
 * @param deviceSizeBytes size of the underlying device, 0 while it is missing
 * @param metadataSizeBytes size of its smallest metadata area
 * @param metadataFreeBytes free part of its fullest metadata area
 * @param metadataAreas number of its metadata areas that hold the group's metadata
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
        long extents,
        long allocatedExtents,
        long startBytes,
        long deviceSizeBytes,
        long metadataSizeBytes,
        long metadataFreeBytes,
        long metadataAreas,
        boolean allocatable,
        boolean exported,
        boolean missing,
        boolean duplicate,
        Set<String> tags) {
    private static final long SECTOR = 512;
    private static final long ALIGNMENT = 1L << 20;

    public PhysicalVolume {
        tags = Set.copyOf(tags);
    }

    public Identity<Path> identity() {
        return new Identity<>(Path.of(device), uuid);
    }

    /** Returns the allocated part of it. */
    public long usedBytes() {
        return sizeBytes - freeBytes;
    }

    /**
     * Returns the bytes that a device must have for it; without them its last data are lost. LVM
     * reports the whole device as the size of one that has no extents.
     */
    public long neededBytes() {
        return extents == 0 ? 0 : startBytes + sizeBytes;
    }

    /**
     * Returns how many bytes in whole extents it would gain on a device of that size; 0 if it is in
     * no group. A second metadata area lies at the end of the device.
     */
    public long growthOn(long deviceBytes, long extentBytes) {
        long end = metadataAreas > 1 ? metadataSizeBytes + ALIGNMENT : 0;
        long room = deviceBytes - neededBytes() - end;
        return extents == 0 || room <= 0 ? 0 : room / extentBytes * extentBytes;
    }

    /** Returns the size of the metadata in its fullest area, rounded up to 512. */
    public long metadataUsedBytes() {
        return metadataUsed(metadataSizeBytes, metadataFreeBytes);
    }

    /** LVM's used and free sizes add up to half of an area, not counting its one-sector header. */
    public static long metadataUsed(long areaBytes, long freeBytes) {
        return Math.max(0, (areaBytes - SECTOR) / 2 - freeBytes);
    }
}
