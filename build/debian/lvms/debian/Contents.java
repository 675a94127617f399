package lvms.debian;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What of packages is kept.
 *
 * @param file where it is written
 * @param patterns of tar, by the package's name, in the order of unpacking; none for a package of
 *     which only the copyright is kept
 */
record Contents(Path file, Map<String, List<String>> patterns) {
    static Contents read(Path file) throws IOException {
        var patterns = new LinkedHashMap<String, List<String>>();
        for (var line : Files.readAllLines(file)) {
            if (!line.isBlank() && !line.startsWith("#")) {
                var words = List.of(line.split(" +"));
                patterns.put(words.getFirst(), words.subList(1, words.size()));
            }
        }
        return new Contents(file, patterns);
    }
}
