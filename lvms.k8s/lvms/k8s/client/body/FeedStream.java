package lvms.k8s.client.body;

import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.net.http.HttpTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;

/**
 * A body as a stream that holds one batch of it at a time. It fails after a silence and at a
 * deadline. One thread.
 */
public final class FeedStream extends InputStream {
    private final ByteFeed feed;
    private final Duration silence;
    private final long endNanos;
    private final Queue<ByteBuffer> buffers = new ArrayDeque<>();
    private long count;

    /**
     * Wraps a body.
     *
     * @param silence how long it may bring nothing
     * @param endNanos when it must have ended, on the clock of {@link System#nanoTime}
     */
    public FeedStream(ByteFeed feed, Duration silence, long endNanos) {
        this.feed = feed;
        this.silence = silence;
        this.endNanos = endNanos;
    }

    /** Wraps a body that may go on for ever. */
    public static FeedStream endless(ByteFeed feed) {
        var forEver = Duration.ofNanos(Long.MAX_VALUE / 2);
        return new FeedStream(feed, forEver, System.nanoTime() + forEver.toNanos());
    }

    /** Returns how many bytes were read so far. */
    public long count() {
        return count;
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
            return 0; // without waiting: readNBytes asks so once it has all
        }
        while (buffers.isEmpty() || !buffers.peek().hasRemaining()) {
            buffers.poll();
            if (buffers.isEmpty() && !fill()) {
                return -1;
            }
        }
        var next = buffers.peek();
        int taken = Math.min(length, next.remaining());
        next.get(bytes, offset, taken);
        count += taken;
        return taken;
    }

    /** Takes the next batch; returns false at the end. */
    private boolean fill() throws IOException {
        var left = Duration.ofNanos(Math.max(0, endNanos - System.nanoTime()));
        boolean last = left.compareTo(silence) < 0;
        try {
            return switch (feed.read(last ? left : silence, buffers::add)) {
                case BYTES -> true;
                case END -> false;
                case NOTHING ->
                        throw new HttpTimeoutException(
                                last
                                        ? "no complete answer before the deadline"
                                        : "the answer stopped for " + silence.toSeconds() + " s");
            };
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted");
        }
    }

    /** Ends the exchange: a read fails, also one that waits. */
    @Override
    public void close() {
        feed.close();
    }
}
