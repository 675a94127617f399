package lvms.lvm2.label;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * Whether there is data on a device although libblkid knows nothing that is on it: a raw disk of a
 * virtual machine, a database, or a filesystem that it has not heard of.
 */
public final class DeviceData {
    private static final int MIB = 1 << 20;
    private static final int BLOCK = 4096;

    private DeviceData() {}

    /**
     * Returns whether the first or last MiB holds a byte other than zero. What {@code pvremove}
     * leaves of a physical volume is no data: somebody has given that disk up.
     */
    public static boolean isOn(Path device) throws IOException {
        try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
            long size = channel.size();
            if (!isZero(channel, 0, (int) Math.min(size, BLOCK))) {
                return true;
            }
            return !PvLabel.removed(channel)
                    && !(isZero(channel, 0, (int) Math.min(size, MIB))
                            && isZero(channel, Math.max(0, size - MIB), MIB));
        }
    }

    private static boolean isZero(FileChannel channel, long at, int count) throws IOException {
        var bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) > 0) {}
        bytes.flip();
        while (bytes.hasRemaining()) {
            if (bytes.get() != 0) {
                return false;
            }
        }
        return true;
    }
}
