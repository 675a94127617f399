package lvms.node.format;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * What a volume remembers of its own content: a tag in LVM, which it gets in the command that makes
 * it and which is on the disks, as the content is. So nobody has to conclude from what a device
 * shows at the moment whether it ever held data. Volumes of other systems, and of versions before
 * this one, have none.
 */
public enum ContentMark {
    /** Pods see the device itself: it never gets a filesystem. */
    BLOCK("block"),
    /** It has had a whole filesystem, or is a copy of one that had: it never gets a new one. */
    FILESYSTEM("filesystem"),
    /** It is to have a filesystem, and nobody has mounted one on it yet. */
    NO_FILESYSTEM("no-filesystem");

    private final String tag;

    ContentMark(String text) {
        tag = "lvms.content=" + text;
    }

    /** Returns the tag in LVM. */
    public String tag() {
        return tag;
    }

    /** Returns the other marks' tags, which a volume loses when it gets this one. */
    public Set<String> others() {
        return Set.copyOf(
                Arrays.stream(values()).filter(m -> m != this).map(ContentMark::tag).toList());
    }

    /** Finds the mark among the tags of a volume; of several, the one that forbids most. */
    public static Optional<ContentMark> of(Set<String> tags) {
        return Arrays.stream(values()).filter(mark -> tags.contains(mark.tag)).findFirst();
    }

    /**
     * Returns the mark of a new volume that begins empty.
     *
     * @param mode how pods see it: {@code Block} or {@code Filesystem}; empty if nobody says so
     */
    public static Optional<ContentMark> ofNew(Optional<String> mode) {
        return mode.flatMap(
                text ->
                        switch (text) {
                            case "Block" -> Optional.of(BLOCK);
                            case "Filesystem" -> Optional.of(NO_FILESYSTEM);
                            default -> Optional.empty();
                        });
    }

    /**
     * Returns the mark of a copy, which has the content of its source and a mode of its own.
     *
     * @param mode how pods see the copy; empty if nobody says so, as of a snapshot
     * @param source the mark of its source, read while no filesystem is made there
     */
    public static Optional<ContentMark> ofCopy(
            Optional<String> mode, Optional<ContentMark> source) {
        var own = ofNew(mode);
        if (own.isEmpty()) {
            return source;
        }
        boolean blank = source.filter(mark -> mark == NO_FILESYSTEM).isPresent();
        return own.filter(mark -> mark == NO_FILESYSTEM && !blank).isPresent()
                ? Optional.of(FILESYSTEM)
                : own;
    }
}
