package lvms.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The sums of all files of a release, as {@code sha256sum --check} reads them. */
final class Sums {
    static final String FILE = "SHA256SUMS";
    static final String SIGNATURE = "SHA256SUMS.sig";

    private Sums() {}

    /** Returns one line for each file under the folder, in the order of their names. */
    static String of(Path folder) throws IOException {
        var lines = new StringBuilder();
        for (var file : files(folder)) {
            lines.append(Sum.of(folder.resolve(file))).append("  ").append(file).append('\n');
        }
        return lines.toString();
    }

    private static List<String> files(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }
}
