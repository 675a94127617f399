package lvms.api.filesystem;

import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.VolumeException;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * What a StorageClass adds to the command that makes the filesystem of a new volume.
 *
 * <p>Only options that concern this filesystem alone are known. Not among them are those that name
 * another device, a file or a size, that only pretend to make a filesystem, or that make a panic of
 * an error; nor labels and UUIDs, of which volumes of one class would have the same. Sources:
 * mke2fs(8), mkfs.xfs(8), mkfs.btrfs(8).
 *
 * @param words options and their values, as separate arguments of the program
 */
public record MkfsOptions(List<String> words) {
    /**
     * The StorageClass parameter with options separated by blanks, and the attribute of a
     * PersistentVolume ({@code volume_context} in CSI) that brings them to the node.
     */
    public static final String PARAMETER = "lvms.topolvm.io/mkfs-options";

    /** No options. */
    public static final MkfsOptions NONE = new MkfsOptions(List.of());

    private static final int MOST_CHARACTERS = 500;
    private static final String NUMBER = "[0-9]{1,15}[kKmMgG]?";
    private static final String SWITCH = "[01]";

    /** Values of each option by filesystem type; empty for an option that has none. */
    private static final Map<String, Map<String, Optional<Pattern>>> KNOWN =
            Map.of("ext4", ext4(), "xfs", xfs(), "btrfs", btrfs());

    /** Keeps a private copy. */
    public MkfsOptions {
        words = List.copyOf(words);
    }

    /**
     * Reads the parameter.
     *
     * @param fsType type of the filesystem, empty for the one that a node makes unasked
     * @throws VolumeException INVALID_ARGUMENT with the option that is not allowed
     */
    public static MkfsOptions of(String fsType, String text) throws VolumeException {
        if (text.isBlank()) {
            return NONE;
        }
        if (text.length() > MOST_CHARACTERS || text.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw invalid("they are more than 500 characters or not on one line of ASCII");
        }
        var type = fsType.isEmpty() ? Names.FILESYSTEMS.getFirst() : fsType;
        var known = KNOWN.getOrDefault(type, Map.of());
        var words = new ArrayList<String>();
        var rest = List.of(text.strip().split(" +")).iterator();
        while (rest.hasNext()) {
            var option = rest.next();
            if (!known.containsKey(option)) {
                throw invalid(
                        "%s is not one of the options %s of %s"
                                .formatted(option, String.join(", ", known.keySet()), type));
            }
            words.add(option);
            if (known.get(option).isPresent()) {
                var value = rest.hasNext() ? rest.next() : "";
                if (!known.get(option).get().matcher(value).matches()) {
                    throw invalid(
                            value.isEmpty()
                                    ? "%s needs a value".formatted(option)
                                    : "%s cannot be %s of %s".formatted(value, option, type));
                }
                words.add(value);
            }
        }
        return new MkfsOptions(words);
    }

    private static Map<String, Optional<Pattern>> ext4() {
        var options = new TreeMap<String, Optional<Pattern>>();
        options.put("-b", value("1024|2048|4096"));
        options.put("-C", value(NUMBER));
        options.put("-e", value("continue|remount-ro"));
        options.put(
                "-E",
                list(
                        "discard|nodiscard",
                        "(?:lazy_itable_init|lazy_journal_init|packed_meta_blocks)=" + SWITCH,
                        "num_backup_sb=[0-2]",
                        "(?:stride|stripe[_-]width|resize|orphan_file_size)=" + NUMBER,
                        "quotatype=(?:usr|grp|prj)quota(?::(?:usr|grp|prj)quota)*"));
        options.put("-g", value("[0-9]{1,6}"));
        options.put("-G", value("[0-9]{1,6}"));
        options.put("-i", value("[0-9]{1,9}"));
        options.put("-I", value("128|256|512|1024|2048|4096"));
        options.put("-J", list("(?:size|fast_commit_size)=[0-9]{1,6}"));
        options.put("-m", value("[0-4]?[0-9](?:\\.[0-9]+)?|50"));
        options.put("-N", value("[0-9]{1,10}"));
        options.put("-O", list("(?!journal_dev)\\^?[a-z0-9_]+"));
        return options;
    }

    private static Map<String, Optional<Pattern>> xfs() {
        var options = new TreeMap<String, Optional<Pattern>>();
        options.put("-b", value("size=(?:1024|2048|4096|[124]k)"));
        options.put(
                "-d",
                list(
                        "(?:agcount|agsize|su|sw|sunit|swidth|extszinherit|cowextsize)=" + NUMBER,
                        "noalign"));
        options.put(
                "-i",
                list(
                        "size=(?:512|1024|2048|[12]k)",
                        "maxpct=[0-9]{1,3}",
                        "(?:sparse|nrext64)=" + SWITCH));
        options.put("-K", Optional.empty());
        options.put("-l", list("(?:size|sunit|su)=" + NUMBER));
        options.put("-m", list("(?:finobt|rmapbt|reflink|bigtime|inobtcount)=" + SWITCH));
        options.put("-n", list("size=" + NUMBER));
        options.put("-s", value("size=(?:512|4096|4k)"));
        return options;
    }

    private static Map<String, Optional<Pattern>> btrfs() {
        var options = new TreeMap<String, Optional<Pattern>>();
        options.put("-d", value("single|dup"));
        options.put("-K", Optional.empty());
        options.put("-m", value("single|dup"));
        options.put("-n", value("4096|8192|16384|32768|65536|(?:4|8|16|32|64)[kK]"));
        options.put("-O", list("(?!list-all|zoned)\\^?[a-z0-9-]+"));
        return options;
    }

    private static Optional<Pattern> value(String values) {
        return Optional.of(Pattern.compile(values));
    }

    private static Optional<Pattern> list(String... parts) {
        var part = "(?:" + String.join("|", parts) + ")";
        return value(part + "(?:," + part + ")*");
    }

    private static VolumeException invalid(String why) {
        return new VolumeException(
                StatusCode.INVALID_ARGUMENT,
                "%s; change %s of the StorageClass".formatted(why, PARAMETER));
    }
}
