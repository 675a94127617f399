package lvms.tests.server;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;

/**
 * Folders {@code NAME-PID} whose process has ended; they were kept for whoever looks for a cause.
 */
final class Leftovers {
    private Leftovers() {}

    /**
     * Removes them; those of running processes stay. One in which a server of a process that was
     * ended is still ending stays for the next call, and one that a process beside this one removes
     * at the same time is left to that.
     */
    static void remove(Path parent) throws IOException {
        if (!Files.isDirectory(parent)) {
            return;
        }
        try (var folders = Files.list(parent)) {
            for (var folder : folders.filter(f -> !owned(f)).toList()) {
                try {
                    removeTree(folder);
                } catch (NoSuchFileException | DirectoryNotEmptyException e) {
                    System.out.println("still in use, or being removed: " + e.getMessage());
                }
            }
        }
    }

    private static boolean owned(Path folder) {
        var name = folder.getFileName().toString();
        var pid = name.substring(name.lastIndexOf('-') + 1);
        return !pid.matches("\\d{1,9}") || ProcessHandle.of(Long.parseLong(pid)).isPresent();
    }

    private static void removeTree(Path folder) throws IOException {
        try (var tree = Files.walk(folder)) {
            for (var path : tree.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        } catch (UncheckedIOException e) {
            throw e.getCause();
        }
    }
}
