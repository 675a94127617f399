package lvms.lvm2.content;

import lvms.lvm2.device.BlockDevices;

import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * The device of a logical volume that nobody has been given yet, held exclusively while the content
 * of another one is copied to it. Calls block in the kernel as long as the devices take, so callers
 * bring a platform thread and short ranges. One thread at a time.
 */
public final class DeviceCopy implements AutoCloseable {
    private static final int BUFFER = 1 << 20;
    private static final int UNIT = 4096;

    private final FileChannel source;
    private final DeviceErasure target;
    private final FileChannel writer;
    private final long sourceBytes;
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(BUFFER);
    private final ByteBuffer zeros = ByteBuffer.allocateDirect(BUFFER);

    private DeviceCopy(
            FileChannel source, long sourceBytes, DeviceErasure target, FileChannel writer) {
        this.source = source;
        this.sourceBytes = sourceBytes;
        this.target = target;
        this.writer = writer;
    }

    /**
     * Opens both devices.
     *
     * @param source node of an active volume, such as {@code /dev/VG/LV}
     * @param target node of another one
     * @param targetUuid LVM's UUID of the target, as LVM prints it
     * @throws IOException also if the target is another volume's device, or somebody holds it
     */
    public static DeviceCopy open(Path source, Path target, String targetUuid) throws IOException {
        var claimed = DeviceErasure.claim(target, targetUuid);
        FileChannel from = null;
        try {
            from = FileChannel.open(source, StandardOpenOption.READ);
            return new DeviceCopy(
                    from,
                    BlockDevices.sizeBytes(source),
                    claimed,
                    FileChannel.open(target, StandardOpenOption.WRITE));
        } catch (IOException | RuntimeException e) {
            claimed.close();
            if (from != null) {
                from.close();
            }
            throw e;
        }
    }

    public long sourceBytes() {
        return sourceBytes;
    }

    public long targetBytes() throws IOException {
        return target.sizeBytes();
    }

    /** Copies a range, so that the target reads as the source does there. */
    public void copy(long offset, long bytes) throws IOException {
        for (long done = 0; done < bytes; done += buffer.limit()) {
            buffer.clear().limit((int) Math.min(BUFFER, bytes - done));
            read(offset + done);
            write(offset + done);
        }
    }

    private void read(long offset) throws IOException {
        while (buffer.hasRemaining()) {
            if (source.read(buffer, offset + buffer.position()) < 0) {
                throw new EOFException("the source ends at " + (offset + buffer.position()));
            }
        }
        buffer.flip();
    }

    /** The device below may zero without being sent the zeros. */
    private void write(long offset) throws IOException {
        int bytes = buffer.limit();
        boolean empty = buffer.equals(zeros.clear().limit(bytes));
        if (empty && offset % UNIT == 0 && bytes % UNIT == 0) {
            target.zero(offset, bytes);
            return;
        }
        while (buffer.hasRemaining()) {
            writer.write(buffer, offset + buffer.position());
        }
    }

    /** Makes a range of the target read as zeros; multiples of 4096 bytes. */
    public void zero(long offset, long bytes) throws IOException {
        target.zero(offset, bytes);
    }

    /** Returns when what was copied is there after a power cut, too. */
    public void flush() throws IOException {
        target.flush();
    }

    @Override
    public void close() throws IOException {
        try (source;
                writer) {
            target.close();
        }
    }
}
