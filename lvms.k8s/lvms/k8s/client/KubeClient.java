package lvms.k8s.client;

import lvms.k8s.config.KubeConfig;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ObjectList;
import lvms.k8s.object.PercentEncoding;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Times;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.websocket.WebSocket;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Calls to one API server under one identity.
 *
 * <p>Any thread may use it; an interrupt ends a call at once. Every call ends within its deadline,
 * 60 s unless set otherwise, including the repeats that are safe: reads, server-side applies, merge
 * patches and deletes by UID are repeated after a broken connection, every other write only if the
 * server certainly did not act. If the outcome remains unknown, {@link
 * ApiException#outcomeUnknown()} says so.
 */
public final class KubeClient implements AutoCloseable {
    private static final int LOG_LINES = 50_000;
    private static final int LOG_BYTES = 8 << 20;

    private static final Duration ATTEMPT_DEADLINE = Duration.ofSeconds(30);
    private static final Duration CALL_DEADLINE = Duration.ofSeconds(60);
    private static final String JSON = "application/json";
    private static final String APPLY = "application/apply-patch+yaml"; // JSON is YAML
    private static final String MERGE = "application/merge-patch+json";
    private static final String JSON_PATCH = "application/json-patch+json";

    private final KubeConfig config;
    private final String userAgent;
    private final MetricsRegistry metrics;
    private final Transport transport;
    private final Discovery discovery;
    private final String fieldManager;
    private final WriteGuard guard;

    private KubeClient(
            KubeConfig config,
            String userAgent,
            Duration attemptDeadline,
            Duration callDeadline,
            MetricsRegistry metrics,
            String fieldManager,
            WriteGuard guard) {
        this.config = config;
        this.userAgent = userAgent;
        this.metrics = metrics;
        this.transport = new Transport(config, userAgent, attemptDeadline, callDeadline, metrics);
        this.discovery = new Discovery();
        this.fieldManager = fieldManager;
        this.guard = guard;
    }

    private KubeClient(KubeClient other, String fieldManager, WriteGuard guard) {
        this.config = other.config;
        this.userAgent = other.userAgent;
        this.metrics = other.metrics;
        this.transport = other.transport;
        this.discovery = other.discovery;
        this.fieldManager = fieldManager;
        this.guard = guard;
    }

    /**
     * Opens a client; no request is sent yet.
     *
     * @param userAgent such as {@code lvms-operator/1.0 (linux/amd64)}
     */
    public static KubeClient open(KubeConfig config, String userAgent) {
        return open(config, userAgent, new MetricsRegistry());
    }

    /** Opens a client that counts its requests in {@code metrics}. */
    public static KubeClient open(KubeConfig config, String userAgent, MetricsRegistry metrics) {
        return new KubeClient(
                config, userAgent, ATTEMPT_DEADLINE, CALL_DEADLINE, metrics, "", WriteGuard.NONE);
    }

    /**
     * Returns this client under another field manager: the name in {@code metadata.managedFields}
     * of everything that it writes. Both share their connections: closing one closes the other.
     *
     * <p>Without a field manager the server takes the user agent up to its first slash; {@link
     * #apply} needs one.
     */
    public KubeClient withFieldManager(String fieldManager) {
        return new KubeClient(this, fieldManager, guard);
    }

    /**
     * Returns this client with a guard that each write asks before it is sent, and sent again. What
     * it does not allow ends with {@link ApiException.Fenced}. Both share their connections.
     */
    public KubeClient guardedBy(WriteGuard guard) {
        return new KubeClient(this, fieldManager, guard);
    }

    /**
     * Returns a client with the same identity, field manager and guard, but with connections of its
     * own, which no other traffic can starve. The caller closes it.
     *
     * @param purpose appended to the user agent after a slash
     * @param deadline of each call, including its repeats
     */
    public KubeClient dedicated(String purpose, Duration deadline) {
        return new KubeClient(
                config,
                userAgent + "/" + purpose,
                deadline,
                deadline,
                metrics,
                fieldManager,
                guard);
    }

    /** Returns where its requests are counted. */
    public MetricsRegistry metrics() {
        return metrics;
    }

    /** Returns the namespace of the configuration: the context's, or that of the pod. */
    public String namespace() {
        return config.namespace();
    }

    /** Reads the newest state of an object. */
    public KubeObject get(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        return object(Call.get(type, key));
    }

    /**
     * Reads the newest state of an object; empty if the API server says that this very object does
     * not exist. Any other 404 is {@link ApiException.Misdirected}.
     */
    public Optional<KubeObject> find(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        try {
            return Optional.of(get(type, key));
        } catch (ApiException.NotFound _) {
            return Optional.empty();
        }
    }

    /** Reads the newest state of a collection, page by page, as of one point in time. */
    public ObjectList list(ResourceType type, ListOptions options)
            throws ApiException, InterruptedException {
        return list(type, options, UnaryOperator.identity());
    }

    /**
     * Reads a collection and trims each object as it is parsed, so that less memory is needed.
     *
     * <p>If a token expires between two pages, the whole list is read again without pages. Pages
     * from another point in time are never used.
     */
    public ObjectList list(ResourceType type, ListOptions options, UnaryOperator<KubeObject> trim)
            throws ApiException, InterruptedException {
        var reader = new ListReader(type, trim);
        var items = new ArrayList<KubeObject>();
        var page = page(type, options, "", reader);
        var version = page.resourceVersion();
        items.addAll(page.items());
        while (!page.continueToken().isEmpty()) {
            try {
                page = page(type, options, page.continueToken(), reader);
            } catch (ApiException.Gone e) {
                if (options.pageSize() == 0) {
                    throw e; // the server pages although it was not asked to
                }
                return list(type, options.pageSize(0), trim);
            }
            items.addAll(page.items());
        }
        return new ObjectList(items, version);
    }

    private ListReader.Page page(
            ResourceType type, ListOptions options, String continueToken, ListReader reader)
            throws ApiException, InterruptedException {
        var limit = options.pageSize() > 0 ? Integer.toString(options.pageSize()) : "";
        var query =
                new Urls.Query()
                        .with("labelSelector", options.labelSelector())
                        .with("fieldSelector", options.fieldSelector())
                        .with("limit", limit)
                        .with("continue", continueToken);
        var path = Urls.collection(type, options.namespace()) + query;
        var call = Call.list(path, subject(type, options));
        return transport.read(call, reader);
    }

    /**
     * Returns the present version of a collection. It reads at most one object.
     *
     * @see ObjectList#resourceVersion()
     */
    public String collectionVersion(ResourceType type, ListOptions options)
            throws ApiException, InterruptedException {
        var reader = new ListReader(type, UnaryOperator.identity());
        return page(type, options.pageSize(1), "", reader).resourceVersion();
    }

    /**
     * Opens a watch on connections separate from those of the calls. Nothing is repeated here: what
     * to do after a failure depends on what the caller has seen.
     */
    public WatchStream watch(ResourceType type, ListOptions options, WatchOptions watch)
            throws ApiException, InterruptedException {
        var query =
                new Urls.Query()
                        .with("watch", "true")
                        .with("allowWatchBookmarks", "true")
                        .with("labelSelector", options.labelSelector())
                        .with("fieldSelector", options.fieldSelector())
                        .with("resourceVersion", watch.resourceVersion())
                        .with("sendInitialEvents", watch.initialEvents() ? "true" : "")
                        .with("resourceVersionMatch", watch.initialEvents() ? "NotOlderThan" : "")
                        .with("timeoutSeconds", Long.toString(watch.timeout().toSeconds()));
        var path = Urls.collection(type, options.namespace()) + query;
        return transport.watch(Call.read("watch", path, subject(type, options)));
    }

    /**
     * Creates an object.
     *
     * <p>If the connection breaks and the object has a fixed name, the create is sent again. If the
     * object then exists and has every field that was sent, it is the result.
     */
    public KubeObject create(ResourceType type, KubeObject object)
            throws ApiException, InterruptedException {
        var call = createCall(type, object);
        try {
            return object(call);
        } catch (ApiException e) {
            if (!e.outcomeUnknown() || object.name().isEmpty()) {
                throw e;
            }
        }
        try {
            return createAgain(type, object, call);
        } catch (ApiException e) {
            throw e.afterLostAttempt();
        }
    }

    private KubeObject createAgain(ResourceType type, KubeObject object, Call call)
            throws ApiException, InterruptedException {
        try {
            return object(call);
        } catch (ApiException.AlreadyExists e) {
            var found = find(type, object.key());
            if (found.isPresent() && Ownership.looksLike(found.get(), object)) {
                return found.get();
            }
            throw e;
        }
    }

    private Call createCall(ResourceType type, KubeObject object) {
        if (type.namespaced() && object.namespace().isEmpty()) {
            throw new IllegalArgumentException(type + " needs a namespace: " + object.name());
        }
        var path = Urls.collection(type, object.namespace()) + written();
        var body = bytes(object.toJson());
        var subject = subject(type, object.key());
        return Call.write("create", "POST", path, body, JSON, Call.Repeat.NEVER, subject);
    }

    /**
     * Posts to a subresource, such as {@code eviction} of a pod or {@code token} of a service
     * account, and returns the answer.
     */
    public KubeObject createSubresource(
            ResourceType type, ObjectKey key, String subresource, KubeObject body)
            throws ApiException, InterruptedException {
        var path = Urls.object(type, key) + "/" + PercentEncoding.of(subresource);
        var subject = subject(type, key) + "/" + subresource;
        return object(
                Call.write(
                                "create",
                                "POST",
                                path,
                                bytes(body.toJson()),
                                JSON,
                                Call.Repeat.NEVER,
                                subject)
                        .of(type, key));
    }

    /**
     * Server-side apply with force: sets and owns the fields of {@code object}, and gives up fields
     * that this manager applied before and that are missing now. Creates the object if need be.
     */
    public KubeObject apply(ResourceType type, KubeObject object)
            throws ApiException, InterruptedException {
        if (fieldManager.isEmpty()) {
            throw new IllegalStateException("apply needs a field manager");
        }
        var path = Urls.object(type, object.key()) + written().with("force", "true");
        var body = bytes(object.without("metadata", "managedFields").toJsonWithoutNulls());
        var subject = subject(type, object.key());
        return object(
                Call.write("apply", "PATCH", path, body, APPLY, Call.Repeat.IDEMPOTENT, subject)
                        .of(type, object.key()));
    }

    /**
     * JSON merge patch: null deletes a member, lists are replaced whole. If the patch contains
     * {@code metadata.resourceVersion}, it fails on any other version.
     */
    public KubeObject mergePatch(ResourceType type, ObjectKey key, ObjectTree patch)
            throws ApiException, InterruptedException {
        return patch("", written(), type, key, patch, MERGE, Call.Repeat.IDEMPOTENT);
    }

    /** JSON merge patch of the status subresource. */
    public KubeObject mergePatchStatus(ResourceType type, ObjectKey key, ObjectTree patch)
            throws ApiException, InterruptedException {
        return patch("/status", written(), type, key, patch, MERGE, Call.Repeat.IDEMPOTENT);
    }

    /** Merges a patch into the object that it was made for. */
    public KubeObject mergePatch(ResourceType type, MergePatch patch)
            throws ApiException, InterruptedException {
        return mergePatch(type, patch.key(), patch.json());
    }

    /** Merges a patch into the status of the object that it was made for. */
    public KubeObject mergePatchStatus(ResourceType type, MergePatch patch)
            throws ApiException, InterruptedException {
        return mergePatchStatus(type, patch.key(), patch.json());
    }

    /**
     * Returns whether the server would let this client merge the patch, and writes nothing: false
     * if a role or a policy forbids it.
     */
    public boolean wouldAccept(ResourceType type, MergePatch patch)
            throws ApiException, InterruptedException {
        var dryRun = written().with("dryRun", "All");
        try {
            patch("", dryRun, type, patch.key(), patch.json(), MERGE, Call.Repeat.IDEMPOTENT);
            return true;
        } catch (ApiException.Forbidden e) {
            return false;
        }
    }

    /** JSON patch (RFC 6902); a {@code test} that fails is {@link ApiException.Invalid}. */
    public KubeObject jsonPatch(ResourceType type, ObjectKey key, JsonPatch patch)
            throws ApiException, InterruptedException {
        return patch("", written(), type, key, patch.json(), JSON_PATCH, Call.Repeat.NEVER);
    }

    private KubeObject patch(
            String subresource,
            Urls.Query query,
            ResourceType type,
            ObjectKey key,
            Tree patch,
            String contentType,
            Call.Repeat repeat)
            throws ApiException, InterruptedException {
        var path = Urls.object(type, key) + subresource + query;
        var body = bytes(Json.write(patch));
        var subject = subject(type, key) + subresource;
        return object(
                Call.write("patch", "PATCH", path, body, contentType, repeat, subject)
                        .of(type, key));
    }

    /** Replaces an object; its resource version is the precondition. */
    public KubeObject replace(ResourceType type, KubeObject object)
            throws ApiException, InterruptedException {
        var path = Urls.object(type, object.key()) + written();
        var subject = subject(type, object.key());
        var body = bytes(object.toJson());
        return object(
                Call.write("update", "PUT", path, body, JSON, Call.Repeat.NEVER, subject)
                        .of(type, object.key()));
    }

    /**
     * Deletes an object. If it does not exist, or has another UID than the one demanded, it counts
     * as gone, so that a repeat never hits a new object of the same name.
     */
    public Deletion delete(ResourceType type, ObjectKey key, DeleteOptions options)
            throws ApiException, InterruptedException {
        var repeat = options.uid().isEmpty() ? Call.Repeat.NEVER : Call.Repeat.IDEMPOTENT;
        var call =
                Call.write(
                                "delete",
                                "DELETE",
                                Urls.object(type, key),
                                bytes(Json.write(options.json())),
                                JSON,
                                repeat,
                                subject(type, key))
                        .of(type, key);
        try {
            return Ownership.deletionShownBy(object(call));
        } catch (ApiException.NotFound _) {
            return Deletion.GONE;
        } catch (ApiException.Conflict e) {
            if (!options.uid().isEmpty() && otherUid(type, key, options.uid())) {
                return Deletion.GONE;
            }
            throw e;
        }
    }

    private boolean otherUid(ResourceType type, ObjectKey key, String uid)
            throws ApiException, InterruptedException {
        var present = find(type, key);
        return present.isEmpty() || !present.get().uid().equals(uid);
    }

    /**
     * Adds a finalizer unless it is there. Keeps other writers' changes: on a conflict it reads the
     * object again.
     *
     * @throws ApiException.Invalid if the object is already being deleted
     */
    public KubeObject addFinalizer(ResourceType type, KubeObject object, String finalizer)
            throws ApiException, InterruptedException {
        return new Finalizers(this, type).add(object, finalizer);
    }

    /**
     * Removes a finalizer if it is there. Keeps other writers' changes: on a conflict it reads the
     * object again.
     *
     * @return the object as it is now; empty if it had already gone
     */
    public Optional<KubeObject> removeFinalizer(
            ResourceType type, KubeObject object, String finalizer)
            throws ApiException, InterruptedException {
        return new Finalizers(this, type).remove(object, finalizer);
    }

    /** Returns whether the server serves the type; the answer is remembered for a minute. */
    public boolean serves(ResourceType type) throws ApiException, InterruptedException {
        return discovery.serves(type, this::tree);
    }

    /**
     * Returns what the server does with objects of the type now, such as {@code create}. Nothing is
     * remembered.
     *
     * @throws ApiException.Misdirected if it does not serve the type's version at all
     */
    public Set<String> verbs(ResourceType type) throws ApiException, InterruptedException {
        return tree(Call.resources(Urls.groupVersion(type))).objects("resources").stream()
                .filter(resource -> resource.text("name").equals(Optional.of(type.plural())))
                .flatMap(resource -> resource.texts("verbs").stream())
                .collect(Collectors.toUnmodifiableSet());
    }

    /**
     * Reads the last lines of a container's log, 8 MiB at most.
     *
     * @param previous whether the log of the container's former run is asked for
     * @param since leaves out what is older
     */
    public byte[] log(ObjectKey pod, String container, boolean previous, Optional<Instant> since)
            throws ApiException, InterruptedException {
        var query =
                new Urls.Query()
                        .with("container", container)
                        .with("previous", previous ? "true" : "")
                        .with("sinceTime", since.map(Times::seconds).orElse(""))
                        .with("timestamps", "true")
                        .with("tailLines", Integer.toString(LOG_LINES))
                        .with("limitBytes", Integer.toString(LOG_BYTES));
        var path = Urls.object(Types.POD, pod) + "/log" + query;
        return transport.send(Call.log(path, subject(Types.POD, pod)), guard);
    }

    /**
     * Opens a WebSocket to a subresource of a pod, such as {@code exec}.
     *
     * @param subresource with its query, whose values are escaped
     * @param protocols subprotocols, the best one first; the server chooses
     * @return it, on a connection of its own, which the caller closes
     * @throws ApiException if the server refuses
     */
    public WebSocket socket(ObjectKey pod, String subresource, List<String> protocols)
            throws ApiException, InterruptedException {
        var path = Urls.object(Types.POD, pod) + "/" + subresource;
        var name = subresource.replaceFirst("\\?.*", "");
        var subject = subject(Types.POD, pod);
        return transport.socket(Call.upgrade(name, path, subject), protocols);
    }

    /** Returns the git version of the server, such as {@code v1.34.1}. */
    public String serverVersion() throws ApiException, InterruptedException {
        var version = tree(Call.read("get", "/version", "/version"));
        return version.text("gitVersion").orElse("");
    }

    private KubeObject object(Call call) throws ApiException, InterruptedException {
        return KubeObject.of(tree(call));
    }

    private ObjectTree tree(Call call) throws ApiException, InterruptedException {
        var body = transport.send(call, guard);
        try {
            if (Json.parse(new String(body, StandardCharsets.UTF_8)) instanceof ObjectTree tree) {
                var failure = ErrorBody.failureIn(call, tree);
                if (failure.isPresent()) {
                    throw failure.get();
                }
                return tree;
            }
            throw new JsonException("the answer is not an object");
        } catch (JsonException e) {
            throw ApiException.unreachable(call.action(), call.writes(), e);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The query of every write: the manager whose fields these are. */
    private Urls.Query written() {
        return new Urls.Query().with("fieldManager", fieldManager);
    }

    private static String subject(ResourceType type, ObjectKey key) {
        return type + " " + key;
    }

    private static String subject(ResourceType type, ListOptions options) {
        return options.namespace().isEmpty() ? type.toString() : type + " " + options.namespace();
    }

    /** Ends all calls and watches at once. */
    @Override
    public void close() {
        transport.close();
    }
}
