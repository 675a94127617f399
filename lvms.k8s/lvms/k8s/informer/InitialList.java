package lvms.k8s.informer;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.WatchSignal;
import lvms.k8s.client.WatchStream;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ObjectList;
import lvms.k8s.object.ResourceType;

import java.io.IOException;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/**
 * The beginning of a streaming list: the whole collection, up to the bookmark that marks its end.
 *
 * <p>A server that does not know streaming lists serves a plain watch instead, and the mark never
 * comes. Then it is silent, or sends bookmarks without the mark, or goes on until the time that was
 * asked for is over; one of these ends the wait.
 */
final class InitialList {
    private final ResourceType type;
    private final UnaryOperator<KubeObject> trim;
    private final Timing timing;
    private final Feed feed;
    private final long longNanos;
    private boolean told;
    private long endNanos;
    private boolean bookmarked;

    /**
     * Begins to count the time.
     *
     * @param feed which is told if it takes long
     * @param timeout for which the watch was opened
     */
    InitialList(
            ResourceType type,
            UnaryOperator<KubeObject> trim,
            Timing timing,
            Feed feed,
            Duration timeout) {
        this.type = type;
        this.trim = trim;
        this.timing = timing;
        this.feed = feed;
        long now = System.nanoTime();
        this.longNanos = now + aMinute();
        this.endNanos = now + timeout.plus(timing.watchGrace()).toNanos();
    }

    /**
     * Reads it to the mark.
     *
     * @throws IOException if the mark does not come
     */
    ObjectList read(WatchStream stream) throws ApiException, IOException, InterruptedException {
        Map<ObjectKey, KubeObject> initial = new LinkedHashMap<>();
        while (true) {
            switch (stream.next(patience())) {
                case WatchSignal.Event(var kind, var object) -> {
                    Reflector.check(type, object);
                    switch (kind) {
                        case ADDED, MODIFIED -> initial.put(object.key(), trim.apply(object));
                        case DELETED -> initial.remove(object.key());
                        case BOOKMARK -> {
                            if (isEnd(object)) {
                                return new ObjectList(
                                        List.copyOf(initial.values()), object.resourceVersion());
                            }
                            endSoon();
                        }
                    }
                }
                case WatchSignal.Idle() -> throw new IOException("a streaming list fell silent");
                case WatchSignal.End _ -> throw new IOException("a streaming list was cut off");
            }
        }
    }

    private static boolean isEnd(KubeObject bookmark) {
        return bookmark.annotation("k8s.io/initial-events-end").orElse("").equals("true");
    }

    /** The first bookmark of a streaming list is the marked one. */
    private void endSoon() {
        if (!bookmarked) {
            bookmarked = true;
            long soon = System.nanoTime() + aMinute();
            endNanos = soon - endNanos < 0 ? soon : endNanos;
        }
    }

    private long aMinute() {
        return timing.initialSilence().multipliedBy(2).toNanos();
    }

    private Duration patience() throws IOException {
        long now = System.nanoTime();
        long left = endNanos - now;
        if (left <= 0) {
            throw new IOException("a streaming list went on without the mark of its end");
        }
        if (!told && now - longNanos >= 0) {
            told = true;
            feed.problem(new IOException("a streaming list has no mark of its end yet"));
        }
        return Duration.ofNanos(Math.min(left, timing.initialSilence().toNanos()));
    }
}
