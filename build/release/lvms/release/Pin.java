package lvms.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * A file of others that a release is built from, as the sources pin it.
 *
 * @param place {@code jars} or {@code debian}: where it lies in {@code sources/}
 * @param file its name
 * @param purl its package URL
 */
record Pin(String place, String file, String purl, String sha256) {
    static final String JARS = "jars";
    static final String DEBIAN = "debian";

    /** Reads the pins of jars and tools: artifacts.tsv. */
    static List<Pin> jars(Path table) throws IOException {
        return rows(table).map(line -> jar(line.split("\t"))).toList();
    }

    /** Columns: coordinates, SHA-256, and more. */
    private static Pin jar(String[] columns) {
        var names = columns[0].split(":");
        boolean plain = names.length == 3;
        var file = names[1] + "-" + names[2] + (plain ? ".jar" : "-" + names[3] + "." + names[4]);
        var purl = "pkg:maven/%s/%s@%s".formatted(names[0], names[1], escaped(names[2]));
        return new Pin(
                JARS,
                file,
                plain ? purl : purl + "?classifier=" + names[3] + "&type=" + names[4],
                columns[1]);
    }

    /** Reads the pins of Debian packages: lock files, which may name a package twice. */
    static List<Pin> debian(List<Path> locks) throws IOException {
        var all = new ArrayList<Pin>();
        for (var lock : locks) {
            rows(lock).map(line -> deb(line.split(" "))).forEach(all::add);
        }
        return all.stream().distinct().toList();
    }

    /** Columns: package, version, SHA-256, path in the archive. */
    private static Pin deb(String[] columns) {
        var file = columns[3].substring(columns[3].lastIndexOf('/') + 1);
        var architecture = file.replaceFirst("[.]deb$", "").replaceFirst(".*_", "");
        return new Pin(
                DEBIAN,
                file,
                "pkg:deb/debian/%s@%s?arch=%s"
                        .formatted(escaped(columns[0]), escaped(columns[1]), architecture),
                columns[2]);
    }

    private static Stream<String> rows(Path file) throws IOException {
        return Files.readAllLines(file).stream()
                .filter(line -> !line.isBlank() && !line.startsWith("#"));
    }

    /** What a package URL must not have plain in a name or version. */
    private static String escaped(String text) {
        return text.replace(":", "%3A").replace("+", "%2B").replace("~", "%7E");
    }
}
