package lvms.lvm2.command;

import lvms.lvm2.LvmOptions;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.filesystem.FileLock;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Names below /dev of devices that are gone. Without udev, LVM makes and removes the names itself,
 * as the last step of a command, and it never looks at those of a volume that it no longer knows. A
 * killed removal leaves them: the kernel gives the number to the next device, so that the old name
 * would show another volume's data, and the group's folder keeps its name taken.
 *
 * @param dev the folder of devices
 * @param locks the folder of LVM's locks
 */
record StaleNodes(Path dev, Path locks, DeviceMapper deviceMapper) {
    private static final System.Logger LOG = System.getLogger(StaleNodes.class.getName());

    static StaleNodes of(LvmOptions options, DeviceMapper deviceMapper) {
        var dev = CutChanges.root(options).resolve("dev");
        return new StaleNodes(dev, CutChanges.lockFolder(options), deviceMapper);
    }

    /** Removes those of a group, unless another program is changing it, which makes such names. */
    void remove(String vg) throws InterruptedException {
        try (var lock = FileLock.tryLock(locks.resolve("V_" + vg)).orElse(null)) {
            if (lock != null) {
                removeLocked(vg);
            }
        } catch (IOException e) {
            LOG.log(Level.WARNING, () -> "cannot look for names of devices that are gone: " + e);
        }
    }

    private void removeLocked(String vg) throws IOException, InterruptedException {
        var folder = dev.resolve(vg);
        var links = files(folder, link -> isOf(vg, target(link)));
        var nodes = files(dev.resolve("mapper"), node -> isOf(vg, Optional.of(node)));
        Set<String> devices = // read after the names, so that it has the device of a new name
                deviceMapper.list().stream()
                        .map(DeviceMapper.Device::name)
                        .collect(Collectors.toSet());
        for (var link : links) {
            if (!devices.contains(name(target(link).orElse(link)))) {
                delete(link);
            }
        }
        for (var node : nodes) {
            if (!devices.contains(name(node))) {
                delete(node);
            }
        }
        deleteIfEmpty(folder);
    }

    private static boolean isOf(String vg, Optional<Path> node) {
        return node.filter(path -> path.getParent().endsWith("mapper"))
                .flatMap(path -> Recovery.volumeOf(name(path)))
                .filter(volume -> volume.vg().equals(vg))
                .isPresent();
    }

    private static String name(Path file) {
        return file.getFileName().toString();
    }

    /** Where a link leads; empty if it is not one. */
    private static Optional<Path> target(Path link) {
        try {
            return Optional.of(link.resolveSibling(Files.readSymbolicLink(link)));
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static List<Path> files(Path folder, Predicate<Path> which) throws IOException {
        var found = new ArrayList<Path>();
        if (Files.isDirectory(folder)) {
            try (var files = Files.newDirectoryStream(folder, which::test)) {
                files.forEach(found::add);
            }
        }
        return found;
    }

    private static void delete(Path file) throws IOException {
        if (Files.deleteIfExists(file)) {
            LOG.log(Level.WARNING, () -> "removed the name of a device that is gone: " + file);
        }
    }

    private static void deleteIfEmpty(Path folder) throws IOException {
        try {
            Files.deleteIfExists(folder);
        } catch (DirectoryNotEmptyException e) {
            LOG.log(Level.DEBUG, () -> "in use: " + folder);
        }
    }
}
