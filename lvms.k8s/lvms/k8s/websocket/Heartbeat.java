package lvms.k8s.websocket;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * Knows whether the other side of a connection still lives: it is sent pings, and silence for as
 * long as {@link #MOST_UNANSWERED} of them take is its end.
 *
 * <p>Silence counts only while somebody receives, since a pong that nobody reads proves nothing.
 * Nor does it count behind more data than the other side may leave unread for good reason: API
 * servers read no ping while a command does not take its standard input.
 */
final class Heartbeat {
    static final int MOST_UNANSWERED = 3;

    /** Half of what the pipe of a command takes; whoever reads no further than this is dead. */
    private static final int MOST_UNREAD_BYTES = 32 << 10;

    /** What is done to the connection. */
    interface Connection {
        /** Sends a ping; returns whether that was possible. */
        boolean ping(byte[] payload);

        void abort();
    }

    private final Duration period;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final LongSupplier nanoClock;
    private long lastSignNanos;
    private long sentBytes;
    private long readBytes;
    private boolean receiving;
    private boolean dead;

    Heartbeat(Duration period, LongSupplier nanoClock) {
        if (!period.isPositive()) {
            throw new IllegalArgumentException("the period of pings has to be positive");
        }
        this.period = period;
        this.nanoClock = nanoClock;
        this.lastSignNanos = nanoClock.getAsLong();
    }

    void start(Connection connection) {
        Thread.ofVirtual().name("kube-socket-ping").start(() -> beat(connection));
    }

    private void beat(Connection connection) {
        try {
            boolean going = true;
            while (going && !ended.await(period.toNanos(), TimeUnit.NANOSECONDS)) {
                going = tick(connection);
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /** Looks once a period; returns whether to go on. */
    boolean tick(Connection connection) {
        if (silent()) {
            connection.abort();
            return false;
        }
        return connection.ping(question()); // if it is broken, who receives hears of it
    }

    /** The answer repeats it, and so says how much was read before it. */
    private synchronized byte[] question() {
        return ByteBuffer.allocate(Long.BYTES).putLong(sentBytes).array();
    }

    private synchronized boolean silent() {
        long nanos = nanoClock.getAsLong() - lastSignNanos;
        boolean reads = sentBytes - readBytes <= MOST_UNREAD_BYTES;
        dead = receiving && reads && nanos >= limit().toNanos();
        return dead;
    }

    private Duration limit() {
        return period.multipliedBy(MOST_UNANSWERED);
    }

    /** Somebody begins to wait for a frame. */
    synchronized void receives() {
        receiving = true;
        lastSignNanos = nanoClock.getAsLong();
    }

    /** A frame came. */
    synchronized void heard() {
        receiving = false;
    }

    /** The answer to a ping came. */
    synchronized void answered(byte[] payload) {
        if (payload.length == Long.BYTES) {
            long told = ByteBuffer.wrap(payload).getLong();
            readBytes = Math.max(readBytes, Math.min(sentBytes, told));
        }
    }

    /** Something is about to be sent. */
    synchronized void sends(int bytes) {
        sentBytes += bytes;
    }

    /** Returns why it ended the connection; empty if it did not. */
    synchronized String problem() {
        return dead ? "the server gave no sign of life for " + limit().toSeconds() + " s" : "";
    }

    void end() {
        ended.countDown();
    }
}
