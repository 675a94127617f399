package lvms.release;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;

/** Copies and removes folders. */
final class Folders {
    private Folders() {}

    /** Copies a folder with all that is in it; what links lead to becomes files. */
    static void copy(Path from, Path to) throws IOException {
        for (var file : walk(from)) {
            var copy = to.resolve(from.relativize(file).toString());
            if (Files.isDirectory(file)) {
                Files.createDirectories(copy);
            } else {
                Files.copy(file, copy, StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static List<Path> walk(Path folder) throws IOException {
        try (var all = Files.walk(folder, FileVisitOption.FOLLOW_LINKS)) {
            return all.sorted().toList();
        }
    }

    static void remove(Path folder) throws IOException {
        if (Files.notExists(folder)) {
            return;
        }
        List<Path> all;
        try (var found = Files.walk(folder)) {
            all = found.toList();
        }
        for (var file : all.reversed()) {
            Files.delete(file);
        }
    }
}
