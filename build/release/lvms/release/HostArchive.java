package lvms.release;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * lvms with its own runtime for hosts without containers: what the image has of it, and a unit of
 * systemd for lvmd. It is unpacked at the root, since its launchers name that place.
 *
 * @param prefix where the image has it, such as {@code /opt/lvms}
 * @param unit of systemd
 * @param licence of lvms
 */
record HostArchive(String prefix, Path unit, Path licence) {
    void pack(Image image, Tarball tar, Path scratch, Path archive) throws IOException {
        var root = Files.createDirectory(scratch.resolve("host"));
        for (var layer : image.layersWith("." + prefix)) {
            Tarball.unpack(layer, "." + prefix, root);
        }
        var here = root.resolve(prefix.substring(1));
        if (Files.notExists(here)) {
            throw new IOException("the image for " + image.architecture() + " has no " + prefix);
        }
        Files.createDirectories(here.resolve("share"));
        Files.copy(unit, here.resolve("share").resolve(unit.getFileName()));
        Files.copy(licence, here.resolve("LICENSE"));
        tar.pack(root, archive, prefix.substring(1));
        Folders.remove(root);
    }
}
