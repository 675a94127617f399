package lvms.node.vgmanager;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.CompletableFuture;

/**
 * Writes numbered blocks to a device, each synced, until it is closed; then knows what is there.
 */
final class RaidLoad implements AutoCloseable {
    private static final int BLOCK = 4096;
    private static final int BLOCKS = 2048;

    private final long[] written = new long[BLOCKS];
    private final Path device;
    private final CompletableFuture<Void> work;
    private volatile boolean closed;
    private volatile long count;

    RaidLoad(Path device) {
        this.device = device;
        this.work = CompletableFuture.runAsync(this::run);
    }

    private void run() {
        try (var channel =
                FileChannel.open(device, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
            while (!closed) {
                int block = (int) (count * 31 % BLOCKS);
                var bytes = ByteBuffer.allocate(BLOCK).putLong(0, count + 1);
                channel.write(bytes, (long) block * BLOCK);
                written[block] = count + 1;
                count++;
            }
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }

    /** Waits until more blocks are written; fails as a write did. */
    void awaitMore(int blocks) throws InterruptedException {
        long end = count + blocks;
        while (count < end) {
            if (work.isDone()) {
                work.join();
            }
            Thread.sleep(5);
        }
    }

    /** Ends the writing and compares every block. */
    @Override
    public void close() throws IOException {
        closed = true;
        work.join();
        try (var channel = FileChannel.open(device, StandardOpenOption.READ)) {
            for (int block = 0; block < BLOCKS; block++) {
                var bytes = ByteBuffer.allocate(BLOCK);
                channel.read(bytes, (long) block * BLOCK);
                boolean touched = written[block] != 0; // else it holds what the disk had before
                if (touched && bytes.getLong(0) != written[block]) {
                    throw new AssertionError(
                            "block %d holds %d, not %d"
                                    .formatted(block, bytes.getLong(0), written[block]));
                }
            }
        }
        System.out.println(count + " synced writes");
    }
}
