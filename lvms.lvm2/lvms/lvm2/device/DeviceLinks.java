package lvms.lvm2.device;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The links below {@code /dev/disk/by-*} and {@code /dev/mapper}, by the node they lead to. */
record DeviceLinks(Map<Path, List<Path>> byNode) {
    static DeviceLinks below(Path dev) throws IOException {
        var byNode = new HashMap<Path, List<Path>>();
        var disk = dev.resolve("disk");
        if (Files.isDirectory(disk)) {
            try (var folders = Files.newDirectoryStream(disk, "by-*")) {
                for (var folder : folders) {
                    collect(folder, byNode);
                }
            }
        }
        collect(dev.resolve("mapper"), byNode);
        byNode.values().forEach(links -> links.sort(null));
        return new DeviceLinks(byNode);
    }

    List<Path> to(Path node) {
        return byNode.getOrDefault(node, List.of());
    }

    private static void collect(Path folder, Map<Path, List<Path>> byNode) throws IOException {
        if (!Files.isDirectory(folder)) {
            return;
        }
        try (var entries = Files.newDirectoryStream(folder, Files::isSymbolicLink)) {
            for (var link : entries) {
                var node = folder.resolve(Files.readSymbolicLink(link)).normalize();
                byNode.computeIfAbsent(node, _ -> new ArrayList<>()).add(link);
            }
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        } catch (NotDirectoryException e) {
            byNode.remove(folder); // replaced while we read it: it has no links now
        }
    }
}
