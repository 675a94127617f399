package lvms.api;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How many volumes a node has in LVM that another program, such as TopoLVM, would treat otherwise:
 * it does not know what they are for, or removes them with another one. One that is not handed out
 * yet is not counted: its LogicalVolume says so.
 *
 * @param removed removed and not erased yet
 * @param growth extents that another volume is about to get
 * @param copied snapshots that exist only while their source is copied
 * @param thickSnapshots snapshots with a store of their own, which LVM removes with their source
 */
public record VolumeCounts(long removed, long growth, long copied, long thickSnapshots) {
    private static final String TEXT = "removed=%s,growth=%s,copied=%s,thick-snapshots=%s";

    /** Fits a long. */
    private static final String COUNT = "(\\d{1,18})";

    private static final Pattern PATTERN =
            Pattern.compile(TEXT.formatted(COUNT, COUNT, COUNT, COUNT));

    /** Reads the text form; empty if it is none. */
    public static Optional<VolumeCounts> of(String text) {
        return Optional.of(PATTERN.matcher(text))
                .filter(Matcher::matches)
                .map(
                        matcher ->
                                new VolumeCounts(
                                        Long.parseLong(matcher.group(1)),
                                        Long.parseLong(matcher.group(2)),
                                        Long.parseLong(matcher.group(3)),
                                        Long.parseLong(matcher.group(4))));
    }

    /** Returns the form in the annotation of a Node. */
    public String text() {
        return TEXT.formatted(removed, growth, copied, thickSnapshots);
    }
}
