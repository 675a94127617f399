package lvms.operator.snapshot;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.snapshot.StoreSize;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Times;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.operator.claim.Retries;
import lvms.operator.event.EventReason;
import lvms.operator.volume.Progress;
import lvms.operator.volume.VolumeService;
import lvms.operator.volume.VolumeServices;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.function.Consumer;

/** Makes and removes the snapshots of VolumeSnapshotContents. A pass never waits for the node. */
final class ContentReconciler implements Reconciler<ObjectKey> {
    private static final System.Logger LOG = System.getLogger(ContentReconciler.class.getName());
    private final KubeClient kube;
    private final Informer contents;
    private final VolumeServices services;
    private final EventRecorder events;
    private final InstantSource clock;
    private final Consumer<ObjectKey> onReady;
    private final Retries retries;

    /**
     * Builds a reconciler.
     *
     * @param onReady told of each VolumeSnapshot whose content became ready
     */
    ContentReconciler(
            KubeClient kube,
            Informer contents,
            VolumeServices services,
            EventRecorder events,
            InstantSource clock,
            Consumer<ObjectKey> onReady) {
        this.kube = kube;
        this.contents = contents;
        this.services = services;
        this.events = events;
        this.clock = clock;
        this.onReady = onReady;
        this.retries = new Retries(clock);
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var found = contents.get(key).map(Content::new);
        var service = found.map(Content::driver).flatMap(services::named);
        var lost = service.flatMap(s -> lost(s, found.orElseThrow()));
        var need =
                service.map(s -> found.orElseThrow().need(s.driver(), lost.isPresent()))
                        .orElse(Content.Need.NOTHING);
        if (need == Content.Need.NOTHING) {
            retries.clear(key.toString());
            return Result.done();
        }
        var content = found.orElseThrow();
        if (need == Content.Need.LOSE) {
            return lose(content, lost.orElseThrow());
        }
        var pause = retries.remaining(key.toString(), need.name());
        if (pause.isPositive()) {
            return Result.requeueAfter(pause);
        }
        try {
            switch (need) {
                case CREATE -> create(service.get(), content);
                case UNMARK -> unmark(content);
                case FIND -> find(service.get(), content);
                case DELETE -> delete(service.get(), content);
                case LOSE, NOTHING -> throw new AssertionError(key);
            }
            return Result.done();
        } catch (VolumeException e) {
            return failed(content, need, e);
        }
    }

    private static Optional<LogicalVolume> lost(VolumeService volumes, Content content) {
        var handle = content.handle().or(content::givenHandle);
        return handle.stream()
                .flatMap(id -> volumes.store().withId(id).stream())
                .filter(LogicalVolume::lost)
                .findFirst();
    }

    /** Whoever restores from it must be told why not, and nobody else makes it ready again. */
    private Result lose(Content content, LogicalVolume snapshot)
            throws ApiException, InterruptedException {
        var text = snapshot.status().message();
        var noted = noteError(content, text);
        if (noted != content) {
            events.record(content.object(), EventReason.SNAPSHOT_LOST, text);
        }
        if (noted.beingCreated()) {
            unmark(noted);
        }
        return Result.done();
    }

    private void create(VolumeService volumes, Content content)
            throws VolumeException, ApiException, InterruptedException {
        var name = content.snapshotName();
        var room = room(volumes, content);
        var held = hold(content);
        var marked = held.beingCreated() ? held : mark(held);
        var pass = volumes.snapshot(name, marked.sourceVolume().orElseThrow(), room);
        if (pass instanceof Progress.Converged<LogicalVolume>(var snapshot)) {
            unmark(ready(marked, snapshot));
            retries.clear(content.object().key().toString());
            onReady.accept(content.snapshot());
        }
    }

    /** Once the object is there, nobody asks the class any more. */
    private StoreSize room(VolumeService volumes, Content content)
            throws VolumeException, ApiException, InterruptedException {
        var snapshots = SnapshotClass.SINGLE;
        if (!content.beingCreated()) {
            return snapshots.check(kube, content.className(), volumes.driver());
        }
        var there = volumes.store().find(VolumeService.objectName(content.snapshotName()));
        return there.isPresent()
                ? StoreSize.DEFAULT
                : snapshots.begun(kube, content.className(), volumes.driver());
    }

    private void find(VolumeService volumes, Content content)
            throws VolumeException, ApiException, InterruptedException {
        var handle = content.knownHandle().orElseThrow();
        var snapshot =
                volumes.store()
                        .byId(handle)
                        .filter(LogicalVolume::isSnapshot)
                        .filter(volume -> volume.state() == LogicalVolume.State.READY)
                        .orElseThrow(
                                () ->
                                        new VolumeException(
                                                StatusCode.NOT_FOUND,
                                                "snapshot " + handle + " does not exist"));
        ready(content, snapshot);
        retries.clear(content.object().key().toString());
        onReady.accept(content.snapshot());
    }

    private Content ready(Content content, LogicalVolume snapshot)
            throws ApiException, InterruptedException {
        var status = ObjectTree.builder();
        status.put("snapshotHandle", snapshot.status().volumeId());
        status.put("creationTime", nanos(snapshot.taken()));
        status.put("restoreSize", snapshot.bytes());
        status.put("readyToUse", true);
        status.put("error", Tree.NULL);
        return status(content, status.build());
    }

    /** Returns a time as these objects have it. */
    static long nanos(Instant time) {
        return time.getEpochSecond() * 1_000_000_000L + time.getNano();
    }

    /**
     * Removes the snapshot first and the finalizer last. A snapshot whose creation was still under
     * way has no handle yet; it is found by its name.
     */
    private void delete(VolumeService volumes, Content content)
            throws VolumeException, ApiException, InterruptedException {
        if (content.deletesSnapshot()) {
            var snapshot = snapshotOf(volumes, content);
            if (snapshot.isPresent()
                    && volumes.delete(snapshot.get()) instanceof Progress.Pending) {
                return;
            }
        }
        if (content.beingCreated()) {
            unmark(content);
        }
        var current = contents.get(content.object().key()).orElse(content.object());
        contents.removeFinalizer(current, Content.FINALIZER);
    }

    /**
     * Returns the snapshot to delete. A handle that a person gave counts only once {@link #find}
     * saw a snapshot behind it, and never leads to a volume. That there is none of our own making
     * is believed from the server alone: a create whose answer was lost is not in the cache yet.
     */
    private static Optional<LogicalVolume> snapshotOf(VolumeService volumes, Content content)
            throws VolumeException, ApiException, InterruptedException {
        var name = VolumeService.objectName(content.snapshotName());
        var found =
                content.handle().or(content::givenHandle).isEmpty()
                        ? volumes.store().find(name)
                        : volumes.store().byId(content.handle().orElse(""));
        if (found.isEmpty() && content.givenHandle().isEmpty()) {
            found = volumes.store().read(name);
        }
        return found.filter(LogicalVolume::isSnapshot);
    }

    private Result failed(Content content, Content.Need need, VolumeException failure)
            throws ApiException, InterruptedException {
        var object = content.object();
        LOG.log(
                WARNING,
                () ->
                        "snapshot content failed content="
                                + object.name()
                                + " need="
                                + need
                                + " reason="
                                + failure.getMessage());
        var reason =
                switch (need) {
                    case CREATE -> EventReason.SNAPSHOT_CREATION_FAILED;
                    case FIND -> EventReason.SNAPSHOT_CHECK_FAILED;
                    case DELETE, UNMARK, LOSE, NOTHING -> EventReason.SNAPSHOT_DELETION_FAILED;
                };
        var text = "Failed to " + verb(need) + " snapshot: " + failure.getMessage();
        events.record(object, reason, text);
        boolean last =
                !failure.code().inBackground() && failure.code() != StatusCode.RESOURCE_EXHAUSTED;
        var noted = noteError(content, text);
        if (need == Content.Need.CREATE && last && noted.beingCreated()) {
            unmark(noted);
        }
        var key = object.key().toString();
        retries.failed(key, need.name(), false);
        return Result.requeueAfter(retries.remaining(key, need.name()));
    }

    private static String verb(Content.Need need) {
        return switch (need) {
            case CREATE -> "create";
            case FIND -> "check and update";
            case DELETE, UNMARK, LOSE, NOTHING -> "delete";
        };
    }

    private Content noteError(Content content, String text)
            throws ApiException, InterruptedException {
        if (content.object().text("status", "error", "message").orElse("").equals(text)) {
            return content;
        }
        var error = ObjectTree.builder();
        error.put("time", Times.seconds(clock.instant()));
        error.put("message", text);
        var status = ObjectTree.builder();
        status.put("error", error.build());
        status.put("readyToUse", false);
        return status(content, status.build());
    }

    private Content status(Content content, ObjectTree status)
            throws ApiException, InterruptedException {
        var patch = MergePatch.of(content.object()).status(status);
        return new Content(contents.patchStatus(patch));
    }

    /**
     * The snapshot-controller adds this finalizer too, in a step of its own. A content that was
     * deleted before that step would be gone at once, and its snapshot left to nobody.
     */
    private Content hold(Content content) throws ApiException, InterruptedException {
        return new Content(contents.addFinalizer(content.object(), Content.FINALIZER));
    }

    private Content mark(Content content) throws ApiException, InterruptedException {
        var patch = MergePatch.of(content.object()).annotation(Content.BEING_CREATED, "yes");
        return new Content(contents.patch(patch));
    }

    private Content unmark(Content content) throws ApiException, InterruptedException {
        var patch = MergePatch.of(content.object()).withoutAnnotation(Content.BEING_CREATED);
        return new Content(contents.patch(patch));
    }
}
