package lvms.lvm2;

import java.util.Optional;

/**
 * A run of extents of one physical volume that belong together: free, or one area of one segment of
 * a logical volume. All counts are extents.
 *
 * @param pvUuid LVM's UUID of the physical volume
 * @param startExtent its first extent there
 * @param extents its length
 * @param volume name of the logical volume, hidden ones too; empty if the extents are free
 * @param type segment type of that volume, {@code free} if there is none
 * @param volumeExtent where the volume's segment starts in the volume
 * @param area which of the segment's parallel areas it is, from 0; a linear segment has one
 */
public record PhysicalSegment(
        String pvUuid,
        long startExtent,
        long extents,
        Optional<String> volume,
        String type,
        long volumeExtent,
        int area) {
    /** Returns whether no volume has these extents. */
    public boolean isFree() {
        return volume.isEmpty();
    }
}
