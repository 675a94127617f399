package lvms.operator.adoption;

import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.VolumeAffinity;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.JsonException;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Moves one volume to another node in the API. Where the server lets a node affinity change, the
 * PersistentVolume stays; else it is replaced by one of the same name, handle and claim, which the
 * claim takes for its own. While it is away, its content is in an annotation of the LogicalVolume.
 *
 * @param drivers whose PersistentVolumes it knows
 * @param target the node that has the volume
 * @param patience how long a PersistentVolume may take to go
 */
record PendingVolume(KubeClient kube, Drivers drivers, KubeObject target, Duration patience) {
    static final String CONTENT = "lvms.topolvm.io/moving-persistent-volume";

    private static final Duration LOOK = Duration.ofMillis(50);

    /** Returns whether a move to a node was cut, so that its PersistentVolume may be missing. */
    static boolean isOf(LogicalVolume object, String node) {
        return object.spec().nodeName().equals(node)
                && object.object().annotation(CONTENT).isPresent();
    }

    void move(LogicalVolume object, Optional<KubeObject> persistentVolume)
            throws ApiException, NotAdoptable, InterruptedException {
        var moved = object.object();
        var type = object.driver().logicalVolumes();
        if (!isOf(object, target.name())) {
            var patch = MergePatch.of(moved).set(target.name(), "spec", "nodeName");
            if (persistentVolume.isPresent()) {
                patch = patch.annotation(CONTENT, successor(persistentVolume.get()).json() + "");
            }
            moved = kube.mergePatch(type, patch);
        }
        var content = moved.annotation(CONTENT);
        if (content.isPresent()) {
            follow(content(content.get(), object), persistentVolume);
            kube.mergePatch(type, MergePatch.of(moved).withoutAnnotation(CONTENT));
        }
    }

    private static KubeObject content(String text, LogicalVolume object) throws NotAdoptable {
        try {
            return KubeObject.of(Json.parse(text).asObject());
        } catch (JsonException | IllegalArgumentException e) {
            throw new NotAdoptable(
                    "LogicalVolume "
                            + object.name()
                            + ": annotation "
                            + CONTENT
                            + ": "
                            + e.getMessage());
        }
    }

    private void follow(KubeObject successor, Optional<KubeObject> there)
            throws ApiException, NotAdoptable, InterruptedException {
        var affinity = successor.value("spec", "nodeAffinity").orElseThrow();
        if (there.isPresent()) {
            var now = there.get();
            if (now.value("spec", "nodeAffinity").filter(affinity::equals).isPresent()) {
                return;
            }
            var patch = MergePatch.of(now).set(affinity, "spec", "nodeAffinity");
            if (!now.terminating() && accepted(patch)) {
                return;
            }
            remove(now);
        }
        kube.create(Types.PV, successor);
    }

    /** Servers refuse it as immutable unless they have the feature MutablePVNodeAffinity. */
    private boolean accepted(MergePatch patch) throws ApiException, InterruptedException {
        try {
            kube.mergePatch(Types.PV, patch);
            return true;
        } catch (ApiException.Invalid _) {
            return false;
        }
    }

    /** Its claim stays, so nobody reclaims the volume; the policy is for a claim that goes now. */
    private void remove(KubeObject now) throws ApiException, NotAdoptable, InterruptedException {
        var kept =
                kube.mergePatch(
                        Types.PV,
                        MergePatch.of(now).set("Retain", "spec", "persistentVolumeReclaimPolicy"));
        kube.delete(Types.PV, kept.key(), DeleteOptions.uid(kept.uid()));
        long end = System.nanoTime() + patience.toNanos();
        for (var left = again(kept); left.isPresent(); left = again(kept)) {
            if (System.nanoTime() > end) {
                throw new NotAdoptable(
                        "PersistentVolume " + kept.name() + " does not go; repeat the command");
            }
            release(left.get());
            Thread.sleep(LOOK);
        }
    }

    private Optional<KubeObject> again(KubeObject before)
            throws ApiException, InterruptedException {
        return kube.find(Types.PV, before.key()).filter(now -> now.uid().equals(before.uid()));
    }

    /** The finalizers guard a volume in use; this one is used by nobody, its node is away. */
    private void release(KubeObject volume) throws ApiException, InterruptedException {
        try {
            kube.mergePatch(Types.PV, MergePatch.of(volume).ifUnchanged().finalizers(List.of()));
        } catch (ApiException.Conflict | ApiException.NotFound _) {
            return; // the next look says what became of it
        }
    }

    /** Returns the PersistentVolume as it has to be: on the other node, else the same. */
    private KubeObject successor(KubeObject now) throws NotAdoptable {
        if (now.object("spec", "nodeAffinity").isEmpty()) {
            throw new NotAdoptable("PersistentVolume " + now.name() + " names no node");
        }
        var driver = drivers.ofVolume(now).orElseThrow();
        var node = target.label(driver.topologyKey()).orElse(target.name());
        var affinity = VolumeAffinity.of(driver, node);
        var next = now.with(affinity, "spec", "nodeAffinity").without("status");
        for (var field :
                List.of(
                        "uid",
                        "resourceVersion",
                        "creationTimestamp",
                        "deletionTimestamp",
                        "deletionGracePeriodSeconds",
                        "generation",
                        "managedFields",
                        "selfLink")) {
            next = next.without("metadata", field);
        }
        return next;
    }
}
