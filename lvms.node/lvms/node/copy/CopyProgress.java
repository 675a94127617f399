package lvms.node.copy;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * How far a copy was when that was last written, as a tag of the volume that is filled. It counts
 * only for the snapshot that it was copied from: another one is of another instant.
 *
 * @param mib how many MiB are certainly there
 * @param snapshotUuid LVM's UUID of the snapshot
 */
record CopyProgress(long mib, String snapshotUuid) {
    private static final Pattern TAG = Pattern.compile("lvms\\.filled=([0-9]{1,12}):(.+)");

    /** Returns how many bytes need not be copied again. */
    static long bytes(Set<String> tags, String snapshotUuid) {
        return tags.stream()
                .flatMap(tag -> parse(tag).stream())
                .filter(progress -> progress.snapshotUuid().equals(snapshotUuid))
                .mapToLong(progress -> progress.mib() << 20)
                .max()
                .orElse(0);
    }

    /** Returns the tags of this kind. */
    static Set<String> in(Set<String> tags) {
        return tags.stream()
                .filter(tag -> TAG.matcher(tag).matches())
                .collect(Collectors.toUnmodifiableSet());
    }

    private static Optional<CopyProgress> parse(String tag) {
        var match = TAG.matcher(tag);
        return match.matches()
                ? Optional.of(new CopyProgress(Long.parseLong(match.group(1)), match.group(2)))
                : Optional.empty();
    }

    String tag() {
        return "lvms.filled=" + mib + ":" + snapshotUuid;
    }
}
