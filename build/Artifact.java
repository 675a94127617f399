import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A jar of others, as artifacts.tsv pins it.
 *
 * @param use {@code image} for a module of the runtime image; see the file for the others
 * @param module the name of its module, or {@code -}
 */
record Artifact(
        String group,
        String name,
        String version,
        String sha256,
        String use,
        String module,
        String licence) {
    /** Reads the rows of a use. */
    static List<Artifact> read(Path table, String use) throws IOException {
        return Files.readAllLines(table).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(line -> of(line.split("\t")))
                .filter(artifact -> artifact.use().equals(use))
                .toList();
    }

    /** Columns: coordinates, SHA-256, use, module, licence, needed by. */
    private static Artifact of(String[] columns) {
        var names = columns[0].split(":");
        return new Artifact(
                names[0], names[1], names[2], columns[1], columns[2], columns[3], columns[4]);
    }
}
