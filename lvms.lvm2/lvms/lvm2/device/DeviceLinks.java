package lvms.lvm2.device;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.NotLinkException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The links below {@code /dev/disk/by-*} and {@code /dev/mapper}, by the node they lead to. udev
 * makes and removes them, and with the last link of a folder the folder, at any time.
 */
record DeviceLinks(Map<Path, List<Path>> byNode) {
    static DeviceLinks below(Path dev) throws IOException {
        var byNode = new HashMap<Path, List<Path>>();
        for (var folder : entries(dev.resolve("disk"), "by-*")) {
            collect(folder, byNode);
        }
        collect(dev.resolve("mapper"), byNode);
        byNode.values().forEach(links -> links.sort(null));
        return new DeviceLinks(byNode);
    }

    List<Path> to(Path node) {
        return byNode.getOrDefault(node, List.of());
    }

    private static void collect(Path folder, Map<Path, List<Path>> byNode) throws IOException {
        for (var link : entries(folder, "*")) {
            target(link)
                    .ifPresent(
                            node -> byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(link));
        }
    }

    /** What is in a folder; nothing if it is not there, or is no folder, or goes meanwhile. */
    private static List<Path> entries(Path folder, String pattern) throws IOException {
        try {
            return listed(folder, pattern);
        } catch (NoSuchFileException | NotDirectoryException e) {
            return List.of();
        }
    }

    private static List<Path> listed(Path folder, String pattern) throws IOException {
        var found = new ArrayList<Path>();
        try (var entries = Files.newDirectoryStream(folder, pattern)) {
            entries.forEach(found::add);
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return found;
    }

    /** Where a link leads; empty if it is none, or is gone. */
    private static Optional<Path> target(Path link) throws IOException {
        try {
            return Optional.of(link.resolveSibling(Files.readSymbolicLink(link)).normalize());
        } catch (NotLinkException | NoSuchFileException e) {
            return Optional.empty();
        }
    }
}
