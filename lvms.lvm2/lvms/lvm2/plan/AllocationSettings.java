package lvms.lvm2.plan;

import java.util.Set;

/**
 * The settings of lvm.conf(5) that control how LVM allocates.
 *
 * @param raidRegionSizeBytes {@code activation/raid_region_size}, or what {@code lvcreate -R} asks
 *     for
 * @param maximiseCling {@code allocation/maximise_cling}
 * @param clingTags {@code allocation/cling_tag_list} without the {@code @}; {@code *} is any tag
 * @param poolMetadataApart {@code allocation/thin_pool_metadata_require_separate_pvs}
 * @param imagesApart whether no two images of a RAID volume may share a physical volume. LVM
 *     2.03.22 and newer refuse that; older ones make the volume, which then has no redundancy there
 */
public record AllocationSettings(
        long raidRegionSizeBytes,
        boolean maximiseCling,
        Set<String> clingTags,
        boolean poolMetadataApart,
        boolean imagesApart) {
    /** What LVM does when lvm.conf says nothing. */
    public static final AllocationSettings DEFAULTS =
            new AllocationSettings(2L << 20, true, Set.of(), false, true);

    public AllocationSettings {
        clingTags = Set.copyOf(clingTags);
        if (Long.bitCount(raidRegionSizeBytes) != 1 || raidRegionSizeBytes < 512) {
            throw new IllegalArgumentException("RAID region size: " + raidRegionSizeBytes);
        }
    }

    /** Returns these with another RAID region size. */
    public AllocationSettings withRaidRegionSize(long bytes) {
        return new AllocationSettings(
                bytes, maximiseCling, clingTags, poolMetadataApart, imagesApart);
    }

    /** Returns these with other cling tags. */
    public AllocationSettings withClingTags(Set<String> tags) {
        return new AllocationSettings(
                raidRegionSizeBytes, maximiseCling, tags, poolMetadataApart, imagesApart);
    }

    /** Returns these for an LVM that checks RAID images, or for one that does not. */
    public AllocationSettings withImagesApart(boolean apart) {
        return new AllocationSettings(
                raidRegionSizeBytes, maximiseCling, clingTags, poolMetadataApart, apart);
    }
}
