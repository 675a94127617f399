package lvms.lvm2.engine;

import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Version of LVM, as the {@code version} command prints it: {@code LVM version: 2.03.16(2) (date)}.
 *
 * @param major first number
 * @param minor second number
 * @param patch third number
 * @param text as printed, such as {@code 2.03.16(2)}
 */
public record LvmVersion(int major, int minor, int patch, String text)
        implements Comparable<LvmVersion> {
    /**
     * The first version with the command log as JSON in each answer ({@code
     * log/report_command_log}).
     */
    static final LvmVersion FOR_EXEC = new LvmVersion(2, 2, 163, "2.02.163");

    /** The first version whose library has the name and the behaviour that workers expect. */
    static final LvmVersion FOR_WORKERS = new LvmVersion(2, 3, 0, "2.03.00");

    private static final Pattern LINE =
            Pattern.compile("LVM version:\\s+((\\d+)\\.(\\d+)\\.(\\d+)\\S*)");

    /** Finds the version in the output of {@code version}. */
    public static Optional<LvmVersion> find(String output) {
        var match = LINE.matcher(output);
        return match.find()
                ? Optional.of(
                        new LvmVersion(
                                Integer.parseInt(match.group(2)),
                                Integer.parseInt(match.group(3)),
                                Integer.parseInt(match.group(4)),
                                match.group(1)))
                : Optional.empty();
    }

    /** Finds the version in a status text such as {@code 2.03.16(2)}. */
    public static Optional<LvmVersion> ofText(String text) {
        return find("LVM version: " + text);
    }

    public boolean atLeast(int wantedMajor, int wantedMinor, int wantedPatch) {
        return compareTo(new LvmVersion(wantedMajor, wantedMinor, wantedPatch, "")) >= 0;
    }

    /** Returns a message if this version is too old. */
    Optional<String> olderThan(LvmVersion needed) {
        return compareTo(needed) < 0
                ? Optional.of("LVM " + text + " is too old, " + needed.text + " is needed")
                : Optional.empty();
    }

    @Override
    public int compareTo(LvmVersion other) {
        return Comparator.comparingInt(LvmVersion::major)
                .thenComparingInt(LvmVersion::minor)
                .thenComparingInt(LvmVersion::patch)
                .compare(this, other);
    }
}
