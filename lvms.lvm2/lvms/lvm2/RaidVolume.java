package lvms.lvm2;

import java.util.List;

/**
 * One RAID volume with its images.
 *
 * @param volume the RAID volume as a logical volume
 * @param type segment type, such as {@code raid1} or {@code raid5_ls}
 * @param regionSizeBytes unit of synchronization
 * @param images its images, in order
 */
public record RaidVolume(
        LogicalVolume volume, String type, long regionSizeBytes, List<RaidImage> images) {
    public RaidVolume {
        images = List.copyOf(images);
    }

    /** Returns its health; also {@link RaidHealth#DEGRADED} while an image lacks its device. */
    public RaidHealth health() {
        return degraded()
                ? RaidHealth.DEGRADED
                : volume.raid().map(LvDetails.Raid::health).orElse(RaidHealth.UNKNOWN);
    }

    /** Returns whether a device under an image is missing. */
    public boolean degraded() {
        return images.stream().anyMatch(RaidImage::missing);
    }
}
