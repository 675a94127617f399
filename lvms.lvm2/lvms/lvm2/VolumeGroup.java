package lvms.lvm2;

import java.util.Optional;
import java.util.Set;

/**
 * One volume group, as {@code vgs} reports it. Sizes are bytes.
 *
 * @param name name of the group
 * @param uuid LVM's UUID of the group
 * @param sizeBytes usable size of all its physical volumes
 * @param freeBytes unallocated part of it
 * @param extentSizeBytes size of a physical extent
 * @param physicalVolumes number of its physical volumes
 * @param missingPhysicalVolumes number of physical volumes whose device is missing
 * @param logicalVolumes number of its visible logical volumes
 * @param mostLogicalVolumes how many it may have ({@code max_lv}); 0 is no limit
 * @param metadataSizeBytes size of its smallest metadata area ({@code vg_mda_size})
 * @param metadataFreeBytes free part of its fullest metadata area ({@code vg_mda_free}); at zero no
 *     more volumes can be created, and the area cannot grow
 * @param lockType what arbitrates between hosts ({@code vg_lock_type}), such as {@code sanlock};
 *     empty or {@code none} for a group of one host
 * @param systemId the host that owns the group, if it has one ({@code vg_systemid})
 * @param writable whether its metadata may be changed
 * @param resizable whether physical volumes may be added or removed
 * @param exported whether it is exported, and so unusable here
 * @param partial whether a device that it needs is missing
 * @param allocation how extents of its volumes are chosen
 * @param tags its tags
 */
public record VolumeGroup(
        String name,
        String uuid,
        long sizeBytes,
        long freeBytes,
        long extentSizeBytes,
        long physicalVolumes,
        long missingPhysicalVolumes,
        long logicalVolumes,
        long mostLogicalVolumes,
        long metadataSizeBytes,
        long metadataFreeBytes,
        String lockType,
        Optional<String> systemId,
        boolean writable,
        boolean resizable,
        boolean exported,
        boolean partial,
        AllocationPolicy allocation,
        Set<String> tags) {
    public VolumeGroup {
        tags = Set.copyOf(tags);
    }

    public Identity<String> identity() {
        return new Identity<>(name, uuid);
    }

    public long extents() {
        return sizeBytes / extentSizeBytes;
    }

    public long freeExtents() {
        return freeBytes / extentSizeBytes;
    }

    /**
     * Returns the size of its metadata, rounded up to 512. An area holds the old and the new
     * version, so the metadata may use half of it.
     */
    public long metadataUsedBytes() {
        return PhysicalVolume.metadataUsed(metadataSizeBytes, metadataFreeBytes);
    }

    /** Returns whether other hosts may change it too, which this library does not handle. */
    public boolean shared() {
        return !lockType.isEmpty() && !lockType.equals("none");
    }

    /** Rounds a size up to whole extents, as LVM does when it allocates. */
    public long roundUp(long bytes) {
        return Math.multiplyExact(Math.ceilDiv(bytes, extentSizeBytes), extentSizeBytes);
    }
}
