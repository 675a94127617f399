package lvms.lvm2.device;

import lvms.lvm2.system.DeviceNumber;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who has block devices open for writing without telling the kernel that nobody else may: virtual
 * machines, databases and Ceph work like that on raw disks. Whoever only reads, as udev does with
 * each new disk, loses nothing and is not listed.
 *
 * @param users for each device a text such as {@code qemu-kvm (process 4711)} for each program
 */
record OpenDevices(Map<DeviceNumber, List<String>> users) {
    private static final Path PROC = Path.of("/proc");
    private static final int TYPE = 0170000;
    private static final int BLOCK_DEVICE = 0060000;
    private static final int OWNER_WRITES = 0200;

    /** Looks at every process that we can see; those that end meanwhile are passed over. */
    static OpenDevices read() throws IOException {
        var users = new HashMap<DeviceNumber, List<String>>();
        try (var processes = Files.newDirectoryStream(PROC, "[0-9]*")) {
            processes.forEach(process -> read(process, users));
        } catch (DirectoryIteratorException e) {
            throw e.getCause();
        }
        return new OpenDevices(users);
    }

    List<String> of(BlockDevice device) {
        return users.getOrDefault(device.number(), List.of());
    }

    private static void read(Path process, Map<DeviceNumber, List<String>> users) {
        try (var files = Files.newDirectoryStream(process.resolve("fd"))) {
            for (var file : files) {
                var number = written(file);
                if (number != null) {
                    var who = users.computeIfAbsent(number, _ -> new ArrayList<>());
                    var name = name(process);
                    if (!who.contains(name)) {
                        who.add(name);
                    }
                }
            }
        } catch (IOException | DirectoryIteratorException e) {
            return; // it has ended, or belongs to nobody whom we may look at
        }
    }

    /**
     * Returns the block device behind a descriptor that is open for writing; null if it is
     * something else. The name is looked at first, since a question about a file of a dead network
     * filesystem would hang.
     */
    private static DeviceNumber written(Path descriptor) {
        try {
            var target = Files.readSymbolicLink(descriptor).toString();
            if (!target.startsWith("/dev/") && !target.contains("/volumeDevices/")) {
                return null;
            }
            int mode = (int) Files.getAttribute(descriptor, "unix:mode", LinkOption.NOFOLLOW_LINKS);
            var file = Files.readAttributes(descriptor, "unix:mode,rdev");
            boolean block = ((int) file.get("mode") & TYPE) == BLOCK_DEVICE;
            return block && (mode & OWNER_WRITES) != 0
                    ? DeviceNumber.ofDev((long) file.get("rdev"))
                    : null;
        } catch (IOException e) {
            return null; // closed meanwhile
        }
    }

    private static String name(Path process) throws IOException {
        var command = Files.readString(process.resolve("comm")).strip();
        return command + " (process " + process.getFileName() + ")";
    }
}
