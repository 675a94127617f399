package lvms.lvm2.plan;

import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    private static final String REGION = "activation/raid_region_size";
    private static final String CLING = "allocation/maximise_cling";
    private static final String TAGS = "allocation/cling_tag_list";
    private static final String APART = "allocation/thin_pool_metadata_require_separate_pvs";
    private static final Pattern TAG = Pattern.compile("\"@([^\"]*)\"");

    /** The settings of lvm.conf(5) that {@link #of} reads. */
    public static final List<String> KEYS = List.of(REGION, CLING, TAGS, APART);

    /** Reads values as LVM prints them; what is missing has its default. */
    public static AllocationSettings of(Map<String, String> values) {
        var region = values.get(REGION);
        var tags =
                TAG.matcher(values.getOrDefault(TAGS, ""))
                        .results()
                        .map(tag -> tag.group(1))
                        .collect(Collectors.toUnmodifiableSet());
        return new AllocationSettings(
                region == null ? DEFAULTS.raidRegionSizeBytes() : Long.parseLong(region) << 10,
                !values.getOrDefault(CLING, "1").equals("0"),
                tags,
                values.getOrDefault(APART, "0").equals("1"),
                DEFAULTS.imagesApart());
    }

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
