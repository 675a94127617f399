package lvms.tests.lab.standin;

import static lvms.tests.lab.standin.Trees.list;
import static lvms.tests.lab.standin.Trees.object;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Times;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The cluster's half of snapshots: makes the content, copies its status, and takes both away in
 * order.
 */
final class SnapshotBinder implements Reconciler<ObjectKey> {
    private static final String PREFIX = "snapshot.storage.kubernetes.io/";
    private static final String BOUND = PREFIX + "volumesnapshot-bound-protection";
    private static final String AS_SOURCE = PREFIX + "volumesnapshot-as-source-protection";
    private static final String CLAIM_AS_SOURCE = PREFIX + "pvc-as-source-protection";
    private static final String CONTENT_BOUND = PREFIX + "volumesnapshotcontent-bound-protection";
    private static final String BEING_CREATED = PREFIX + "volumesnapshot-being-created";
    private static final String BEING_DELETED = PREFIX + "volumesnapshot-being-deleted";
    private static final String DEFAULT_CLASS = PREFIX + "is-default-class";

    private final Cluster cluster;

    SnapshotBinder(Cluster cluster) {
        this.cluster = cluster;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var snapshot = cluster.snapshots.get(key);
        if (snapshot.isPresent()) {
            if (snapshot.get().terminating()) {
                remove(snapshot.get());
            } else if (!snapshot.get().finalizers().containsAll(List.of(BOUND, AS_SOURCE))) {
                protect(snapshot.get());
            } else {
                bind(snapshot.get());
            }
        }
        return Result.done();
    }

    /** Snapshots that a content or a claim is about. */
    static List<ObjectKey> snapshotOf(KubeObject content) {
        return content.text("spec", "volumeSnapshotRef", "name").stream()
                .map(
                        name ->
                                ObjectKey.of(
                                        content.text("spec", "volumeSnapshotRef", "namespace")
                                                .orElse(""),
                                        name))
                .toList();
    }

    private void protect(KubeObject snapshot) throws ApiException, InterruptedException {
        var finalizers = ListTree.builder();
        snapshot.finalizers().forEach(finalizers::add);
        for (var finalizer : List.of(BOUND, AS_SOURCE)) {
            if (!snapshot.finalizers().contains(finalizer)) {
                finalizers.add(finalizer);
            }
        }
        cluster.kube.mergePatch(
                Types.VOLUME_SNAPSHOT,
                snapshot.key(),
                object(
                        "metadata",
                        object(
                                "resourceVersion",
                                snapshot.resourceVersion(),
                                "finalizers",
                                finalizers.build())));
    }

    private void bind(KubeObject snapshot) throws ApiException, InterruptedException {
        var named = snapshot.text("spec", "source", "volumeSnapshotContentName");
        if (named.isPresent()) {
            var content = cluster.snapshotContents.get(ObjectKey.cluster(named.get()));
            if (content.isPresent()) {
                adopt(snapshot, content.get());
            }
            return;
        }
        if (snapshot.text("spec", "volumeSnapshotClassName").isEmpty()) {
            takeDefaultClass(snapshot);
            return;
        }
        var content = cluster.snapshotContents.get(contentKey(snapshot));
        if (content.isPresent()) {
            copyStatus(snapshot, content.get());
        } else {
            createContent(snapshot);
        }
    }

    private static ObjectKey contentKey(KubeObject snapshot) {
        return ObjectKey.cluster(
                snapshot.text("spec", "source", "volumeSnapshotContentName")
                        .orElse("snapcontent-" + snapshot.uid()));
    }

    /** A content that somebody made gets the UID of the snapshot that names it. */
    private void adopt(KubeObject snapshot, KubeObject content)
            throws ApiException, InterruptedException {
        if (!snapshotOf(content).contains(snapshot.key())) {
            warn(
                    snapshot,
                    "SnapshotContentMisbound",
                    "VolumeSnapshotContent is bound to another snapshot");
            return;
        }
        if (!content.finalizers().contains(CONTENT_BOUND)) {
            cluster.kube.addFinalizer(Types.VOLUME_SNAPSHOT_CONTENT, content, CONTENT_BOUND);
        } else if (content.text("spec", "volumeSnapshotRef", "uid").isEmpty()) {
            cluster.kube.mergePatch(
                    Types.VOLUME_SNAPSHOT_CONTENT,
                    content.key(),
                    object("spec", object("volumeSnapshotRef", object("uid", snapshot.uid()))));
        } else {
            copyStatus(snapshot, content);
        }
    }

    private void takeDefaultClass(KubeObject snapshot) throws ApiException, InterruptedException {
        var preferred =
                cluster.snapshotClasses.list().stream()
                        .filter(c -> c.annotation(DEFAULT_CLASS).orElse("").equals("true"))
                        .findFirst();
        if (preferred.isEmpty()) {
            warn(snapshot, "SetDefaultSnapshotClassFailed", "there is no default snapshot class");
            return;
        }
        cluster.kube.mergePatch(
                Types.VOLUME_SNAPSHOT,
                snapshot.key(),
                object("spec", object("volumeSnapshotClassName", preferred.get().name())));
    }

    private void createContent(KubeObject snapshot) throws ApiException, InterruptedException {
        var className = snapshot.text("spec", "volumeSnapshotClassName").orElseThrow();
        // A cache may still have a class that was just replaced by another one of its name.
        var snapshotClass =
                cluster.kube.find(Types.VOLUME_SNAPSHOT_CLASS, ObjectKey.cluster(className));
        var claim = source(snapshot);
        var volume =
                claim.filter(c -> !ClaimBinder.pending(c))
                        .flatMap(
                                c ->
                                        cluster.volumes.get(
                                                ObjectKey.cluster(
                                                        c.text("spec", "volumeName").orElse(""))));
        if (snapshotClass.isEmpty()) {
            warn(
                    snapshot,
                    "GetSnapshotClassFailed",
                    "VolumeSnapshotClass \"" + className + "\" not found");
            return;
        }
        if (volume.isEmpty()) {
            warn(
                    snapshot,
                    "SnapshotPVCSourceMissing",
                    "the source claim is not there or not bound");
            return;
        }
        if (!claim.get().finalizers().contains(CLAIM_AS_SOURCE)) {
            cluster.kube.addFinalizer(Types.PVC, claim.get(), CLAIM_AS_SOURCE);
        }
        createContent(snapshot, content(snapshot, snapshotClass.get(), volume.get()));
    }

    private void createContent(KubeObject snapshot, KubeObject content)
            throws ApiException, InterruptedException {
        cluster.snapshotContents.observed(
                cluster.kube.create(Types.VOLUME_SNAPSHOT_CONTENT, content));
        cluster.events.record(
                snapshot,
                EventRecorder.Type.NORMAL,
                "CreatingSnapshot",
                "Creating",
                "Waiting for a snapshot " + snapshot.key() + " to be created by the CSI driver.");
    }

    private Optional<KubeObject> source(KubeObject snapshot) {
        return snapshot.text("spec", "source", "persistentVolumeClaimName")
                .flatMap(name -> cluster.claims.get(ObjectKey.of(snapshot.namespace(), name)));
    }

    private static KubeObject content(
            KubeObject snapshot, KubeObject snapshotClass, KubeObject volume) {
        var reference =
                object(
                        "apiVersion", snapshot.apiVersion(),
                        "kind", snapshot.kind(),
                        "namespace", snapshot.namespace(),
                        "name", snapshot.name(),
                        "uid", snapshot.uid(),
                        "resourceVersion", snapshot.resourceVersion());
        return KubeObject.create(Types.VOLUME_SNAPSHOT_CONTENT, contentKey(snapshot))
                .with(list(CONTENT_BOUND), "metadata", "finalizers")
                .with(reference, "spec", "volumeSnapshotRef")
                .with(snapshotClass.text("driver").orElseThrow(), "spec", "driver")
                .with(snapshotClass.text("deletionPolicy").orElseThrow(), "spec", "deletionPolicy")
                .with(snapshotClass.name(), "spec", "volumeSnapshotClassName")
                .with(
                        volume.text("spec", "volumeMode").orElse("Filesystem"),
                        "spec",
                        "sourceVolumeMode")
                .with(
                        volume.text("spec", "csi", "volumeHandle").orElseThrow(),
                        "spec",
                        "source",
                        "volumeHandle");
    }

    private void copyStatus(KubeObject snapshot, KubeObject content)
            throws ApiException, InterruptedException {
        var status = object("boundVolumeSnapshotContentName", content.name()).toBuilder();
        boolean ready = content.flag("status", "readyToUse").orElse(false);
        status.put("readyToUse", ready);
        content.number("status", "creationTime")
                .ifPresent(nanos -> status.put("creationTime", Times.seconds(ofNanos(nanos))));
        content.number("status", "restoreSize")
                .ifPresent(bytes -> status.put("restoreSize", Quantity.ofBytes(bytes).toString()));
        content.value("status", "error").ifPresent(error -> status.put("error", error));
        cluster.violations.demand(
                !ready || content.text("status", "snapshotHandle").isPresent(),
                "content " + content.name() + " is ready without a handle");
        if (!snapshot.with(status.build(), "status").sameAt(snapshot, "status")) {
            cluster.kube.mergePatchStatus(
                    Types.VOLUME_SNAPSHOT, snapshot.key(), object("status", status.build()));
        }
        if (ready) {
            releaseSource(snapshot);
        }
    }

    private static Instant ofNanos(long nanos) {
        return Instant.ofEpochSecond(nanos / 1_000_000_000, nanos % 1_000_000_000);
    }

    /** The source claim is free once no snapshot of it is unfinished. */
    private void releaseSource(KubeObject snapshot) throws ApiException, InterruptedException {
        var claim = source(snapshot);
        if (claim.isPresent() && claim.get().finalizers().contains(CLAIM_AS_SOURCE)) {
            boolean unfinished =
                    cluster.snapshots.list().stream()
                            .filter(other -> !other.key().equals(snapshot.key()))
                            .filter(other -> source(other).map(claim.get()::equals).orElse(false))
                            .anyMatch(other -> !other.flag("status", "readyToUse").orElse(false));
            if (!unfinished) {
                cluster.kube.removeFinalizer(Types.PVC, claim.get(), CLAIM_AS_SOURCE);
            }
        }
    }

    private void remove(KubeObject snapshot) throws ApiException, InterruptedException {
        if (isRestoring(snapshot)) {
            warn(snapshot, "SnapshotDeletePending", "Snapshot is being used to restore a PVC");
            return;
        }
        var content = cluster.kube.find(Types.VOLUME_SNAPSHOT_CONTENT, contentKey(snapshot));
        if (content.isPresent()
                && content.get()
                        .text("spec", "volumeSnapshotRef", "uid")
                        .orElse("")
                        .equals(snapshot.uid())) {
            boolean kept = removeContent(content.get());
            if (!kept) {
                return; // its end brings the next pass
            }
        }
        releaseSource(snapshot);
        var finalizers = new ArrayList<>(snapshot.finalizers());
        if (finalizers.removeAll(List.of(BOUND, AS_SOURCE))) {
            cluster.kube.mergePatch(
                    Types.VOLUME_SNAPSHOT,
                    snapshot.key(),
                    object(
                            "metadata",
                            object(
                                    "resourceVersion", snapshot.resourceVersion(),
                                    "finalizers", list(finalizers.toArray()))));
        }
    }

    private boolean isRestoring(KubeObject snapshot) {
        return cluster.claims.list().stream()
                .filter(claim -> claim.namespace().equals(snapshot.namespace()))
                .filter(ClaimBinder::pending)
                .filter(
                        claim ->
                                claim.text("spec", "dataSource", "kind")
                                        .orElse("")
                                        .equals("VolumeSnapshot"))
                .anyMatch(
                        claim ->
                                claim.text("spec", "dataSource", "name")
                                        .orElse("")
                                        .equals(snapshot.name()));
    }

    /**
     * The driver's side deletes the snapshot only when it sees the mark, so the mark comes first.
     *
     * @return whether the content stays, as its policy says
     */
    private boolean removeContent(KubeObject content) throws ApiException, InterruptedException {
        if (content.annotation(BEING_CREATED).isPresent()) {
            return false; // the driver's side takes the mark off, and that brings the next pass
        }
        if (content.annotation(BEING_DELETED).isEmpty()) {
            cluster.kube.mergePatch(
                    Types.VOLUME_SNAPSHOT_CONTENT,
                    content.key(),
                    object("metadata", object("annotations", object(BEING_DELETED, "yes"))));
        }
        boolean deletes = content.text("spec", "deletionPolicy").orElse("").equals("Delete");
        if (deletes && !content.terminating()) {
            cluster.kube.delete(
                    Types.VOLUME_SNAPSHOT_CONTENT, content.key(), DeleteOptions.uid(content.uid()));
        }
        return !deletes;
    }

    private void warn(KubeObject snapshot, String reason, String note) {
        cluster.events.record(snapshot, EventRecorder.Type.WARNING, reason, "Binding", note);
    }
}
