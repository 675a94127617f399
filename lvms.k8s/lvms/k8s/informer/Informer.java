package lvms.k8s.informer;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.FieldSelector;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.LabelSelector;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Function;
import java.util.function.UnaryOperator;

/**
 * A cache of one resource type that follows the server.
 *
 * <p>Any thread may read it; what it returns is immutable. It never gives up: after any failure it
 * goes on, with back-off, and whatever changed meanwhile reaches the handlers. Handlers run one at
 * a time, and see the changes of a key in order; intermediate states may be left out. An object
 * with another UID under the same key is reported as a deletion and a creation.
 */
public final class Informer implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Informer.class.getName());
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);

    private final KubeClient client;
    private final ResourceType type;
    private final ListOptions options;
    private final UnaryOperator<KubeObject> trim;
    private final Store store;
    private final Thread thread;
    private final CountDownLatch synced = new CountDownLatch(1);
    private final AtomicLong handlerFailures = new AtomicLong();
    private final List<Handler> handlers = new CopyOnWriteArrayList<>();
    // held while a change is stored and delivered, so that changes cannot overtake each other
    private final ReentrantLock delivery = new ReentrantLock();
    private final Redelivery redelivery;
    private boolean redelivering;
    private boolean started;
    private volatile boolean closed;
    private volatile String problem = "";

    private Informer(Builder builder) {
        this.client = builder.client;
        this.type = builder.type;
        this.options = builder.options;
        this.trim = new SafeTrim(builder.type, builder.trim);
        this.store = new Store(builder.indexers);
        this.redelivery = new Redelivery(builder.timing);
        var reflector = new Reflector(client, type, options, trim, builder.timing, new StoreFeed());
        this.thread = Thread.ofVirtual().name("informer-" + type).unstarted(reflector);
    }

    /** Starts building an informer of all objects of a type. */
    public static Builder of(KubeClient client, ResourceType type) {
        return new Builder(client, type);
    }

    /** What an informer covers. */
    public static final class Builder {
        private final KubeClient client;
        private final ResourceType type;
        private final Map<String, Function<KubeObject, List<String>>> indexers = new HashMap<>();
        private ListOptions options = ListOptions.all();
        private UnaryOperator<KubeObject> trim = Builder::withoutManagedFields;
        private Timing timing = Timing.DEFAULT;

        private Builder(KubeClient client, ResourceType type) {
            this.client = client;
            this.type = type;
        }

        private static KubeObject withoutManagedFields(KubeObject object) {
            return object.without("metadata", "managedFields");
        }

        /** Restricts it to a namespace. */
        public Builder namespace(String namespace) {
            options = options.namespace(namespace);
            return this;
        }

        /** Restricts it by field selector text, with values escaped. */
        public Builder fieldSelector(String selector) {
            options = options.fields(FieldSelector.parse(selector));
            return this;
        }

        /** Restricts it by label selector text. */
        public Builder labelSelector(String selector) {
            options = options.labels(LabelSelector.parse(selector));
            return this;
        }

        /**
         * Trims each object before it is stored; {@code metadata.managedFields} is always dropped.
         * A trimmed object must not be written back as a whole. If the function throws, the object
         * is kept whole.
         */
        public Builder transform(UnaryOperator<KubeObject> transform) {
            trim = object -> transform.apply(withoutManagedFields(object));
            return this;
        }

        /**
         * Adds an index; {@code values} gives the values under which an object is found. An object
         * for which it throws is found under none.
         */
        public Builder index(String name, Function<KubeObject, List<String>> values) {
            indexers.put(name, values);
            return this;
        }

        Builder timing(Timing timing) {
            this.timing = timing;
            return this;
        }

        /** Returns the informer, which is not started yet. */
        public Informer build() {
            return new Informer(this);
        }
    }

    /** Returns the resource type that it caches. */
    public ResourceType type() {
        return type;
    }

    /** Adds a handler. It is told of every object present, as if each had just been created. */
    public void addHandler(Handler handler) {
        delivery.lock();
        try {
            for (var object : store.list()) {
                call(handler, new Store.Change(Optional.empty(), Optional.of(object)));
            }
            handlers.add(handler);
        } finally {
            delivery.unlock();
        }
    }

    /** Starts following; further calls do nothing. */
    public void start() {
        delivery.lock();
        try {
            if (!started && !closed) {
                started = true;
                thread.start();
            }
        } finally {
            delivery.unlock();
        }
    }

    /** Returns whether the handlers got the first list; once true, it stays true. */
    public boolean synced() {
        return synced.getCount() == 0;
    }

    /** Returns whether it is synced and still follows the server: for checks of readiness. */
    public boolean following() {
        return synced() && thread.isAlive();
    }

    /**
     * Waits until {@link #synced()}.
     *
     * @throws TimeoutException if it takes longer; the message says why, if known
     */
    public void awaitSync(Duration timeout) throws TimeoutException, InterruptedException {
        if (!synced.await(timeout.toNanos(), TimeUnit.NANOSECONDS)) {
            var why = problem().map(text -> ": " + text).orElse("");
            throw new TimeoutException(type + " not listed within " + timeout + why);
        }
    }

    public Optional<KubeObject> get(ObjectKey key) {
        return store.get(key);
    }

    /** Returns all objects, in no order. */
    public List<KubeObject> list() {
        return store.list();
    }

    /**
     * Returns the objects for which the index function gave the value.
     *
     * @throws IllegalArgumentException if there is no such index
     */
    public List<KubeObject> byIndex(String index, String value) {
        return store.byIndex(index, value);
    }

    /**
     * Takes the answer to a write of our own at once, so that the next read shows it; handlers are
     * told. Ignores an answer that the watch has already passed, or that this informer does not
     * cover.
     */
    public void observed(KubeObject written) {
        if (covers(written)) {
            var trimmed = trim.apply(written);
            deliver(() -> store.observe(trimmed));
        }
    }

    /** Creates an object through the informer's client; the next read shows it. */
    public KubeObject create(KubeObject object) throws ApiException, InterruptedException {
        return seen(client.create(type, object));
    }

    /** Patches an object through the informer's client; the next read shows the result. */
    public KubeObject patch(MergePatch patch) throws ApiException, InterruptedException {
        return seen(client.mergePatch(type, patch));
    }

    /** Patches the status of an object through the informer's client; the next read shows it. */
    public KubeObject patchStatus(MergePatch patch) throws ApiException, InterruptedException {
        return seen(client.mergePatchStatus(type, patch));
    }

    /**
     * Adds a finalizer through the informer's client unless it is there; the next read shows it.
     */
    public KubeObject addFinalizer(KubeObject object, String finalizer)
            throws ApiException, InterruptedException {
        return seen(client.addFinalizer(type, object, finalizer));
    }

    /**
     * Removes a finalizer through the informer's client if it is there; the next read shows it.
     *
     * @return the object as it is now; empty if it had already gone
     */
    public Optional<KubeObject> removeFinalizer(KubeObject object, String finalizer)
            throws ApiException, InterruptedException {
        var written = client.removeFinalizer(type, object, finalizer);
        written.ifPresent(this::observed);
        return written;
    }

    private KubeObject seen(KubeObject written) {
        observed(written);
        return written;
    }

    private boolean covers(KubeObject object) {
        return (options.namespace().isEmpty() || options.namespace().equals(object.namespace()))
                && LabelSelector.parse(options.labelSelector()).matches(object.labels())
                && FieldSelector.parse(options.fieldSelector()).matches(object);
    }

    /** Returns the version up to which it has seen everything, empty before the first list. */
    public String resourceVersion() {
        return store.version();
    }

    /** Returns why it cannot follow the server at the moment. */
    public Optional<String> problem() {
        var text = problem;
        return text.isEmpty() ? Optional.empty() : Optional.of(text);
    }

    /** Returns how often a handler threw something. */
    public long handlerFailures() {
        return handlerFailures.get();
    }

    /** Stops following. No handler is called after this returns; the cache stays readable. */
    @Override
    public void close() {
        delivery.lock();
        try {
            closed = true;
        } finally {
            delivery.unlock();
        }
        thread.interrupt();
        if (started && Thread.currentThread() != thread && !delivery.isHeldByCurrentThread()) {
            try {
                thread.join(STOP_TIMEOUT);
            } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private interface Mutation {
        List<Store.Change> apply();
    }

    private void deliver(Mutation mutation) {
        delivery.lock();
        try {
            if (!closed) {
                for (var change : mutation.apply()) {
                    for (var handler : handlers) {
                        call(handler, change);
                    }
                }
            }
        } finally {
            delivery.unlock();
        }
    }

    private void call(Handler handler, Store.Change change) {
        try {
            handler.onChange(change.before(), change.after());
        } catch (Throwable failure) { // the stream and the other handlers go on in any case
            handlerFailures.incrementAndGet();
            LOG.log(ERROR, () -> "a handler failed and will be told again type=" + type, failure);
            redelivery.add(handler, change);
            redeliverLater();
        }
    }

    private void redeliverLater() {
        if (!redelivering && !closed) {
            redelivering = true;
            var pause = redelivery.pause();
            Thread.ofVirtual().name("redelivery-" + type).start(() -> redeliver(pause));
        }
    }

    private void redeliver(Duration pause) {
        LockSupport.parkNanos(pause.toNanos());
        delivery.lock();
        try {
            redelivery
                    .takeAll()
                    .forEach(
                            (missed, before) -> {
                                var changes = Redelivery.changes(before, store.get(missed.key()));
                                changes.forEach(change -> call(missed.handler(), change));
                            });
            redelivery.roundEnded();
        } finally {
            redelivering = false;
            if (!redelivery.isEmpty()) {
                redeliverLater();
            }
            delivery.unlock();
        }
    }

    /** Carries what the loop learns into the store. */
    private final class StoreFeed implements Feed {
        @Override
        public void replace(List<KubeObject> items, String version) {
            deliver(() -> store.replace(items, version));
            synced.countDown();
            healthy();
        }

        @Override
        public void update(KubeObject object) {
            deliver(() -> store.update(object));
            healthy();
        }

        @Override
        public void delete(KubeObject last) {
            deliver(() -> store.delete(last));
            healthy();
        }

        @Override
        public void bookmark(String version) {
            store.reached(version);
            healthy();
        }

        private void healthy() {
            problem = "";
        }

        @Override
        public void problem(Throwable failure) {
            var text = failure.getMessage() == null ? failure.toString() : failure.getMessage();
            if (!text.equals(problem)) {
                LOG.log(level(failure), () -> "informer cannot follow type=" + type + " " + text);
            }
            problem = text;
        }

        /**
         * Streams break whenever a server restarts, and a starting server asks to wait. The client
         * logs once, for all callers, that a server cannot be reached.
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
            return closed;
        }
    }
}
