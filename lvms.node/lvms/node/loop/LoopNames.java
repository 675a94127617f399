package lvms.node.loop;

import lvms.api.listing.LoopDevice;
import lvms.api.listing.LoopFile;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How the files behind loop devices are named, by {@link LoopFile#nameOf}.
 *
 * @param node name of this node
 */
public record LoopNames(String node) {
    private static final Pattern NAME = Pattern.compile("[a-zA-Z0-9_.][-a-zA-Z0-9_.]{0,99}");
    private static final Pattern DEVICE = Pattern.compile("/dev/loop[0-9]{1,7}");

    /** Returns what keeps the node from making the device; empty if nothing does. */
    static Optional<String> problem(LoopDevice wish) {
        if (!NAME.matcher(wish.name()).matches()) {
            return Optional.of(
                    "with auto, a name has letters, digits, '-', '_' and '.', and at most 100");
        }
        if (wish.sizeGb().orElse(0) < 1) {
            return Optional.of("with auto, it needs a size");
        }
        return wish.path().filter(LoopNames::isFolder).isPresent()
                ? Optional.empty()
                : Optional.of("with auto, it needs the absolute path of a folder");
    }

    private static boolean isFolder(String path) {
        try {
            return Path.of(path).isAbsolute() && Path.of(path).normalize().getNameCount() > 0;
        } catch (InvalidPathException e) {
            return false; // such as a NUL character
        }
    }

    /** Whether the name is that of a device, and so the device a person's. */
    static boolean isDevice(String name) {
        return DEVICE.matcher(name).matches();
    }

    /** Returns the file of a device about which nothing is a problem, as a path of the host. */
    Path file(String volumeGroup, LoopDevice wish) {
        return Path.of(wish.path().orElseThrow())
                .normalize()
                .resolve(name(volumeGroup, wish.name()));
    }

    /** Returns whether this node made the file. */
    boolean isOurs(String volumeGroup, String loop, Path file) {
        return file.endsWith(name(volumeGroup, loop));
    }

    private String name(String volumeGroup, String loop) {
        return LoopFile.nameOf(volumeGroup, loop, node);
    }
}
