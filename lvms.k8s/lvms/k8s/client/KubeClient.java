package lvms.k8s.client;

import lvms.k8s.config.KubeConfig;
import lvms.k8s.discovery.ServedTypes;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ObjectList;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.websocket.WebSocket;

import java.io.InputStream;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

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
    private final KubeConfig config;
    private final ClientOptions options;
    private final Discovery discovery;
    private final Caller caller;

    private KubeClient(
            KubeConfig config, ClientOptions options, Discovery discovery, Caller caller) {
        this.config = config;
        this.options = options;
        this.discovery = discovery;
        this.caller = caller;
    }

    private KubeClient as(Caller other) {
        return new KubeClient(config, options, discovery, other);
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
        var caller = Caller.over(new Transport(config, options), options.callDeadline());
        return new KubeClient(config, options, new Discovery(), caller);
    }

    /**
     * Returns this client under another field manager: the name in {@code metadata.managedFields}
     * of everything that it writes. Both share their connections: closing one closes the other.
     *
     * <p>Without a field manager the server takes the user agent up to its first slash; {@link
     * #apply} needs one.
     */
    public KubeClient withFieldManager(String fieldManager) {
        return as(caller.withFieldManager(fieldManager));
    }

    /**
     * Returns this client with a guard that each write asks before it is sent, and sent again. What
     * it does not allow ends with {@link ApiException.Fenced}. Commands and other streams of pods
     * are writes, too. Both share their connections.
     */
    public KubeClient guardedBy(WriteGuard guard) {
        return as(caller.guardedBy(guard));
    }

    /**
     * Returns this client with another deadline for each call, with all that the call consists of.
     * Both share their connections.
     */
    public KubeClient withDeadline(Duration deadline) {
        return as(caller.withDeadline(deadline));
    }

    /**
     * Returns this client in earnest only for reads: the server checks what it writes, webhooks
     * included, answers as usual, and stores nothing. Commands and other streams of pods, which it
     * cannot only check, end with {@link ApiException.Unsupported}. Both share their connections.
     */
    public KubeClient dryRun() {
        return as(caller.inADryRun());
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
        var there = caller.movedTo(new Transport(config, own), deadline);
        return new KubeClient(config, own, new Discovery(), there);
    }

    /** Returns where its requests are counted. */
    public MetricsRegistry metrics() {
        return options.metrics();
    }

    /** Returns whether {@link #close} was called: every further call fails. */
    public boolean closed() {
        return caller.transport().closed();
    }

    /** Returns the namespace of the configuration: the context's, or that of the pod. */
    public String namespace() {
        return config.namespace();
    }

    /** Reads the newest state of an object. */
    public KubeObject get(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        return object(type, key).get();
    }

    /**
     * Reads an object as of a version or newer, which the server's cache can answer.
     *
     * @param resourceVersion {@code 0} for any, even one from before an earlier answer
     */
    public KubeObject getAtLeast(ResourceType type, ObjectKey key, String resourceVersion)
            throws ApiException, InterruptedException {
        return object(type, key).getAtLeast(resourceVersion);
    }

    /**
     * Reads the newest state of an object; empty if the API server says that this very object does
     * not exist. Any other 404 is {@link ApiException.Misdirected}.
     */
    public Optional<KubeObject> find(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        return object(type, key).find();
    }

    /**
     * The same, but the server sends nothing but the metadata, which is all that the object has
     * then: of a large one that is read often, a small part.
     */
    public Optional<KubeObject> findMetadata(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        return object(type, key).findMetadata();
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
        return new Selection(caller, type, options).list(trim);
    }

    /** Returns a collection page by page; nothing is asked yet. */
    public Pages pages(ResourceType type, ListOptions options) {
        return new Pages(new Selection(caller, type, options), UnaryOperator.identity());
    }

    /**
     * Returns the present version of a collection. It reads at most one object.
     *
     * @see ObjectList#resourceVersion()
     */
    public String collectionVersion(ResourceType type, ListOptions options)
            throws ApiException, InterruptedException {
        return new Selection(caller, type, options).version();
    }

    /**
     * Opens a watch on connections separate from those of the calls. Nothing is repeated here: what
     * to do after a failure depends on what the caller has seen.
     */
    public WatchStream watch(ResourceType type, ListOptions options, WatchOptions watch)
            throws ApiException, InterruptedException {
        return new Selection(caller, type, options).watch(watch);
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
        return new Creation(caller.begun(), type, object).make();
    }

    /** Returns a subresource of an object, such as {@code scale}; nothing is asked yet. */
    public Subresource subresource(ResourceType type, ObjectKey key, String name) {
        return new Subresource(new Resource(caller, type, key, name));
    }

    /**
     * Server-side apply with force: sets and owns the fields of {@code object}, and gives up fields
     * that this manager applied before and that are missing now. Creates the object if need be.
     */
    public KubeObject apply(ResourceType type, KubeObject object)
            throws ApiException, InterruptedException {
        return object(type, object.key()).apply(object, true);
    }

    /**
     * Server-side apply that takes no field from anybody.
     *
     * @throws ApiException.Conflict if another manager owns a field with another value; {@link
     *     ApiException.Conflict#fields()} names them
     */
    public KubeObject applyWithoutForce(ResourceType type, KubeObject object)
            throws ApiException, InterruptedException {
        return object(type, object.key()).apply(object, false);
    }

    /**
     * JSON merge patch: null deletes a member, lists are replaced whole. If the patch contains
     * {@code metadata.resourceVersion}, it fails on any other version.
     */
    public KubeObject mergePatch(ResourceType type, ObjectKey key, ObjectTree patch)
            throws ApiException, InterruptedException {
        return object(type, key).mergePatch(patch);
    }

    /** JSON merge patch of the status subresource. */
    public KubeObject mergePatchStatus(ResourceType type, ObjectKey key, ObjectTree patch)
            throws ApiException, InterruptedException {
        return new Resource(caller, type, key, "status").mergePatch(patch);
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
        return object(type, key).strategicMergePatch(patch);
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
        return object(type, key).jsonPatch(patch);
    }

    /** Replaces an object; its resource version is the precondition. */
    public KubeObject replace(ResourceType type, KubeObject object)
            throws ApiException, InterruptedException {
        return object(type, object.key()).replace(object);
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
        return new Updates(caller.begun(), type).change(key, "", change);
    }

    /** The same for the status subresource: the rest of the object stays as it is. */
    public KubeObject updateStatus(
            ResourceType type, ObjectKey key, UnaryOperator<KubeObject> change)
            throws ApiException, InterruptedException {
        return new Updates(caller.begun(), type).change(key, "status", change);
    }

    /**
     * Deletes an object. If it does not exist, or has another UID than the one demanded, it counts
     * as gone, so that a repeat never hits a new object of the same name.
     */
    public Deletion delete(ResourceType type, ObjectKey key, DeleteOptions options)
            throws ApiException, InterruptedException {
        return new Removal(caller.begun(), type, key, options).begin();
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
        return new Removal(caller.within(limit), type, key, options).await(limit);
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
        new Selection(caller, type, selected).delete(options);
    }

    /**
     * Adds a finalizer unless it is there. Keeps other writers' changes: on a conflict it reads the
     * object again.
     *
     * @throws ApiException.Invalid if the object is already being deleted
     */
    public KubeObject addFinalizer(ResourceType type, KubeObject object, String finalizer)
            throws ApiException, InterruptedException {
        return new Updates(caller.begun(), type).add(object, finalizer);
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
        return new Updates(caller.begun(), type).remove(object, finalizer);
    }

    /**
     * Returns all types that the server serves, with what it does with them and how people call
     * them; an answer is remembered for ten seconds.
     */
    public ServedTypes types() throws ApiException, InterruptedException {
        return discovery.all(caller.begun());
    }

    /** Returns whether the server serves the type; the answer is remembered for a minute. */
    public boolean serves(ResourceType type) throws ApiException, InterruptedException {
        return discovery.serves(type, caller.begun());
    }

    /**
     * Returns what the server does with objects of the type now, such as {@code create}. Nothing is
     * remembered.
     *
     * @throws ApiException.Misdirected if it does not serve the type's version at all
     */
    public Set<String> verbs(ResourceType type) throws ApiException, InterruptedException {
        return Discovery.verbs(type, caller);
    }

    /**
     * Reads the last lines of a container's log, 8 MiB at most.
     *
     * @param previous whether the log of the container's former run is asked for
     * @param since leaves out what is older
     */
    public byte[] log(ObjectKey pod, String container, boolean previous, Optional<Instant> since)
            throws ApiException, InterruptedException {
        return new KubeletStreams(caller, pod).log(container, previous, since);
    }

    /**
     * Opens a container's log, as UTF-8 text that is read while it comes, and follows it if the
     * options say so. The deadline of a call covers the opening alone.
     *
     * @return the text; a read fails if the connection breaks, and after it was closed
     */
    public InputStream openLog(ObjectKey pod, LogOptions log)
            throws ApiException, InterruptedException {
        return new KubeletStreams(caller, pod).openLog(log);
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
        return new KubeletStreams(caller, pod).open(subresource, protocols);
    }

    /** Returns the git version of the server, such as {@code v1.34.1}. */
    public String serverVersion() throws ApiException, InterruptedException {
        return Discovery.version(caller);
    }

    private Resource object(ResourceType type, ObjectKey key) {
        return new Resource(caller, type, key);
    }

    /** Ends all calls and watches at once. */
    @Override
    public void close() {
        caller.transport().close();
    }
}
