package lvms.lvm2.device;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * One device's folder in sysfs. A missing attribute, or one that the driver does not answer, reads
 * as empty, since kinds of devices differ and devices vanish at any time.
 */
record SysfsFolder(Path path) {
    /** What the kernel prints for a text that a driver does not have. */
    private static final String NONE = "(null)";

    String name() {
        return path.getFileName().toString();
    }

    String text(String attribute) {
        try {
            var bytes = Files.readAllBytes(path.resolve(attribute));
            var text = new String(bytes, StandardCharsets.UTF_8).replace("\0", "").strip();
            return text.equals(NONE) ? "" : text;
        } catch (IOException e) {
            return "";
        }
    }

    long number(String attribute) {
        var text = text(attribute);
        return text.isEmpty() ? 0 : Long.parseLong(text);
    }

    /** The folder of the disk, which contains the partition's folder. */
    SysfsFolder parent() throws IOException {
        return new SysfsFolder(path.toRealPath().getParent());
    }

    List<String> names(String folder) throws IOException {
        var below = path.resolve(folder);
        if (!Files.isDirectory(below)) {
            return List.of();
        }
        try (var entries = Files.list(below)) {
            return entries.map(entry -> entry.getFileName().toString()).sorted().toList();
        }
    }

    List<String> partitions() throws IOException {
        try (var entries = Files.list(path)) {
            return entries.filter(entry -> Files.exists(entry.resolve("partition")))
                    .map(entry -> entry.getFileName().toString())
                    .sorted()
                    .toList();
        }
    }

    String uevent(String key) {
        return text("uevent")
                .lines()
                .filter(line -> line.startsWith(key + "="))
                .map(line -> line.substring(key.length() + 1))
                .findFirst()
                .orElse("");
    }
}
