package lvms.lvm2;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Options that an administrator adds to lvcreate. Only options on a list of those that shape a
 * volume are allowed. Refused are options that would change the volume's name, group, size, tags or
 * pool, or LVM's configuration, devices, locking or output. Every word that is neither an option
 * nor its value is refused too, since it would name a physical volume or a group.
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
                    "--errorwhenfull");
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
        for (int i = 0; i < words.size(); i++) {
            String word = words.get(i);
            Grammar.requireWord(word);
            if (takesNext(word)) {
                i++;
                requireValue(word, i < words.size() ? words.get(i) : "");
            }
        }
        return new LvcreateOptions(words);
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

    private static boolean takesNext(String word) {
        if (WITH_VALUE.contains(word)) {
            return true;
        }
        int equals = word.indexOf('=');
        boolean joined = equals > 0 && WITH_VALUE.contains(word.substring(0, equals));
        boolean attached =
                word.length() > 2
                        && word.charAt(1) != '-'
                        && WITH_VALUE.contains(word.substring(0, 2));
        if (!joined && !attached && !FLAGS.contains(word)) {
            throw new IllegalArgumentException("lvcreate option is not allowed: " + word);
        }
        return false;
    }

    private static void requireValue(String option, String value) {
        Grammar.requireWord(value);
        if (value.startsWith("-")) {
            throw new IllegalArgumentException("lvcreate option without a value: " + option);
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
