package lvms.lvm2;

import java.util.Set;

/**
 * A thin volume to create.
 *
 * @param name its name
 * @param pool name of its thin pool, in the same group
 * @param virtualSizeBytes its size; LVM rounds it up to whole extents
 * @param tags its tags
 * @param options further options of lvcreate
 */
public record NewThinVolume(
        LvName name,
        String pool,
        long virtualSizeBytes,
        Set<String> tags,
        LvcreateOptions options) {
    public NewThinVolume {
        tags = Set.copyOf(tags);
        Grammar.requireLvName(name);
        Grammar.requireLvName(new LvName(name.vg(), pool));
        Grammar.requireSize("virtual size", virtualSizeBytes);
        tags.forEach(Grammar::requireTag);
    }

    /** A thin volume without further options. */
    public NewThinVolume(LvName name, String pool, long virtualSizeBytes, Set<String> tags) {
        this(name, pool, virtualSizeBytes, tags, LvcreateOptions.NONE);
    }
}
