package lvms.k8s.exec;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.util.Objects;
import java.util.concurrent.ArrayBlockingQueue;

/**
 * Bytes that one thread writes, message by message, and another one reads. The writer waits while
 * the reader is behind, so a slow reader slows the command.
 */
final class Pipe extends InputStream {
    private static final int MESSAGES = 32; // of 32 KiB at most
    private static final byte[] END = new byte[0];

    private final ArrayBlockingQueue<byte[]> messages = new ArrayBlockingQueue<>(MESSAGES);
    private volatile IOException failure;
    private volatile boolean unwanted;
    private byte[] current = END;
    private int position;
    private boolean ended;
    private boolean broken;

    /** Passes the bytes behind the first one on. */
    void write(byte[] message) throws InterruptedException {
        if (message.length > 1 && !unwanted) {
            messages.put(message);
        }
    }

    /** Ends it after all that was written. */
    void end() throws InterruptedException {
        messages.put(END);
    }

    /** Breaks it after what was written; if there is no room for that, some of it is lost. */
    void fail(IOException cause) {
        failure = cause;
        if (!messages.offer(END)) {
            messages.clear();
            messages.offer(END);
        }
    }

    @Override
    public int read() throws IOException {
        var one = new byte[1];
        return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
    }

    @Override
    public int read(byte[] bytes, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, bytes.length);
        if (length == 0) {
            return 0;
        }
        if (unwanted) {
            throw new IOException("the stream was closed");
        }
        if (broken) {
            throw new IOException(failure.getMessage(), failure);
        }
        while (position == current.length) {
            if (ended || !next()) {
                return -1;
            }
        }
        int taken = Math.min(length, current.length - position);
        System.arraycopy(current, position, bytes, offset, taken);
        position += taken;
        return taken;
    }

    private boolean next() throws IOException {
        try {
            current = messages.take();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
        ended = current.length == 0;
        position = ended ? 0 : 1;
        broken = ended && failure != null;
        if (broken) {
            throw failure;
        }
        if (unwanted) {
            throw new IOException("the stream was closed");
        }
        return !ended;
    }

    /** Drops what comes from now on; whoever reads nevertheless, or waits in a read, fails. */
    @Override
    public void close() {
        unwanted = true;
        messages.clear();
        messages.offer(END);
    }
}
