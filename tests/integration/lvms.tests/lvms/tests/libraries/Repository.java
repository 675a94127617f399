package lvms.tests.libraries;

import static java.util.stream.Collectors.toMap;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The Maven repository that {@code ./build.sh maven} wrote.
 *
 * @param versions folder of each library's only version, by the library's name
 */
record Repository(Map<String, Path> versions) {
    static final Path FOLDER = Path.of("out/maven").toAbsolutePath();

    static Repository read() throws IOException {
        var versions = new TreeMap<String, Path>();
        for (var library : folders(FOLDER.resolve("lvms"))) {
            var all = folders(library);
            if (all.size() != 1) {
                throw new IOException(library + " has not one version: " + all);
            }
            versions.put(library.getFileName().toString(), all.getFirst());
        }
        return new Repository(versions);
    }

    private static List<Path> folders(Path parent) throws IOException {
        try (var files = Files.list(parent)) {
            return files.filter(Files::isDirectory).toList();
        }
    }

    /** Returns the library's version. */
    String version(String library) {
        return versions.get(library).getFileName().toString();
    }

    /** Returns a file of a library; {@code ending} follows name and version. */
    Path file(String library, String ending) {
        return versions.get(library).resolve(library + "-" + version(library) + ending);
    }

    /** Returns the jars of the libraries, by name. */
    Map<String, Path> jars() {
        return versions.keySet().stream().collect(toMap(name -> name, name -> file(name, ".jar")));
    }

    /** Returns every file but those with sums. */
    static List<Path> files() throws IOException {
        try (var files = Files.walk(FOLDER)) {
            return new ArrayList<>(
                    files.filter(Files::isRegularFile)
                            .filter(file -> !file.toString().matches(".*[.](md5|sha1|sha256)"))
                            .toList());
        }
    }
}
