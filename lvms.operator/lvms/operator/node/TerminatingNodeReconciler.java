package lvms.operator.node;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.event.EventReason;
import lvms.operator.informer.OperatorInformers;

import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * When a Node is deleted: deletes the claims whose volumes are on it and its LogicalVolumes, then
 * lets the Node go. The agent of that node leaves LVM alone.
 */
public final class TerminatingNodeReconciler implements Reconciler<ObjectKey> {
    private static final System.Logger LOG =
            System.getLogger(TerminatingNodeReconciler.class.getName());

    /** In which whoever read a LogicalVolume before its deletion writes its PersistentVolume. */
    private static final Duration HAND_OVER = Duration.ofSeconds(2);

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final EventRecorder events;
    private final boolean cleanUp;
    private final PlacedVolumes places;

    /** UIDs of the Nodes to look at once more: once, since claims may go on choosing them. */
    private final Set<String> looked = ConcurrentHashMap.newKeySet();

    public TerminatingNodeReconciler(
            KubeClient kube, OperatorInformers informers, EventRecorder events, boolean cleanUp) {
        this.events = events;
        this.kube = kube;
        this.informers = informers;
        this.cleanUp = cleanUp;
        this.places = new PlacedVolumes(kube, informers);
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var node = informers.nodes().get(key);
        var finalizers = node.map(this::finalizers).orElse(List.of());
        if (finalizers.isEmpty() || !node.get().terminating()) {
            return Result.done();
        }
        var now = kube.find(Types.NODE, key).filter(n -> n.uid().equals(node.get().uid()));
        if (now.isPresent() && cleanUp) { // else it is gone, and may be there again as a new one
            boolean claims = deleteClaims(key.name());
            boolean volumes = deleteLogicalVolumes(key.name());
            if ((claims || volumes) && looked.add(now.get().uid())) {
                return Result.requeueAfter(HAND_OVER); // one may just be handed over
            }
            looked.remove(now.get().uid());
        }
        for (var finalizer : finalizers) {
            if (now.isPresent()) {
                now = kube.removeFinalizer(Types.NODE, now.get(), finalizer);
            }
        }
        return Result.done();
    }

    private List<String> finalizers(KubeObject node) {
        return informers.drivers().all().stream()
                .map(Driver::nodeFinalizer)
                .filter(node.finalizers()::contains)
                .toList();
    }

    private boolean deleteClaims(String node) throws ApiException, InterruptedException {
        boolean deleted = false;
        for (var volume : informers.persistentVolumes().list()) {
            var claim = places.claimOf(volume);
            if (claim.isPresent() && places.nodeOf(volume).filter(node::equals).isPresent()) {
                deleteClaim(claim.get(), volume, node);
                deleted = true;
            }
        }
        return deleted;
    }

    private void deleteClaim(KubeObject claim, KubeObject volume, String node)
            throws ApiException, InterruptedException {
        LOG.log(
                WARNING,
                () ->
                        "claim of a deleted node is deleted, the data stays on the disks claim="
                                + claim.key()
                                + " volume="
                                + volume.name()
                                + " node="
                                + node);
        events.record(
                claim,
                EventReason.NODE_DELETED,
                "Node "
                        + node
                        + ", which holds volume "
                        + volume.name()
                        + ", is being deleted: the claim is deleted too. The data stays on the"
                        + " disks of the node.");
        kube.delete(Types.PVC, claim.key(), DeleteOptions.uid(claim.uid()));
    }

    private boolean deleteLogicalVolumes(String node) throws ApiException, InterruptedException {
        boolean deleted = false;
        for (var volume : informers.everyLogicalVolume().toList()) {
            if (volume.spec().nodeName().equals(node)) {
                release(volume.driver(), volume.object().key());
                deleted = true;
            }
        }
        return deleted;
    }

    // Mark and finalizer change in one patch, so the agent never sees one without the other.
    private void release(Driver driver, ObjectKey key) throws ApiException, InterruptedException {
        var present = kube.find(driver.logicalVolumes(), key);
        if (present.isEmpty()) {
            return;
        }
        var volume = present.get();
        if (volume.finalizers().contains(driver.volumeFinalizer())) {
            try {
                kube.mergePatch(driver.logicalVolumes(), releasing(driver, volume));
            } catch (ApiException.NotFound _) {
                return; // it was terminating, and is gone by now
            }
        }
        kube.delete(driver.logicalVolumes(), key, DeleteOptions.uid(volume.uid()));
    }

    private static MergePatch releasing(Driver driver, KubeObject volume) {
        return MergePatch.of(volume)
                .ifUnchanged()
                .annotation(driver.pendingDeletionAnnotation(), "true")
                .finalizers(
                        volume.finalizers().stream()
                                .filter(name -> !name.equals(driver.volumeFinalizer()))
                                .toList());
    }
}
