package lvms.k8s.informer;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.function.Function;

/** The store of one collection, all or of one namespace, and the thread that fills it. */
final class Follower implements Feed {
    private static final System.Logger LOG = System.getLogger(Follower.class.getName());

    private final ResourceType type;
    private final Store store;
    private final Delivery delivery;
    private final InformerMetrics metrics;
    private final Duration tellAfter;
    private final Thread thread;
    private final CountDownLatch synced = new CountDownLatch(1);
    private volatile Optional<Outage> outage = Optional.empty();

    /**
     * @param tellAfter how long an outage may last before the log tells of it in any case
     * @param reflector what follows the server, made for this feed
     */
    Follower(
            ResourceType type,
            Store store,
            Delivery delivery,
            InformerMetrics metrics,
            Duration tellAfter,
            Function<Feed, Reflector> reflector) {
        this.type = type;
        this.store = store;
        this.delivery = delivery;
        this.metrics = metrics;
        this.tellAfter = tellAfter;
        this.thread = Thread.ofVirtual().name("informer-" + type).unstarted(reflector.apply(this));
    }

    Store store() {
        return store;
    }

    Thread thread() {
        return thread;
    }

    CountDownLatch synced() {
        return synced;
    }

    /** Returns whether it has listed, and goes on trying; see {@link #problem} for how it fares. */
    boolean following() {
        return synced.getCount() == 0 && thread.isAlive();
    }

    /** Returns why it cannot follow at the moment, empty if it can. */
    String problem() {
        return outage.map(Outage::problem).orElse("");
    }

    /** Takes the answer to a write of our own. */
    void observe(KubeObject written) {
        delivery.deliver(false, () -> store.observe(written));
    }

    @Override
    public void replace(List<KubeObject> items, String version) {
        boolean first = synced.getCount() > 0;
        delivery.deliver(first, () -> store.replace(items, version));
        if (first) {
            metrics.synced();
            synced.countDown();
        }
        healthy();
    }

    @Override
    public void update(KubeObject object) {
        delivery.deliver(false, () -> store.update(object));
        healthy();
    }

    @Override
    public void delete(KubeObject last) {
        delivery.deliver(false, () -> store.delete(last));
        healthy();
    }

    @Override
    public void bookmark(String version) {
        store.reached(version);
        healthy();
    }

    @Override
    public void resumed() {
        healthy();
    }

    private void healthy() {
        if (outage.isPresent()) {
            var ended = outage.get();
            outage = Optional.empty();
            metrics.followsAgain();
            var lasted = ended.lasted(System.nanoTime());
            var line = "informer follows again type=" + type + " after=" + lasted;
            LOG.log(ended.told() ? INFO : DEBUG, line);
        }
    }

    @Override
    public void problem(Throwable failure) {
        var text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
        long now = System.nanoTime();
        boolean another = !text.equals(problem());
        if (outage.isEmpty()) {
            metrics.cannotFollow();
        }
        var present = outage.orElse(new Outage(text, now, false)).goesOn(text);
        boolean due = present.due(tellAfter, now);
        var level = due ? WARNING : level(failure);
        if (another || due) {
            var lasts = due ? " for=" + present.lasted(now) : "";
            LOG.log(level, () -> "informer cannot follow type=" + type + lasts + " " + text);
        }
        outage = Optional.of(level == WARNING ? present.asTold() : present);
    }

    /**
     * Streams break whenever a server restarts, and a starting server asks to wait. The client logs
     * once, for all callers, that a server cannot be reached. What lasts is told all the same.
     */
    private static System.Logger.Level level(Throwable failure) {
        return switch (failure) {
            case IOException _ -> DEBUG;
            case ApiException.Unreachable _ -> DEBUG;
            case ApiException.TooManyRequests _ -> DEBUG;
            default -> WARNING;
        };
    }

    @Override
    public String version() {
        return store.version();
    }

    @Override
    public boolean ended() {
        return delivery.closed();
    }
}
