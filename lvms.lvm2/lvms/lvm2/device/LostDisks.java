package lvms.lvm2.device;

import lvms.lvm2.system.DeviceNumber;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Set;

/**
 * Whether a disk below a device-mapper device is gone. The targets linear and striped do not say:
 * they only fail the I/O that reaches it. Asks sysfs alone, which answers even if no disk does.
 */
public final class LostDisks {
    private static final Path NUMBERS = Path.of("/sys/dev/block");

    /** A SCSI disk that is still listed although the kernel has given it up. */
    private static final Set<String> DEAD = Set.of("offline", "transport-offline", "deleted");

    private LostDisks() {}

    /**
     * Returns whether any disk on which the device lies, perhaps over other device-mapper devices,
     * is gone or dead. RAID devices are asked for their own status instead: they may lose one.
     */
    public static boolean below(DeviceNumber device) throws IOException {
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
