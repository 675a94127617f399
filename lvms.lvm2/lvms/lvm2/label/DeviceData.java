package lvms.lvm2.label;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;

/**
 * What the bytes of a device tell: whether there is data on it although libblkid knows nothing that
 * is on it (a raw disk of a virtual machine, a database, or a filesystem that it has not heard of),
 * and whether its start is what it was.
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

    /**
     * The first MiB of a device.
     *
     * @param digest SHA-256 of it, in hexadecimal digits
     * @param zero whether all of it is zero
     */
    public record Start(String digest, boolean zero) {}

    /** Reads the first MiB. */
    public static Start start(Path device) throws IOException {
        try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
            int count = (int) Math.min(channel.size(), MIB);
            var digest = MessageDigest.getInstance("SHA-256").digest(read(channel, 0, count));
            return new Start(HexFormat.of().formatHex(digest), isZero(channel, 0, count));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("each JDK has SHA-256", e);
        }
    }

    private static byte[] read(FileChannel channel, long at, int count) throws IOException {
        var bytes = ByteBuffer.allocate(count);
        while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) > 0) {}
        return Arrays.copyOf(bytes.array(), bytes.position());
    }

    private static boolean isZero(FileChannel channel, long at, int count) throws IOException {
        for (byte b : read(channel, at, count)) {
            if (b != 0) {
                return false;
            }
        }
        return true;
    }
}
