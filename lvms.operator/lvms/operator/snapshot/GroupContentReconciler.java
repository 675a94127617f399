package lvms.operator.snapshot;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
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
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.operator.claim.Retries;
import lvms.operator.event.EventReason;
import lvms.operator.snapshot.Content.Need;
import lvms.operator.volume.GroupSnapshot;
import lvms.operator.volume.Progress;
import lvms.operator.volume.VolumeService;
import lvms.operator.volume.VolumeServices;

import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * Makes and removes the snapshots of VolumeGroupSnapshotContents. The snapshot-controller makes a
 * VolumeSnapshot for each of them. A pass never waits for the node.
 */
final class GroupContentReconciler implements Reconciler<ObjectKey> {
    private static final System.Logger LOG =
            System.getLogger(GroupContentReconciler.class.getName());
    private final KubeClient kube;
    private final Informer contents;
    private final VolumeServices services;
    private final EventRecorder events;
    private final InstantSource clock;
    private final Retries retries;

    GroupContentReconciler(
            KubeClient kube,
            Informer contents,
            VolumeServices services,
            EventRecorder events,
            InstantSource clock) {
        this.kube = kube;
        this.contents = contents;
        this.services = services;
        this.events = events;
        this.clock = clock;
        this.retries = new Retries(clock);
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var found = contents.get(key).map(GroupContent::new);
        var service = found.map(GroupContent::driver).flatMap(services::named);
        var need = service.map(s -> found.orElseThrow().need(s.driver())).orElse(Need.NOTHING);
        if (need == Need.NOTHING) {
            retries.clear(key.toString());
            return Result.done();
        }
        var content = found.orElseThrow();
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

    private void create(VolumeService volumes, GroupContent content)
            throws VolumeException, ApiException, InterruptedException {
        var room = room(volumes, content);
        var held =
                new GroupContent(contents.addFinalizer(content.object(), GroupContent.FINALIZER));
        var marked = held.beingCreated() ? held : mark(held);
        var pass = volumes.groupSnapshot(marked.groupName(), marked.sourceVolumes(), room);
        if (pass instanceof Progress.Converged<GroupSnapshot>(var group)) {
            unmark(ready(marked, volumes.driver(), group));
            retries.clear(content.object().key().toString());
        }
    }

    private StoreSize room(VolumeService volumes, GroupContent content)
            throws VolumeException, ApiException, InterruptedException {
        var groups = SnapshotClass.GROUP;
        return content.beingCreated()
                ? groups.begun(kube, content.className(), volumes.driver())
                : groups.check(kube, content.className(), volumes.driver());
    }

    private void find(VolumeService volumes, GroupContent content)
            throws VolumeException, ApiException, InterruptedException {
        var group = volumes.groupSnapshot(content.givenHandle().orElseThrow());
        group.requireSnapshots(content.givenSnapshots());
        ready(content, volumes.driver(), group);
        retries.clear(content.object().key().toString());
    }

    private GroupContent ready(GroupContent content, Driver driver, GroupSnapshot group)
            throws ApiException, InterruptedException {
        var members = ListTree.builder();
        for (var snapshot : group.snapshots()) {
            members.add(member(snapshot, driver));
        }
        var status = ObjectTree.builder();
        status.put("volumeGroupSnapshotHandle", group.id());
        status.put("creationTime", Times.seconds(wholeSeconds(group.created())));
        status.put("volumeSnapshotInfoList", members.build());
        status.put("readyToUse", true);
        status.put("error", Tree.NULL);
        return status(content, status.build());
    }

    private static ObjectTree member(LogicalVolume snapshot, Driver driver) {
        var member = ObjectTree.builder();
        member.put(
                "volumeHandle",
                snapshot.object().annotation(driver.sourceVolumeAnnotation()).orElse(""));
        member.put("snapshotHandle", snapshot.status().volumeId());
        member.put("creationTime", ContentReconciler.nanos(snapshot.taken()));
        member.put("restoreSize", snapshot.bytes());
        member.put("readyToUse", true);
        return member.build();
    }

    /** Without a fraction it must not lie before the snapshots. */
    private static Instant wholeSeconds(Instant time) {
        return time.plusNanos(999_999_999).truncatedTo(ChronoUnit.SECONDS);
    }

    /**
     * Removes the snapshots first and the finalizer last. A group that was being made has no handle
     * yet; its snapshots are found by their names, on the server, since a create whose answer was
     * lost is not in the cache yet. A handle that a person gave counts only once {@link #find} saw
     * a group behind it.
     */
    private void delete(VolumeService volumes, GroupContent content)
            throws VolumeException, ApiException, InterruptedException {
        if (content.deletesSnapshots()) {
            var id = content.handle().orElse("");
            if (id.isEmpty() && content.givenHandle().isEmpty()) {
                id = VolumeService.objectName(content.groupName());
                for (var name :
                        VolumeService.groupObjects(content.groupName(), content.sourceVolumes())) {
                    if (volumes.store().find(name).isEmpty()) {
                        var _ = volumes.store().read(name);
                    }
                }
            }
            if (volumes.deleteGroup(id) instanceof Progress.Pending) {
                return;
            }
        }
        if (content.beingCreated()) {
            unmark(content);
        }
        var current = contents.get(content.object().key()).orElse(content.object());
        contents.removeFinalizer(current, GroupContent.FINALIZER);
    }

    private Result failed(GroupContent content, Need need, VolumeException failure)
            throws ApiException, InterruptedException {
        var object = content.object();
        LOG.log(
                WARNING,
                () ->
                        "group snapshot content failed content="
                                + object.name()
                                + " need="
                                + need
                                + " reason="
                                + failure.getMessage());
        var text = "Failed to " + verb(need) + " group snapshot: " + failure.getMessage();
        events.record(object, reason(need), text);
        boolean last =
                !failure.code().inBackground() && failure.code() != StatusCode.RESOURCE_EXHAUSTED;
        var noted = noteError(content, text);
        if (need == Need.CREATE && last && noted.beingCreated()) {
            unmark(noted);
        }
        var key = object.key().toString();
        retries.failed(key, need.name(), false);
        return Result.requeueAfter(retries.remaining(key, need.name()));
    }

    private static EventReason reason(Need need) {
        return switch (need) {
            case CREATE -> EventReason.GROUP_SNAPSHOT_CREATION_FAILED;
            case FIND -> EventReason.GROUP_SNAPSHOT_CHECK_FAILED;
            case DELETE, UNMARK, LOSE, NOTHING -> EventReason.GROUP_SNAPSHOT_DELETION_FAILED;
        };
    }

    private static String verb(Need need) {
        return switch (need) {
            case CREATE -> "create";
            case FIND -> "check and update";
            case DELETE, UNMARK, LOSE, NOTHING -> "delete";
        };
    }

    private GroupContent noteError(GroupContent content, String text)
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

    private GroupContent status(GroupContent content, ObjectTree status)
            throws ApiException, InterruptedException {
        var patch = MergePatch.of(content.object()).status(status);
        return new GroupContent(contents.patchStatus(patch));
    }

    private GroupContent mark(GroupContent content) throws ApiException, InterruptedException {
        var patch = MergePatch.of(content.object()).annotation(GroupContent.BEING_CREATED, "yes");
        return new GroupContent(contents.patch(patch));
    }

    private void unmark(GroupContent content) throws ApiException, InterruptedException {
        var patch = MergePatch.of(content.object()).withoutAnnotation(GroupContent.BEING_CREATED);
        contents.patch(patch);
    }
}
