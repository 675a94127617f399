package lvms.k8s.informer;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.FieldSelector;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.LabelSelector;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.ResourceVersions;

import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
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
    private static final Duration STOP_TIMEOUT = Duration.ofSeconds(5);
    private static final Duration SHORTEST_RESYNC = Duration.ofSeconds(1);

    private final KubeClient client;
    private final ResourceType type;
    private final ListOptions options;
    private final UnaryOperator<KubeObject> trim;
    private final InformerMetrics metrics;
    private final Delivery delivery;

    /** By namespace; the one of all namespaces, or of a type without, under the empty name. */
    private final Map<String, Follower> followers = new LinkedHashMap<>();

    private boolean started;

    private Informer(Builder builder) {
        this.client = builder.client;
        this.type = builder.type;
        this.options = builder.options;
        this.trim = new SafeTrim(builder.type, builder::reduced, builder.transform);
        this.metrics = new InformerMetrics(client.metrics(), type.toString());
        this.delivery = new Delivery(type, builder.timing, metrics, new Contents());
        for (var namespace : builder.namespaces) {
            followers.put(namespace, follower(builder, options.namespace(namespace)));
        }
    }

    private Follower follower(Builder builder, ListOptions scope) {
        return new Follower(
                type,
                new Store(builder.indexers),
                delivery,
                metrics,
                builder.timing.tellAfter(),
                feed -> reflector(builder, scope, feed));
    }

    private Reflector reflector(Builder builder, ListOptions scope, Feed feed) {
        var reflector = new Reflector(client, type, scope, trim, builder.timing, metrics, feed);
        return builder.streaming ? reflector : reflector.withPlainLists();
    }

    /** What the handlers are told of. */
    private final class Contents implements Delivery.Objects {
        @Override
        public List<KubeObject> list() {
            return Informer.this.list();
        }

        @Override
        public Optional<KubeObject> get(ObjectKey key) {
            return Informer.this.get(key);
        }

        @Override
        public boolean synced() {
            return Informer.this.synced();
        }
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
        private Set<String> namespaces = Set.of("");
        private ListOptions options = ListOptions.all().withoutManagedFields();
        private UnaryOperator<KubeObject> transform = UnaryOperator.identity();
        private Timing timing = Timing.DEFAULT;
        private boolean streaming = true;

        private Builder(KubeClient client, ResourceType type) {
            this.client = client;
            this.type = type;
        }

        /** Restricts it to a namespace. */
        public Builder namespace(String namespace) {
            return namespaces(List.of(namespace));
        }

        /**
         * Restricts it to some namespaces. Each has a list and a watch of its own, so it needs no
         * right to see the others.
         */
        public Builder namespaces(Collection<String> names) {
            if (names.isEmpty()) {
                throw new IllegalArgumentException("an informer of no namespace");
            }
            namespaces = new LinkedHashSet<>(names);
            return this;
        }

        /**
         * Asks the server for metadata alone: see {@link ListOptions#onlyMetadata}. What is written
         * through the informer is reduced too before it is stored.
         */
        public Builder metadataOnly() {
            options = options.onlyMetadata();
            return this;
        }

        /**
         * Has the server send its lists plain and compressed, not one event for each object. For
         * collections of thousands that takes half as long, and half of the processor time of both
         * sides. A server before Kubernetes 1.33 needs memory for the whole answer.
         */
        public Builder plainLists() {
            streaming = false;
            return this;
        }

        /** Takes over a selection. */
        Builder options(ListOptions selection) {
            options = selection.withoutManagedFields();
            return namespace(selection.namespace());
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
         * A trimmed object must not be written back as a whole. If the function throws, returns
         * null, or changes the namespace, name, UID or resource version, the rest of the object is
         * kept whole.
         */
        public Builder transform(UnaryOperator<KubeObject> transform) {
            this.transform = transform;
            return this;
        }

        /** Returns what is left of an object whatever the transform does. */
        private KubeObject reduced(KubeObject object) {
            var asked = options.metadataOnly() ? object.metadataOf(type) : object;
            return asked.without("metadata", "managedFields");
        }

        /**
         * Adds an index; {@code values} gives the values under which an object is found. An object
         * for which it throws is found under none. For the same object it has to give the same.
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

    /**
     * Adds an index over what is there and what comes; see {@link Builder#index}.
     *
     * @throws IllegalArgumentException if there is one of this name
     */
    public void addIndex(String name, Function<KubeObject, List<String>> values) {
        followers.values().forEach(follower -> follower.store().addIndex(name, values));
    }

    /** Adds a handler. It is told of every object present, as if each had just been created. */
    public Registration addHandler(Handler handler) {
        return delivery.add(handler, Duration.ZERO);
    }

    /**
     * Adds a handler that is told of every object again in this period, and up to a tenth more, as
     * of a change in which {@code before} and {@code after} are the same. That sends no request. It
     * is for handlers that compare with something that no watch covers; no handler needs it to see
     * all changes.
     *
     * @param resync at least a second
     */
    public Registration addHandler(Handler handler, Duration resync) {
        if (resync.compareTo(SHORTEST_RESYNC) < 0) {
            throw new IllegalArgumentException(
                    "resync of " + resync + ", less than " + SHORTEST_RESYNC);
        }
        return delivery.add(handler, resync);
    }

    /** Takes a handler out, as closing its registration does. */
    public void removeHandler(Handler handler) {
        delivery.remove(handler);
    }

    /** Starts following; further calls do nothing. */
    public void start() {
        delivery.apart(
                () -> {
                    if (!started) {
                        started = true;
                        followers.values().forEach(follower -> follower.thread().start());
                    }
                });
    }

    /** Returns whether the handlers got the first list; once true, it stays true. */
    public boolean synced() {
        return followers.values().stream().allMatch(each -> each.synced().getCount() == 0);
    }

    /**
     * Returns whether it is synced and not closed: for checks of readiness. A server that is away
     * or refuses its requests does not change that; see {@link #problem}.
     */
    public boolean following() {
        return followers.values().stream().allMatch(Follower::following);
    }

    /**
     * Waits until {@link #synced()}.
     *
     * @throws TimeoutException if it takes longer; the message says why, if known
     */
    public void awaitSync(Duration timeout) throws TimeoutException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        for (var follower : followers.values()) {
            if (!follower.synced().await(end - System.nanoTime(), TimeUnit.NANOSECONDS)) {
                var why = problem().map(text -> ": " + text).orElse("");
                throw new TimeoutException(type + " not listed within " + timeout + why);
            }
        }
    }

    public Optional<KubeObject> get(ObjectKey key) {
        return follower(key.namespace()).flatMap(follower -> follower.store().get(key));
    }

    private Optional<Follower> follower(String namespace) {
        var all = followers.get("");
        return Optional.ofNullable(all != null ? all : followers.get(namespace));
    }

    /** Returns all objects, in no order. */
    public List<KubeObject> list() {
        return joined(Store::list);
    }

    /**
     * Returns the objects for which the index function gave the value.
     *
     * @throws IllegalArgumentException if there is no such index
     */
    public List<KubeObject> byIndex(String index, String value) {
        return joined(store -> store.byIndex(index, value));
    }

    private List<KubeObject> joined(Function<Store, List<KubeObject>> part) {
        if (followers.size() == 1) {
            return part.apply(followers.values().iterator().next().store());
        }
        return followers.values().stream()
                .flatMap(follower -> part.apply(follower.store()).stream())
                .toList();
    }

    /**
     * Takes the answer to a write of our own at once, so that the next read shows it; handlers are
     * told. Ignores an answer that the watch has already passed, or that this informer does not
     * cover.
     */
    public void observed(KubeObject written) {
        var follower = follower(written.namespace());
        if (follower.isPresent() && selects(written)) {
            follower.get().observe(trim.apply(written));
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

    private boolean selects(KubeObject object) {
        return object.kind().equals(type.kind())
                && object.apiVersion().equals(type.apiVersion())
                && LabelSelector.parse(options.labelSelector()).matches(object.labels())
                && FieldSelector.parse(options.fieldSelector()).matches(object);
    }

    /**
     * Returns the version up to which it has seen everything, empty before the first list. Of
     * several namespaces it is that of the one that lags most.
     */
    public String resourceVersion() {
        return followers.values().stream()
                .map(Follower::version)
                .reduce((a, b) -> a.isEmpty() || ResourceVersions.newer(b, a) ? a : b)
                .orElseThrow();
    }

    /**
     * Returns why it cannot follow the server at the moment. The metric {@code
     * informer_not_following} counts such collections, and after a minute the log has a warning.
     */
    public Optional<String> problem() {
        return followers.values().stream()
                .map(Follower::problem)
                .filter(text -> !text.isEmpty())
                .findFirst();
    }

    /** Returns how often a handler threw something. */
    public long handlerFailures() {
        return delivery.failures();
    }

    /** Stops following. No handler is called after this returns; the cache stays readable. */
    @Override
    public void close() {
        boolean first = delivery.close();
        if (first) {
            metrics.close();
        }
        var threads = followers.values().stream().map(Follower::thread).toList();
        threads.forEach(Thread::interrupt);
        if (!threads.contains(Thread.currentThread()) && !delivery.isDelivering()) {
            join(threads);
        }
    }

    private static void join(List<Thread> threads) {
        long end = System.nanoTime() + STOP_TIMEOUT.toNanos();
        try {
            for (var thread : threads) {
                if (thread.getState() != Thread.State.NEW) {
                    thread.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
                }
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }
}
