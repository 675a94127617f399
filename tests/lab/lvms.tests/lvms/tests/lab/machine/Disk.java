package lvms.tests.lab.machine;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/**
 * A disk of a node: a sparse file, which outlives the node's power.
 *
 * @param file the content
 * @param unit 1 for {@code /dev/ubdb}, 2 for {@code /dev/ubdc}, ...
 */
public record Disk(Path file, int unit) {
    static Disk create(Path file, int unit, long sizeBytes) throws IOException {
        var disk = new Disk(file, unit);
        disk.setSize(sizeBytes);
        return disk;
    }

    /** Returns the path of the block device in the node. */
    public String device() {
        return "/dev/ubd" + (char) ('a' + unit);
    }

    /** Grows or truncates the file; a running node sees a new size only after its next boot. */
    public void setSize(long sizeBytes) throws IOException {
        try (var content = new RandomAccessFile(file.toFile(), "rw")) {
            content.setLength(sizeBytes);
        }
    }

    /** Makes the disk blank, as a new one is. */
    public void blank() throws IOException {
        try (var content = FileChannel.open(file, StandardOpenOption.WRITE)) {
            long size = content.size();
            content.truncate(0);
            content.write(java.nio.ByteBuffer.allocate(1), size - 1);
        }
    }
}
