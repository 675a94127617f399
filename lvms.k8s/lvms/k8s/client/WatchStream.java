package lvms.k8s.client;

import lvms.k8s.client.body.ByteFeed;
import lvms.k8s.client.body.LineBuffer;
import lvms.k8s.client.body.OversizedBodyException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Omission;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.function.UnaryOperator;

/**
 * An open watch. One thread reads it. Any thread may close it; the read then ends with an {@link
 * IOException}.
 */
public final class WatchStream implements AutoCloseable {
    private static final int MAX_EVENT_BYTES = 16 << 20;

    private final String action;
    private final ByteFeed feed;
    private final UnaryOperator<ApiStatus> said;
    private final UnaryOperator<KubeObject> reading;
    private final Omission omission;
    private final LineBuffer lines = new LineBuffer(MAX_EVENT_BYTES);

    /**
     * Wraps a body of which nothing was read yet.
     *
     * @param said makes of a failure that the server reports what may be shown of it
     */
    WatchStream(String action, ByteFeed feed, UnaryOperator<ApiStatus> said) {
        this(action, feed, said, UnaryOperator.identity(), Omission.NOTHING);
    }

    private WatchStream(
            String action,
            ByteFeed feed,
            UnaryOperator<ApiStatus> said,
            UnaryOperator<KubeObject> reading,
            Omission omission) {
        this.action = action;
        this.feed = feed;
        this.said = said;
        this.reading = reading;
        this.omission = omission;
    }

    /**
     * Returns this stream, of which nothing was read yet, with objects as a function makes them.
     */
    WatchStream reading(UnaryOperator<KubeObject> function) {
        return new WatchStream(action, feed, said, function, omission);
    }

    /** Returns this stream, of which nothing was read yet, without a part of its events. */
    WatchStream without(Omission part) {
        return new WatchStream(action, feed, said, reading, part);
    }

    /**
     * Waits for the next signal.
     *
     * @throws ApiException the failure that the server reported within the stream
     * @throws MalformedWatchException if something other than an event came
     * @throws IOException if the stream broke or was closed; what was read before stays valid
     */
    public WatchSignal next(Duration timeout)
            throws ApiException, IOException, InterruptedException {
        long deadline = System.nanoTime() + timeout.toNanos();
        while (true) {
            var line = lines.next();
            if (line.isPresent()) {
                return event(line.get());
            }
            var left = Duration.ofNanos(Math.max(0, deadline - System.nanoTime()));
            switch (more(left)) {
                case BYTES -> {}
                case NOTHING -> {
                    return new WatchSignal.Idle();
                }
                case END -> {
                    return new WatchSignal.End(lines.hasPart());
                }
            }
        }
    }

    /**
     * Before it, others have their turn: a stream that comes faster than it is read never waits.
     */
    private ByteFeed.Read more(Duration timeout) throws IOException, InterruptedException {
        Thread.yield();
        try {
            return feed.read(timeout, lines);
        } catch (OversizedBodyException e) {
            throw new MalformedWatchException(action + ": " + e.getMessage(), e);
        }
    }

    private WatchSignal event(ByteBuffer line) throws ApiException, IOException {
        try {
            if (Json.parse(line, omission) instanceof ObjectTree event
                    && event.at("object") instanceof ObjectTree object) {
                return event(event.text("type").orElse(""), object);
            }
        } catch (JsonException e) {
            throw new MalformedWatchException(action + ": malformed event: " + e.getMessage(), e);
        }
        throw new MalformedWatchException(action + ": not an event");
    }

    private WatchSignal event(String type, ObjectTree object) throws ApiException, IOException {
        if (type.equals("ERROR")) {
            throw ApiException.of(action, said.apply(ApiStatus.within(object)));
        }
        var known =
                switch (type) {
                    case "ADDED" -> WatchSignal.Type.ADDED;
                    case "MODIFIED" -> WatchSignal.Type.MODIFIED;
                    case "DELETED" -> WatchSignal.Type.DELETED;
                    case "BOOKMARK" -> WatchSignal.Type.BOOKMARK;
                    default ->
                            throw new MalformedWatchException(
                                    action + ": unknown event type " + type);
                };
        return new WatchSignal.Event(known, reading.apply(KubeObject.of(object)));
    }

    @Override
    public void close() {
        feed.close();
    }
}
