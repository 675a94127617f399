package lvms.tests.chaos;

import java.util.ArrayList;
import java.util.List;

/**
 * What a pod writes to its volume: lines with the volume's name and a number, each synced before
 * the next. A copy of a volume begins with the lines of its source, so a line of any other volume
 * was left there by a former tenant.
 */
final class Journal {
    /** The place of a file in the pod. */
    private static final String FILE = "/data/log";

    /** The place of a device in the pod. */
    private static final String DEVICE = "/dev/data";

    /**
     * Appends a line every two seconds. A half line, which a power cut can leave, is ended first:
     * it does not count.
     */
    private static final String TO_FILE =
            """
            trap 'exit 0' TERM
            n=$(grep -c '^NAME [0-9]* ok$' FILE 2>/dev/null || true)
            [ ! -s FILE ] || echo >>FILE
            while :; do
                n=$((n + 1))
                echo "NAME $n ok" >>FILE
                sync FILE
                echo $n
                sleep 2 & wait $!
            done
            """;

    /** A line is a sector of its own, behind those of the volume's sources. */
    private static final String TO_DEVICE =
            """
            trap 'exit 0' TERM
            all=$(tr -d '\\0' <FILE | grep -c ' ok *$' || true)
            n=$(tr -d '\\0' <FILE | grep -c '^NAME [0-9]* ok *$' || true)
            while :; do
                n=$((n + 1))
                printf '%-511s\\n' "NAME $n ok" |
                    dd of=FILE bs=512 seek=$all conv=notrunc,fsync 2>/dev/null
                all=$((all + 1))
                echo $n
                sleep 2 & wait $!
            done
            """;

    private Journal() {}

    /**
     * Lines of one volume.
     *
     * @param volume its name
     * @param synced how many of its lines were synced for certain
     */
    record Chapter(String volume, long synced) {}

    /** Returns the script of a pod that writes. */
    static String writer(String volume, boolean block) {
        return (block ? TO_DEVICE : TO_FILE)
                .replace("FILE", block ? DEVICE : FILE)
                .replace("NAME", volume);
    }

    /** Returns a script that prints all lines. */
    static String reader(boolean block) {
        return block ? "tr -d '\\0' <" + DEVICE + " | sed 's/ *$//'" : "cat " + FILE;
    }

    /**
     * Compares lines with what must be there: each chapter's lines in order from 1, at least as
     * many as were synced, and nothing else.
     *
     * @param chapters the sources, the oldest first, and the volume itself
     * @return what is wrong, in a sentence each
     */
    static List<String> compare(List<Chapter> chapters, List<String> lines) {
        var problems = new ArrayList<String>();
        var left = new ArrayList<>(lines);
        left.removeIf(line -> line.isBlank() || isHalf(line, chapters));
        for (var chapter : chapters) {
            long found = 0;
            while (!left.isEmpty() && left.getFirst().equals(line(chapter.volume(), found + 1))) {
                found++;
                left.removeFirst();
            }
            if (found < chapter.synced()) {
                problems.add(
                        "%d of %d synced lines of %s are there"
                                .formatted(found, chapter.synced(), chapter.volume()));
            }
        }
        if (!left.isEmpty()) {
            problems.add(
                    "%d lines are not its own or out of order, the first is \"%s\""
                            .formatted(left.size(), shown(left.getFirst())));
        }
        return problems;
    }

    private static String line(String volume, long number) {
        return volume + " " + number + " ok";
    }

    /** The beginning of a line that could be next; only a power cut leaves one. */
    private static boolean isHalf(String line, List<Chapter> chapters) {
        return chapters.stream()
                .anyMatch(
                        c ->
                                line.equals(c.volume())
                                        || (c.volume() + " ").startsWith(line)
                                        || line.matches(c.volume() + " [0-9]*( o?)?"));
    }

    private static String shown(String line) {
        return line.length() <= 60 ? line : line.substring(0, 60) + "...";
    }

    /** Returns how many lines of the volume itself there are. */
    static long own(String volume, List<String> lines) {
        return lines.stream().filter(line -> line.matches(volume + " [0-9]+ ok")).count();
    }
}
