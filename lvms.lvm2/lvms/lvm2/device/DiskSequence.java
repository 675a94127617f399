package lvms.lvm2.device;

import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Which disk a path leads to. Asks sysfs alone, so that a disk that hangs delays nobody. */
public final class DiskSequence {
    private static final Path SYS = Path.of("/sys/class/block");

    private DiskSequence() {}

    /**
     * Returns the disk's number, which no other disk gets until the next boot ({@code diskseq},
     * kernel 5.15). A partition has that of its disk.
     *
     * @param device path of the device, or a link to it
     * @return 0 if the path leads to no block device, or on an older kernel
     */
    public static long of(Path device) throws IOException {
        try {
            var folder = new SysfsFolder(SYS.resolve(device.toRealPath().getFileName()));
            boolean partition = !folder.text("partition").isEmpty();
            return (partition ? folder.parent() : folder).number("diskseq");
        } catch (NoSuchFileException e) {
            return 0;
        }
    }
}
