package lvms.lvm2;

import java.util.Set;

/**
 * One image of a RAID volume: a copy, or a share of data and parity.
 *
 * @param name its hidden volume, such as {@code data_rimage_0}
 * @param devices the devices that it is on; a missing one is {@code [unknown]}
 * @param synced whether it agrees with the others, as far as LVM knows
 * @param missing whether a device under it is missing
 */
public record RaidImage(String name, Set<String> devices, boolean synced, boolean missing) {
    public RaidImage {
        devices = Set.copyOf(devices);
    }
}
