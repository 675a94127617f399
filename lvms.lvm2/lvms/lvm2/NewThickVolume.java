package lvms.lvm2;

import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Set;

/**
 * A thick (linear, striped or RAID) volume to create. Its first bytes are zeroed and signatures in
 * it are wiped.
 *
 * @param name its name
 * @param sizeBytes its size; LVM rounds it up to whole extents
 * @param tags its tags
 * @param stripes number of stripes ({@code -i}); empty means linear, or what the options say
 * @param stripeSizeBytes stripe size ({@code -I}), a power of two of at least 4 KiB; used only with
 *     stripes
 * @param options further options of lvcreate
 */
public record NewThickVolume(
        LvName name,
        long sizeBytes,
        Set<String> tags,
        OptionalInt stripes,
        OptionalLong stripeSizeBytes,
        LvcreateOptions options) {
    public NewThickVolume {
        tags = Set.copyOf(tags);
        Grammar.requireLvName(name);
        Grammar.requireSize("size", sizeBytes);
        Grammar.requireStripes(stripes, stripeSizeBytes);
        tags.forEach(Grammar::requireTag);
    }

    /** A linear volume without further options; an existing one stays as it is. */
    public NewThickVolume(LvName name, long sizeBytes, Set<String> tags) {
        this(
                name,
                sizeBytes,
                tags,
                OptionalInt.empty(),
                OptionalLong.empty(),
                LvcreateOptions.NONE);
    }

    /** Returns the same request for a volume of another name. */
    public NewThickVolume named(LvName other) {
        return new NewThickVolume(other, sizeBytes, tags, stripes, stripeSizeBytes, options);
    }
}
