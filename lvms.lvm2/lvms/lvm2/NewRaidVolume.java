package lvms.lvm2;

import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A RAID volume to create. Its first bytes are zeroed, signatures in it are wiped, and its images
 * are synchronized in the background from then on; it may be used meanwhile.
 *
 * @param name its name
 * @param sizeBytes its size, without copies and parity; LVM rounds it up to whole stripes
 * @param layout level and number of devices
 * @param stripeSizeBytes stripe size, a power of two of at least 4 KiB; not for RAID 1
 * @param tags its tags
 */
public record NewRaidVolume(
        LvName name,
        long sizeBytes,
        RaidLayout layout,
        OptionalLong stripeSizeBytes,
        Set<String> tags) {
    public NewRaidVolume {
        tags = Set.copyOf(tags);
        Grammar.requireLvName(name);
        Grammar.requireSize("size", sizeBytes);
        Grammar.requireStripes(OptionalInt.empty(), stripeSizeBytes);
        tags.forEach(Grammar::requireTag);
        if (layout instanceof RaidLayout.Raid1 && stripeSizeBytes.isPresent()) {
            throw new IllegalArgumentException("RAID 1 has no stripes");
        }
    }

    /** One with LVM's own stripe size. */
    public NewRaidVolume(LvName name, long sizeBytes, RaidLayout layout, Set<String> tags) {
        this(name, sizeBytes, layout, OptionalLong.empty(), tags);
    }
}
