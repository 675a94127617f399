package lvms.k8s.client.body;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A response body that one thread reads with a time limit for each read. The streams of {@code
 * java.net.http} have no such limit.
 *
 * <p>Demand is one batch of buffers ahead of the reader, so a slow reader slows the server.
 */
public final class ByteFeed implements HttpResponse.BodySubscriber<ByteFeed>, AutoCloseable {
    /** What arrives: bytes, the end, or a failure. */
    private sealed interface Item {
        record Bytes(List<ByteBuffer> buffers) implements Item {}

        record End() implements Item {}

        record Failure(Throwable cause) implements Item {}
    }

    private final LinkedBlockingQueue<Item> items = new LinkedBlockingQueue<>();
    private Optional<Item> last = Optional.empty();
    private Flow.Subscription subscription;
    private boolean closed;
    private boolean complete;

    @Override
    public CompletionStage<ByteFeed> getBody() {
        return CompletableFuture.completedStage(this);
    }

    @Override
    public synchronized void onSubscribe(Flow.Subscription newSubscription) {
        if (closed || subscription != null) {
            newSubscription.cancel();
            return;
        }
        subscription = newSubscription;
        newSubscription.request(2);
    }

    @Override
    public void onNext(List<ByteBuffer> buffers) {
        items.add(new Item.Bytes(buffers));
    }

    @Override
    public void onError(Throwable cause) {
        items.add(new Item.Failure(cause));
    }

    @Override
    public synchronized void onComplete() {
        complete = true;
        if (!closed) {
            items.add(new Item.End());
        }
    }

    /** How a read ended. */
    public enum Read {
        /** The sink got bytes. */
        BYTES,
        /** Nothing came in time. */
        NOTHING,
        /** The body ended properly. */
        END
    }

    /** Receives bytes. */
    public interface Sink {
        void accept(ByteBuffer bytes) throws IOException;
    }

    /**
     * Passes the next bytes to {@code sink}. After the end each read returns it again, and after a
     * failure each read fails.
     *
     * @throws IOException if the body broke off, or was closed
     */
    public Read read(Duration timeout, Sink sink) throws IOException, InterruptedException {
        var next = next(timeout);
        if (next.isEmpty()) {
            return Read.NOTHING;
        }
        switch (next.get()) {
            case Item.Bytes(var buffers) -> {
                requestMore();
                for (var buffer : buffers) {
                    sink.accept(buffer);
                }
                return Read.BYTES;
            }
            case Item.End _ -> {
                last = next;
                return Read.END;
            }
            case Item.Failure(var cause) -> {
                last = next;
                throw new IOException("body broke off: " + cause, cause);
            }
        }
    }

    /** Returns what comes next; once nothing can come any more, what came last. */
    private Optional<Item> next(Duration timeout) throws InterruptedException {
        long nanos = last.isPresent() ? 0 : timeout.toNanos();
        return Optional.ofNullable(items.poll(nanos, TimeUnit.NANOSECONDS)).or(() -> last);
    }

    /**
     * Returns the beginning of the body of an error: at most so many bytes, and only what comes in
     * time. That the rest broke off does not matter, since the code of the answer is known.
     *
     * @param time for all of it
     */
    public byte[] readBeginning(int maxBytes, Duration time) throws InterruptedException {
        var all = new ByteArrayOutputStream();
        long end = System.nanoTime() + time.toNanos();
        try {
            while (all.size() < maxBytes
                    && read(
                                    Duration.ofNanos(Math.max(0, end - System.nanoTime())),
                                    buffer -> append(buffer, all, maxBytes))
                            == Read.BYTES) {
                continue;
            }
        } catch (IOException _) {
            return all.toByteArray();
        }
        return all.toByteArray();
    }

    private static void append(ByteBuffer buffer, ByteArrayOutputStream all, int maxBytes) {
        var bytes = new byte[Math.min(buffer.remaining(), maxBytes - all.size())];
        buffer.get(bytes);
        all.writeBytes(bytes);
    }

    private synchronized void requestMore() {
        if (!closed) {
            subscription.request(1);
        }
    }

    /** Ends the exchange: the reader gets an {@link IOException}, the connection is closed. */
    @Override
    public synchronized void close() {
        if (!closed) {
            closed = true;
            items.add(new Item.Failure(new IOException("closed")));
            if (subscription != null && !complete) {
                subscription.cancel();
            }
        }
    }
}
