package lvms.node.csi;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.time.Instant;
import java.util.Optional;

/**
 * What shows that extents held data although probing finds nothing: a second superblock, or, on a
 * volume that was zeroed before it was handed out, whatever is not zero at its ends.
 */
final class Remains {
    private static final int END_BYTES = 1 << 20;

    private Remains() {}

    /**
     * Looks for them.
     *
     * @param created when the volume was made, if that is known
     * @param zeroed whether it was zeroed before it was handed out
     * @return what was found; empty if nothing was
     */
    static Optional<String> find(VolumeDevice device, Optional<Instant> created, boolean zeroed)
            throws IOException {
        var second = BackupSuperblock.find(device.node(), device.sizeBytes(), created);
        return second.isEmpty() && zeroed ? written(device) : second;
    }

    private static Optional<String> written(VolumeDevice device) throws IOException {
        long last = Math.max(0, device.sizeBytes() - END_BYTES);
        try (var channel = FileChannel.open(device.node(), StandardOpenOption.READ)) {
            return isZero(channel, 0) && isZero(channel, last)
                    ? Optional.empty()
                    : Optional.of("it was zeroed when it was made, and is not any more");
        }
    }

    private static boolean isZero(FileChannel channel, long at) throws IOException {
        var bytes = ByteBuffer.allocate(END_BYTES);
        while (bytes.hasRemaining() && channel.read(bytes, at + bytes.position()) > 0) {
            // a read may return only a part
        }
        return bytes.flip().mismatch(ByteBuffer.allocate(bytes.limit())) < 0;
    }
}
