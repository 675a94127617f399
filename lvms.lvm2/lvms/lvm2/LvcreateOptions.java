package lvms.lvm2;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Options that an administrator adds to lvcreate. Only options on a list of those that shape a
 * volume are allowed. Refused are options that would change the volume's name, group, size or pool,
 * or LVM's configuration, devices, locking or output, and those that keep LVM from zeroing the
 * start of a volume or wiping signatures in it: the old content would be taken for its own. Tags
 * may be added, but none that could be taken for ours. Every word that is neither an option nor its
 * value is refused too, since it would name a physical volume or a group.
 */
public final class LvcreateOptions {
    /** No options. */
    public static final LvcreateOptions NONE = new LvcreateOptions(List.of());

    private static final Set<String> WITH_VALUE =
            Set.of(
                    "--type",
                    "-m",
                    "--mirrors",
                    "-i",
                    "--stripes",
                    "-I",
                    "--stripesize",
                    "-R",
                    "--regionsize",
                    "-C",
                    "--contiguous",
                    "--alloc",
                    "-r",
                    "--readahead",
                    "-Z",
                    "--zero",
                    "-W",
                    "--wipesignatures",
                    "--mirrorlog",
                    "--minrecoveryrate",
                    "--maxrecoveryrate",
                    "--raidintegrity",
                    "--raidintegritymode",
                    "--raidintegrityblocksize",
                    "--setautoactivation",
                    "--autobackup",
                    "-A",
                    "--compression",
                    "--deduplication",
                    "--discards",
                    "--errorwhenfull",
                    "--addtag",
                    "-c",
                    "--chunksize",
                    "--profile",
                    "--metadataprofile",
                    "-k",
                    "--setactivationskip");
    private static final Set<String> WIPING = Set.of("-Z", "--zero", "-W", "--wipesignatures");
    private static final Set<String> SKIPPING = Set.of("-k", "--setactivationskip");
    private static final Set<String> PROFILES = Set.of("--profile", "--metadataprofile");

    /** What our own tags begin with; some of them are proofs of whose a volume is. */
    private static final String OWN_TAGS = "lvms";

    private static final Pattern PROFILE = Pattern.compile("[a-zA-Z0-9_][a-zA-Z0-9_.-]*");
    private static final Set<String> FLAGS = Set.of("--nosync");

    private final List<String> words;

    private LvcreateOptions(List<String> words) {
        this.words = List.copyOf(words);
    }

    /**
     * Checks words as lvcreate would get them, {@code --type raid1} and {@code --type=raid1} alike.
     *
     * @throws IllegalArgumentException naming the first word that is refused
     */
    public static LvcreateOptions of(List<String> words) {
        var kept = new ArrayList<String>();
        for (int i = 0; i < words.size(); i++) {
            int first = i;
            String word = words.get(i);
            Grammar.requireWord(word);
            int end = end(word);
            var option = word.substring(0, end);
            if (end == word.length() && WITH_VALUE.contains(word)) {
                i++;
                requireValue(option, i < words.size() ? words.get(i) : "");
            } else if (end < word.length()) {
                requireValue(option, word.substring(word.charAt(end) == '=' ? end + 1 : end));
            } else if (!FLAGS.contains(word)) {
                throw new IllegalArgumentException("lvcreate option is not allowed: " + word);
            }
            if (!WIPING.contains(option)) { // done anyway, and LVM takes no option twice
                kept.addAll(words.subList(first, i + 1));
            }
        }
        return new LvcreateOptions(kept);
    }

    /** Returns what {@link #of} would throw about these words; empty if they are allowed. */
    public static Optional<String> refusal(List<String> words) {
        try {
            of(words);
            return Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.of(e.getMessage());
        }
    }

    /** Returns the words, in order. */
    public List<String> words() {
        return words;
    }

    /** Returns these options followed by others. */
    public LvcreateOptions and(LvcreateOptions more) {
        var all = new ArrayList<>(words);
        all.addAll(more.words);
        return new LvcreateOptions(all);
    }

    /** Where an option ends that has its value in the same word; otherwise the end of the word. */
    private static int end(String word) {
        int equals = word.indexOf('=');
        if (equals > 0 && WITH_VALUE.contains(word.substring(0, equals))) {
            return equals;
        }
        boolean attached =
                word.length() > 2
                        && word.charAt(1) != '-'
                        && WITH_VALUE.contains(word.substring(0, 2));
        return attached ? 2 : word.length();
    }

    private static void requireValue(String option, String value) {
        if (value.isEmpty() || value.startsWith("-")) {
            throw new IllegalArgumentException("lvcreate option without a value: " + option);
        }
        Grammar.requireWord(value);
        if (WIPING.contains(option) && !value.equals("y")) {
            throw new IllegalArgumentException(
                    "lvcreate option would leave old content in a new volume, only y is allowed: "
                            + option);
        }
        if (SKIPPING.contains(option) && !value.equals("n")) {
            throw new IllegalArgumentException(
                    "lvcreate option would leave a new volume inactive, only n is allowed: "
                            + option);
        }
        if (PROFILES.contains(option) && !PROFILE.matcher(value).matches()) {
            throw new IllegalArgumentException("not the name of a profile: " + value);
        }
        if (option.equals("--addtag")) {
            requireTag(value);
        }
    }

    private static void requireTag(String tag) {
        Grammar.requireTag(tag);
        if (tag.startsWith(OWN_TAGS)) {
            throw new IllegalArgumentException(
                    "lvcreate option --addtag: tags that begin with lvms are ours, not " + tag);
        }
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LvcreateOptions that && words.equals(that.words);
    }

    @Override
    public int hashCode() {
        return words.hashCode();
    }

    /** Returns the words, with blanks between them. */
    @Override
    public String toString() {
        return String.join(" ", words);
    }
}
