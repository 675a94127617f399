package lvms.lvm2.device;

import lvms.lvm2.system.DeviceNumber;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Which disk a path leads to, and whether it is still there. Asks sysfs alone, which answers even
 * if no disk does.
 */
public final class Disks {
    private static final Path NAMES = Path.of("/sys/class/block");
    private static final Path NUMBERS = Path.of("/sys/dev/block");

    /** A SCSI disk that is still listed although the kernel has given it up. */
    private static final Set<String> DEAD = Set.of("offline", "transport-offline", "deleted");

    private Disks() {}

    /**
     * Returns the disk's number, which no other disk gets until the next boot ({@code diskseq},
     * kernel 5.15). A partition has that of its disk.
     *
     * @param device path of the device, or a link to it
     * @return 0 if the path leads to no block device, or on an older kernel
     */
    public static long sequence(Path device) throws IOException {
        try {
            var folder = new SysfsFolder(NAMES.resolve(device.toRealPath().getFileName()));
            boolean partition = !folder.text("partition").isEmpty();
            return (partition ? folder.parent() : folder).number("diskseq");
        } catch (NoSuchFileException e) {
            return 0;
        }
    }

    /**
     * Returns whether any disk on which the device lies, perhaps over other device-mapper devices,
     * is gone or dead: the targets linear and striped only fail the I/O that reaches it. RAID
     * devices are asked for their own status instead, since they may lose one.
     */
    public static boolean lostBelow(DeviceNumber device) throws IOException {
        var folder = NUMBERS.resolve(device.toString());
        return Files.exists(folder) && isLost(folder);
    }

    private static boolean isLost(Path device) throws IOException {
        var slaves = device.resolve("slaves");
        if (!Files.isDirectory(slaves)) {
            return isDead(device);
        }
        boolean any = false;
        try (var links = Files.newDirectoryStream(slaves)) {
            for (var link : links) {
                any = true;
                if (Files.notExists(link) || isLost(link)) { // sysfs keeps the link to what is gone
                    return true;
                }
            }
        } catch (NoSuchFileException e) {
            return false; // the device itself went meanwhile
        }
        return !any && isDead(device);
    }

    private static boolean isDead(Path disk) {
        var folder = new SysfsFolder(disk);
        return DEAD.contains(folder.text("device/state"))
                || DEAD.contains(folder.text("../device/state")); // of a partition's disk
    }
}
