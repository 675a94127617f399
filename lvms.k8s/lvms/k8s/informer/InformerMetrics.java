package lvms.k8s.informer;

import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.metrics.MetricsRegistry;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * The metrics of the informers of one name. The {@code reflector_*} ones are those that client-go
 * had. What informers of one name count adds up.
 */
final class InformerMetrics {
    private final Counter lists;
    private final Counter watches;
    private final Counter shortWatches;
    private final Counter handlerFailures;
    private final Gauge objects;
    private final Gauge synced;
    private final Gauge notFollowing;
    private final AtomicInteger ownObjects = new AtomicInteger();
    private final AtomicInteger ownSynced = new AtomicInteger();
    private int ownNotFollowing;
    private boolean closed;

    InformerMetrics(MetricsRegistry registry, String name) {
        lists =
                registry.counter("reflector_lists_total", "Lists, streaming ones too.", "name")
                        .with(name);
        watches = registry.counter("reflector_watches_total", "Watches opened.", "name").with(name);
        shortWatches =
                registry.counter(
                                "reflector_short_watches_total",
                                "Watches that ended within a second.",
                                "name")
                        .with(name);
        handlerFailures =
                registry.counter(
                                "informer_handler_failures_total",
                                "Changes that a handler failed to take; it is told again.",
                                "name")
                        .with(name);
        objects = gauge(registry, "informer_objects", "Objects in the caches.").with(name);
        synced = gauge(registry, "informer_synced", "Collections with a first list.").with(name);
        notFollowing =
                gauge(
                                registry,
                                "informer_not_following",
                                "Collections that cannot be followed at the moment.")
                        .with(name);
    }

    private static Family<Gauge> gauge(MetricsRegistry registry, String name, String help) {
        return registry.gauge(name, help, "name");
    }

    void listed() {
        lists.increment();
    }

    void watched() {
        watches.increment();
    }

    void endedSoon() {
        shortWatches.increment();
    }

    void handlerFailed() {
        handlerFailures.increment();
    }

    void synced() {
        ownSynced.incrementAndGet();
        synced.add(1);
    }

    void cannotFollow() {
        countNotFollowing(1);
    }

    void followsAgain() {
        countNotFollowing(-1);
    }

    /** A thread that is told to end may still have a problem. */
    private synchronized void countNotFollowing(int more) {
        if (!closed) {
            ownNotFollowing += more;
            notFollowing.add(more);
        }
    }

    void changed(Change change) {
        int more = (change.after().isPresent() ? 1 : 0) - (change.before().isPresent() ? 1 : 0);
        if (more != 0) {
            ownObjects.addAndGet(more);
            objects.add(more);
        }
    }

    /** Takes back what only holds while the informer follows. */
    synchronized void close() {
        closed = true;
        notFollowing.add(-ownNotFollowing);
        objects.add(-ownObjects.getAndSet(0));
        synced.add(-ownSynced.getAndSet(0));
    }
}
