package lvms.k8s.client;

import lvms.k8s.client.body.Expected;
import lvms.k8s.client.body.FeedStream;
import lvms.k8s.client.wire.Deadline;
import lvms.k8s.client.wire.Excerpt;
import lvms.k8s.client.wire.Urls;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.discovery.ServedTypes;
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

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * Calls to one API server under one identity.
 *
 * <p>Any thread may use it; an interrupt ends a call at once. Every call ends within its deadline,
 * 60 s unless set otherwise, with all requests that it consists of and their repeats; a list of
 * many pages within ten times that. Safe repeats are made: reads, server-side applies, merge
 * patches and deletes by UID are repeated after a broken connection, every other write only if the
 * server certainly did not act. If the outcome remains unknown, {@link
 * ApiException#outcomeUnknown()} says so.
 */
public final class KubeClient implements AutoCloseable {
    private static final int LOG_LINES = 50_000;
    private static final int LOG_BYTES = 8 << 20;
    private static final int LIST_DEADLINES = 10;
    private static final Duration FIRST_LOOK = Duration.ofMillis(100);
    private static final Duration RARE_LOOK = Duration.ofSeconds(2);

    private static final String JSON = "application/json";
    private static final String APPLY = "application/apply-patch+yaml"; // JSON is YAML
    private static final String MERGE = "application/merge-patch+json";
    private static final String STRATEGIC = "application/strategic-merge-patch+json";
    private static final String JSON_PATCH = "application/json-patch+json";

    /**
     * What distinguishes clients that share their connections.
     *
     * @param end of all calls together, while they are parts of one
     */
    private record View(
            String fieldManager,
            WriteGuard guard,
            boolean dryRun,
            Duration callDeadline,
            Optional<Deadline> end) {
        /** Returns when a call that begins now has to be over. */
        Deadline callEnd() {
            return end.map(all -> all.atMost(callDeadline))
                    .orElseGet(() -> Deadline.in(callDeadline));
        }

        /** Returns when a list that is read at once has to be over. */
        Deadline listEnd() {
            return end.orElseGet(() -> Deadline.in(callDeadline.multipliedBy(LIST_DEADLINES)));
        }

        View within(Duration time) {
            var all = end.orElseGet(() -> Deadline.in(time));
            return new View(fieldManager, guard, dryRun, callDeadline, Optional.of(all));
        }
    }

    private final KubeConfig config;
    private final ClientOptions options;
    private final Transport transport;
    private final Discovery discovery;
    private final View view;

    private KubeClient(KubeConfig config, ClientOptions options, View view) {
        this.config = config;
        this.options = options;
        this.transport = new Transport(config, options);
        this.discovery = new Discovery();
        this.view = view;
    }

    private KubeClient(KubeClient other, View view) {
        this.config = other.config;
        this.options = other.options;
        this.transport = other.transport;
        this.discovery = other.discovery;
        this.view = view;
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
        return open(config, ClientOptions.exactly(userAgent, metrics));
    }

    /** Opens a client; no request is sent yet. */
    public static KubeClient open(KubeConfig config, ClientOptions options) {
        var view = new View("", WriteGuard.NONE, false, options.callDeadline(), Optional.empty());
        return new KubeClient(config, options, view);
    }

    /**
     * Returns this client under another field manager: the name in {@code metadata.managedFields}
     * of everything that it writes. Both share their connections: closing one closes the other.
     *
     * <p>Without a field manager the server takes the user agent up to its first slash; {@link
     * #apply} needs one.
     */
    public KubeClient withFieldManager(String fieldManager) {
        return new KubeClient(
                this, new View(fieldManager, view.guard, view.dryRun, view.callDeadline, view.end));
    }

    /**
     * Returns this client with a guard that each write asks before it is sent, and sent again. What
     * it does not allow ends with {@link ApiException.Fenced}. Commands and other streams of pods
     * are writes, too. Both share their connections.
     */
    public KubeClient guardedBy(WriteGuard guard) {
        return new KubeClient(
                this, new View(view.fieldManager, guard, view.dryRun, view.callDeadline, view.end));
    }

    /**
     * Returns this client with another deadline for each call, with all that the call consists of.
     * Both share their connections.
     */
    public KubeClient withDeadline(Duration deadline) {
        return new KubeClient(
                this, new View(view.fieldManager, view.guard, view.dryRun, deadline, view.end));
    }

    /**
     * Returns this client in earnest only for reads: the server checks what it writes, webhooks
     * included, answers as usual, and stores nothing. Commands and other streams of pods, which it
     * cannot only check, end with {@link ApiException.Unsupported}. Both share their connections.
     */
    public KubeClient dryRun() {
        return new KubeClient(
                this, new View(view.fieldManager, view.guard, true, view.callDeadline, view.end));
    }

    /** Returns this client for the parts of one call, which have one deadline together. */
    private KubeClient begun() {
        return within(view.callDeadline);
    }

    private KubeClient within(Duration time) {
        return view.end.isPresent() ? this : new KubeClient(this, view.within(time));
    }

    /**
     * Returns a client with the same identity, field manager and guard, but with connections of its
     * own, which no other traffic can starve. The caller closes it.
     *
     * @param purpose appended to the user agent after a slash
     * @param deadline of each call, including its repeats
     */
    public KubeClient dedicated(String purpose, Duration deadline) {
        var own =
                options.userAgent(options.userAgent() + "/" + purpose)
                        .attemptDeadline(deadline)
                        .callDeadline(deadline);
        return new KubeClient(
                config,
                own,
                new View(view.fieldManager, view.guard, view.dryRun, deadline, Optional.empty()));
    }

    /** Returns where its requests are counted. */
    public MetricsRegistry metrics() {
        return options.metrics();
    }

    /** Returns whether {@link #close} was called: every further call fails. */
    public boolean closed() {
        return transport.closed();
    }

    /** Returns the namespace of the configuration: the context's, or that of the pod. */
    public String namespace() {
        return config.namespace();
    }

    /** Reads the newest state of an object. */
    public KubeObject get(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        return object(Call.get(type, key), Expected.object(type, key.name()));
    }

    /**
     * Reads an object as of a version or newer, which the server's cache can answer.
     *
     * @param resourceVersion {@code 0} for any, even one from before an earlier answer
     */
    public KubeObject getAtLeast(ResourceType type, ObjectKey key, String resourceVersion)
            throws ApiException, InterruptedException {
        var query = new Urls.Query().with("resourceVersion", resourceVersion);
        var path = Urls.object(type, key) + query;
        return object(
                Call.read("get", path, subject(type, key)).of(type, key),
                Expected.object(type, key.name()));
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

    /** Reads a collection, the newest state unless told otherwise, as of one point in time. */
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
        var parts = within(view.callDeadline.multipliedBy(LIST_DEADLINES));
        var pages = new Pages(parts, type, options, trim);
        var items = new ArrayList<KubeObject>();
        while (pages.hasNext()) {
            try {
                items.addAll(pages.next());
            } catch (ApiException.Gone e) {
                if (pages.atStart() || options.pageSize() == 0) {
                    throw e; // the second: the server pages although it was not asked to
                }
                return parts.list(type, options.pageSize(0), trim);
            }
        }
        return new ObjectList(items, pages.resourceVersion());
    }

    /** Returns a collection page by page; nothing is asked yet. */
    public Pages pages(ResourceType type, ListOptions options) {
        return new Pages(this, type, options, UnaryOperator.identity());
    }

    ListReader.Page page(
            ResourceType type, ListOptions options, String continueToken, ListReader reader)
            throws ApiException, InterruptedException {
        var limit = options.pageSize() > 0 ? Integer.toString(options.pageSize()) : "";
        var version = continueToken.isEmpty() ? options.resourceVersion() : "";
        var query =
                selectors(options)
                        .with("limit", limit)
                        .with("continue", continueToken)
                        .with("resourceVersion", version)
                        .with("resourceVersionMatch", version.isEmpty() ? "" : "NotOlderThan");
        var path = Urls.collection(type, options.namespace()) + query;
        var call = Call.list(path, subject(type, options));
        return transport.read(
                options.metadataOnly() ? call.onlyMetadata("PartialObjectMetadataList") : call,
                reader,
                view.callEnd(),
                options.pageSize() > 0 ? view.callEnd() : view.listEnd());
    }

    private static Urls.Query selectors(ListOptions options) {
        return new Urls.Query()
                .with("labelSelector", options.labelSelector())
                .with("fieldSelector", options.fieldSelector());
    }

    /**
     * Returns the present version of a collection. It reads at most one object.
     *
     * @see ObjectList#resourceVersion()
     */
    public String collectionVersion(ResourceType type, ListOptions options)
            throws ApiException, InterruptedException {
        var reader = new ListReader(type, options.metadataOnly(), UnaryOperator.identity());
        return page(type, options.pageSize(1), "", reader).resourceVersion();
    }

    /**
     * Opens a watch on connections separate from those of the calls. Nothing is repeated here: what
     * to do after a failure depends on what the caller has seen.
     */
    public WatchStream watch(ResourceType type, ListOptions options, WatchOptions watch)
            throws ApiException, InterruptedException {
        var query =
                selectors(options)
                        .with("watch", "true")
                        .with("allowWatchBookmarks", "true")
                        .with("resourceVersion", watch.resourceVersion())
                        .with("sendInitialEvents", watch.initialEvents() ? "true" : "")
                        .with("resourceVersionMatch", watch.initialEvents() ? "NotOlderThan" : "")
                        .with("timeoutSeconds", Long.toString(watch.timeout().toSeconds()));
        var path = Urls.collection(type, options.namespace()) + query;
        var call = Call.read("watch", path, subject(type, options));
        return options.metadataOnly()
                ? transport
                        .watch(call.onlyMetadata("PartialObjectMetadata"))
                        .reading(object -> object.metadataOf(type))
                : transport.watch(call);
    }

    /**
     * Creates an object.
     *
     * <p>If the connection breaks and the object has a fixed name, the create is sent again. If the
     * object then exists, has every field that was sent, and was not made by another field manager,
     * it is the result.
     */
    public KubeObject create(ResourceType type, KubeObject object)
            throws ApiException, InterruptedException {
        return begun().createOnce(type, object);
    }

    private KubeObject createOnce(ResourceType type, KubeObject object)
            throws ApiException, InterruptedException {
        var call = createCall(type, object);
        try {
            return object(call, Expected.object(type, object.name()));
        } catch (ApiException e) {
            if (!e.outcomeUnknown() || object.name().isEmpty() || view.callEnd().left().isZero()) {
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
            return object(call, Expected.object(type, object.name()));
        } catch (ApiException.AlreadyExists e) {
            var found = find(type, object.key());
            if (found.isPresent() && Ownership.looksLike(found.get(), object, manager())) {
                return found.get();
            }
            throw e;
        }
    }

    /** The name that the server notes for our writes. */
    private String manager() {
        return view.fieldManager.isEmpty()
                ? options.userAgent().replaceFirst("/.*", "")
                : view.fieldManager;
    }

    private Call createCall(ResourceType type, KubeObject object) {
        if (type.namespaced() && object.namespace().isEmpty()) {
            throw new IllegalArgumentException(type + " needs a namespace: " + object.name());
        }
        var path = Urls.collection(type, object.namespace()) + written();
        var body = bytes(object);
        var subject = subject(type, object.key());
        return Call.write("create", "POST", path, body, JSON, Call.Repeat.NEVER, subject);
    }

    /** Returns a subresource of an object, such as {@code scale}; nothing is asked yet. */
    public Subresource subresource(ResourceType type, ObjectKey key, String name) {
        return new Subresource(this, type, key, name);
    }

    KubeObject get(ResourceType type, ObjectKey key, String subresource)
            throws ApiException, InterruptedException {
        var path = path(type, key, subresource);
        return object(
                Call.read("get", path, subject(type, key, subresource)).of(type, key),
                expected(type, key, subresource));
    }

    KubeObject post(ResourceType type, ObjectKey key, String subresource, KubeObject body)
            throws ApiException, InterruptedException {
        var path = path(type, key, subresource) + written();
        var subject = subject(type, key, subresource);
        var call =
                Call.write("create", "POST", path, bytes(body), JSON, Call.Repeat.NEVER, subject);
        return object(call.of(type, key), expected(type, key, subresource));
    }

    /**
     * Server-side apply with force: sets and owns the fields of {@code object}, and gives up fields
     * that this manager applied before and that are missing now. Creates the object if need be.
     */
    public KubeObject apply(ResourceType type, KubeObject object)
            throws ApiException, InterruptedException {
        return apply(type, object, "", true);
    }

    /**
     * Server-side apply that takes no field from anybody.
     *
     * @throws ApiException.Conflict if another manager owns a field with another value; {@link
     *     ApiException.Conflict#fields()} names them
     */
    public KubeObject applyWithoutForce(ResourceType type, KubeObject object)
            throws ApiException, InterruptedException {
        return apply(type, object, "", false);
    }

    KubeObject apply(ResourceType type, KubeObject object, String subresource, boolean force)
            throws ApiException, InterruptedException {
        if (view.fieldManager.isEmpty()) {
            throw new IllegalStateException("apply needs a field manager");
        }
        var query = written().with("force", force ? "true" : "");
        var path = path(type, object.key(), subresource) + query;
        var body = bytes(object.without("metadata", "managedFields").toJsonWithoutNulls());
        var subject = subject(type, object.key(), subresource);
        return object(
                Call.write("apply", "PATCH", path, body, APPLY, Call.Repeat.IDEMPOTENT, subject)
                        .of(type, object.key()),
                expected(type, object.key(), subresource));
    }

    /**
     * JSON merge patch: null deletes a member, lists are replaced whole. If the patch contains
     * {@code metadata.resourceVersion}, it fails on any other version.
     */
    public KubeObject mergePatch(ResourceType type, ObjectKey key, ObjectTree patch)
            throws ApiException, InterruptedException {
        return mergePatch(type, key, "", patch);
    }

    /** JSON merge patch of the status subresource. */
    public KubeObject mergePatchStatus(ResourceType type, ObjectKey key, ObjectTree patch)
            throws ApiException, InterruptedException {
        return mergePatch(type, key, "status", patch);
    }

    KubeObject mergePatch(ResourceType type, ObjectKey key, String subresource, ObjectTree patch)
            throws ApiException, InterruptedException {
        return patch(type, key, subresource, patch, MERGE, Call.Repeat.IDEMPOTENT);
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
     * Strategic merge patch, of built-in types only: the elements of lists that have a key, such as
     * the containers of a pod, are merged one by one, and {@code $patch} directives count.
     *
     * @throws ApiException.Unsupported if the type is a custom resource
     */
    public KubeObject strategicMergePatch(ResourceType type, ObjectKey key, ObjectTree patch)
            throws ApiException, InterruptedException {
        return patch(type, key, "", patch, STRATEGIC, Call.Repeat.IDEMPOTENT);
    }

    /**
     * Returns whether the server would let this client merge the patch, and writes nothing: false
     * if a role or a policy forbids it.
     */
    public boolean wouldAccept(ResourceType type, MergePatch patch)
            throws ApiException, InterruptedException {
        try {
            dryRun().mergePatch(type, patch);
            return true;
        } catch (ApiException.Forbidden e) {
            return false;
        }
    }

    /** JSON patch (RFC 6902); a {@code test} that fails is {@link ApiException.Invalid}. */
    public KubeObject jsonPatch(ResourceType type, ObjectKey key, JsonPatch patch)
            throws ApiException, InterruptedException {
        return jsonPatch(type, key, "", patch);
    }

    KubeObject jsonPatch(ResourceType type, ObjectKey key, String subresource, JsonPatch patch)
            throws ApiException, InterruptedException {
        return patch(type, key, subresource, patch.json(), JSON_PATCH, Call.Repeat.NEVER);
    }

    private KubeObject patch(
            ResourceType type,
            ObjectKey key,
            String subresource,
            Tree patch,
            String contentType,
            Call.Repeat repeat)
            throws ApiException, InterruptedException {
        var path = path(type, key, subresource) + written();
        var body = bytes(Json.write(patch));
        var subject = subject(type, key, subresource);
        return object(
                Call.write("patch", "PATCH", path, body, contentType, repeat, subject)
                        .of(type, key),
                expected(type, key, subresource));
    }

    /** Replaces an object; its resource version is the precondition. */
    public KubeObject replace(ResourceType type, KubeObject object)
            throws ApiException, InterruptedException {
        return replace(type, object, object.key(), "");
    }

    KubeObject replace(ResourceType type, KubeObject body, ObjectKey key, String subresource)
            throws ApiException, InterruptedException {
        var path = path(type, key, subresource) + written();
        var subject = subject(type, key, subresource);
        var call = Call.write("update", "PUT", path, bytes(body), JSON, Call.Repeat.NEVER, subject);
        return object(call.of(type, key), expected(type, key, subresource));
    }

    /**
     * Reads an object, changes it, and replaces it by the result; if somebody else has written it
     * meanwhile, again from its newest state, up to five times. Nothing is written if nothing
     * changes.
     *
     * @param change returns the object as it is to be; it may be asked several times
     * @throws ApiException.NotFound if there is no such object
     * @throws ApiException.Conflict of the last try, or if another object has taken the name
     */
    public KubeObject update(ResourceType type, ObjectKey key, UnaryOperator<KubeObject> change)
            throws ApiException, InterruptedException {
        return new Updates(begun(), type).change(key, "", change);
    }

    /** The same for the status subresource: the rest of the object stays as it is. */
    public KubeObject updateStatus(
            ResourceType type, ObjectKey key, UnaryOperator<KubeObject> change)
            throws ApiException, InterruptedException {
        return new Updates(begun(), type).change(key, "status", change);
    }

    /**
     * Deletes an object. If it does not exist, or has another UID than the one demanded, it counts
     * as gone, so that a repeat never hits a new object of the same name.
     */
    public Deletion delete(ResourceType type, ObjectKey key, DeleteOptions options)
            throws ApiException, InterruptedException {
        var repeat = options.uid().isEmpty() ? Call.Repeat.NEVER : Call.Repeat.IDEMPOTENT;
        var parts = begun();
        var call =
                Call.write(
                                "delete",
                                "DELETE",
                                Urls.object(type, key),
                                bytes(Json.write(options.json(view.dryRun))),
                                JSON,
                                repeat,
                                subject(type, key))
                        .of(type, key);
        try {
            return Ownership.deletionShownBy(
                    parts.object(call, Expected.deletion(type, key.name())));
        } catch (ApiException.NotFound _) {
            return Deletion.GONE;
        } catch (ApiException.Conflict e) {
            if (!options.uid().isEmpty() && parts.otherUid(type, key, options.uid())) {
                return Deletion.GONE;
            }
            throw e;
        }
    }

    /**
     * Deletes an object and waits until it is gone. Finalizers decide when that is; it asks after
     * 100 ms, and then less often, every two seconds at last.
     *
     * @param options with the UID, so that another object of the name is not waited for
     * @param limit of all of it
     * @return whether it is gone, or still going when the limit ends
     */
    public Deletion deleteAndWait(
            ResourceType type, ObjectKey key, DeleteOptions options, Duration limit)
            throws ApiException, InterruptedException {
        if (options.uid().isEmpty()) {
            throw new IllegalArgumentException("to wait for its end takes the UID of an object");
        }
        var end = Deadline.in(limit);
        var parts = within(limit);
        var deletion = parts.delete(type, key, options);
        var pause = FIRST_LOOK;
        while (deletion == Deletion.IN_PROGRESS && pause.compareTo(end.left()) < 0) {
            Thread.sleep(pause);
            deletion =
                    parts.otherUid(type, key, options.uid()) ? Deletion.GONE : Deletion.IN_PROGRESS;
            var longer = pause.multipliedBy(2);
            pause = longer.compareTo(RARE_LOOK) < 0 ? longer : RARE_LOOK;
        }
        return deletion;
    }

    /** An object without a UID says nothing, so it is not taken for another one. */
    private boolean otherUid(ResourceType type, ObjectKey key, String uid)
            throws ApiException, InterruptedException {
        var present = find(type, key);
        return present.map(KubeObject::uid).map(u -> !u.isEmpty() && !u.equals(uid)).orElse(true);
    }

    /**
     * Deletes all objects of a collection that the selectors choose. What has finalizers is going
     * away when it returns, and new objects may have come.
     *
     * @param selected with a namespace, if the type has them: the server does not delete from all
     * @param options without preconditions, which can be of one object only
     */
    public void deleteCollection(ResourceType type, ListOptions selected, DeleteOptions options)
            throws ApiException, InterruptedException {
        if (!options.uid().isEmpty() || !options.resourceVersion().isEmpty()) {
            throw new IllegalArgumentException("a collection has no UID and no version to demand");
        }
        if (type.namespaced() && selected.namespace().isEmpty()) {
            throw new IllegalArgumentException(type + " are deleted in one namespace, not in all");
        }
        var path = Urls.collection(type, selected.namespace()) + selectors(selected);
        var body = bytes(Json.write(options.json(view.dryRun)));
        var subject = subject(type, selected);
        // objects that came since the first try were not meant
        tree(
                Call.write(
                        "deletecollection", "DELETE", path, body, JSON, Call.Repeat.NEVER, subject),
                Expected.deletionOfAll(type));
    }

    /**
     * Adds a finalizer unless it is there. Keeps other writers' changes: on a conflict it reads the
     * object again.
     *
     * @throws ApiException.Invalid if the object is already being deleted
     */
    public KubeObject addFinalizer(ResourceType type, KubeObject object, String finalizer)
            throws ApiException, InterruptedException {
        return new Updates(begun(), type).add(object, finalizer);
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
        return new Updates(begun(), type).remove(object, finalizer);
    }

    /**
     * Returns all types that the server serves, with what it does with them and how people call
     * them; an answer is remembered for ten seconds.
     */
    public ServedTypes types() throws ApiException, InterruptedException {
        return discovery.all(begun()::tree);
    }

    /** Returns whether the server serves the type; the answer is remembered for a minute. */
    public boolean serves(ResourceType type) throws ApiException, InterruptedException {
        return discovery.serves(type, begun()::tree);
    }

    /**
     * Returns what the server does with objects of the type now, such as {@code create}. Nothing is
     * remembered.
     *
     * @throws ApiException.Misdirected if it does not serve the type's version at all
     */
    public Set<String> verbs(ResourceType type) throws ApiException, InterruptedException {
        var call = Call.resources(Urls.groupVersion(type));
        return tree(call, Expected.resources()).objects("resources").stream()
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
        return transport.send(Call.log(path, subject(Types.POD, pod)), view.guard, view.callEnd());
    }

    /**
     * Opens a container's log, as UTF-8 text that is read while it comes, and follows it if the
     * options say so. The deadline of a call covers the opening alone.
     *
     * @return the text; a read fails if the connection breaks, and after it was closed
     */
    public InputStream openLog(ObjectKey pod, LogOptions log)
            throws ApiException, InterruptedException {
        var query =
                new Urls.Query()
                        .with("container", log.container())
                        .with("follow", log.follow() ? "true" : "")
                        .with("previous", log.previous() ? "true" : "")
                        .with("sinceTime", log.since().map(Times::seconds).orElse(""))
                        .with("timestamps", log.timestamps() ? "true" : "")
                        .with("tailLines", text(log.tailLines()));
        var path = Urls.object(Types.POD, pod) + "/log" + query;
        var call = Call.growingLog(path, subject(Types.POD, pod));
        return FeedStream.endless(transport.stream(call, view.callEnd()));
    }

    private static String text(OptionalLong number) {
        return number.isPresent() ? Long.toString(number.getAsLong()) : "";
    }

    /**
     * Opens a WebSocket to a subresource of a pod, such as {@code exec}. That counts as a write: a
     * guard is asked, and a dry run has none.
     *
     * @param subresource with its query, whose values are escaped
     * @param protocols subprotocols, the best one first; the server chooses
     * @return it, on a connection of its own, which the caller closes
     * @throws ApiException if the server refuses, the guard does, or this is a dry run
     */
    public WebSocket socket(ObjectKey pod, String subresource, List<String> protocols)
            throws ApiException, InterruptedException {
        var path = Urls.object(Types.POD, pod) + "/" + subresource;
        var name = subresource.replaceFirst("\\?.*", "");
        var subject = subject(Types.POD, pod);
        var call = Call.upgrade(name, path, subject);
        if (view.dryRun) {
            throw ApiException.notInADryRun(call.action());
        }
        return transport.socket(call, view.guard, protocols, view.callEnd());
    }

    /** Returns the git version of the server, such as {@code v1.34.1}. */
    public String serverVersion() throws ApiException, InterruptedException {
        var version = tree(Call.read("get", "/version", "/version"));
        return version.text("gitVersion").orElse("");
    }

    private KubeObject object(Call call, Expected expected)
            throws ApiException, InterruptedException {
        return KubeObject.of(tree(call, expected));
    }

    /** A status is shown in its object, any other subresource in a form of its own. */
    private static Expected expected(ResourceType type, ObjectKey key, String subresource) {
        return List.of("", "status").contains(subresource)
                ? Expected.object(type, key.name())
                : Expected.someObject();
    }

    /** Reads what the caller checks. */
    private ObjectTree tree(Call call) throws ApiException, InterruptedException {
        return tree(call, _ -> {});
    }

    private ObjectTree tree(Call call, Expected expected)
            throws ApiException, InterruptedException {
        var body = transport.send(call, view.guard, view.callEnd());
        try {
            if (Json.parse(text(body)) instanceof ObjectTree tree) {
                var failure = transport.failureIn(call, tree);
                if (failure.isPresent()) {
                    throw failure.get();
                }
                expected.check(tree);
                return tree;
            }
            throw new JsonException("the answer is not an object");
        } catch (JsonException e) {
            throw ApiException.unreachable(call.action(), call.writes(), e);
        }
    }

    /** Decodes a body, and says what it is if it is a page of a proxy. */
    private static String text(byte[] body) {
        try {
            var utf8 = StandardCharsets.UTF_8.newDecoder();
            var text = utf8.decode(ByteBuffer.wrap(body)).toString();
            if (text.startsWith("<")) {
                throw new JsonException("the answer is not JSON: " + Excerpt.ofBody(text));
            }
            return text;
        } catch (CharacterCodingException _) {
            throw new JsonException("the answer is not UTF-8");
        }
    }

    private static byte[] bytes(KubeObject object) {
        return bytes(object.toJson());
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The query of every write: the manager whose fields these are. */
    private Urls.Query written() {
        return new Urls.Query()
                .with("fieldManager", view.fieldManager)
                .with("dryRun", view.dryRun ? "All" : "");
    }

    private static String path(ResourceType type, ObjectKey key, String subresource) {
        return Urls.object(type, key)
                + (subresource.isEmpty() ? "" : "/" + PercentEncoding.of(subresource));
    }

    private static String subject(ResourceType type, ObjectKey key, String subresource) {
        return subject(type, key) + (subresource.isEmpty() ? "" : "/" + subresource);
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
