package lvms.tests.training;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;

/** What {@code -XX:DumpLoadedClassList} writes: a class, lambda or constant a line. */
final class ClassLists {
    private ClassLists() {}

    /** Returns the lines of a file that are about classes whose names begin like one of these. */
    static List<String> of(Path file, List<String> prefixes) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> prefixes.stream().anyMatch(subject(line)::startsWith))
                .toList();
    }

    private static String subject(String line) {
        return line.replaceFirst("^@(cp|lambda-proxy) ", "");
    }

    /** Returns the lines of all files, each once, in the order of their first appearance. */
    static SequencedSet<String> union(List<Path> files) throws IOException {
        var lines = new LinkedHashSet<String>();
        for (var file : files) {
            for (var line : Files.readAllLines(file)) {
                if (!line.startsWith("#")) {
                    // The number tells classes of one run apart; only loaders of our own need it.
                    lines.add(line.replaceFirst(" id: \\d+$", ""));
                }
            }
        }
        return lines;
    }
}
