package lvms.operator.node;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.informer.OperatorInformers;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets go of a terminating LogicalVolume if its node was deleted from the cluster: nobody is left
 * to remove the volume from the disks. Without this the object would stay forever, and so would the
 * PersistentVolume that waits for it. Volumes that nobody asked to delete are left alone.
 */
public final class GoneNodeVolumeReconciler implements Reconciler<ObjectKey> {
    private static final System.Logger LOG =
            System.getLogger(GoneNodeVolumeReconciler.class.getName());

    /** A kubelet that restarts creates its Node again; then its agent removes the volume itself. */
    public static final Duration GRACE = Duration.ofMinutes(1);

    private final OperatorInformers informers;
    private final NodeFinalizers goneNodes;
    private final InstantSource clock;
    private final Map<ObjectKey, Instant> lostSince = new ConcurrentHashMap<>();

    public GoneNodeVolumeReconciler(
            KubeClient kube, OperatorInformers informers, InstantSource clock) {
        this.informers = informers;
        this.goneNodes = new NodeFinalizers(kube, informers);
        this.clock = clock;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var lost = lost(key);
        if (lost.isEmpty()) {
            lostSince.remove(key);
            return Result.done();
        }
        var now = clock.instant();
        var left = Duration.between(now, lostSince.computeIfAbsent(key, _ -> now).plus(GRACE));
        if (left.isPositive()) {
            return Result.requeueAfter(left);
        }
        for (var volume : lost) {
            goneNodes.release(volume);
            LOG.log(
                    WARNING,
                    () ->
                            "volume of a deleted node given up, its data stays on the disks name="
                                    + key
                                    + " node="
                                    + volume.spec().nodeName());
        }
        lostSince.remove(key);
        return Result.done();
    }

    private List<LogicalVolume> lost(ObjectKey key) throws ApiException, InterruptedException {
        var lost = new ArrayList<LogicalVolume>();
        for (var volume : informers.logicalVolumesNamed(key)) {
            if (ends(volume) && goneNodes.isGone(volume.spec().nodeName())) {
                lost.add(volume);
            }
        }
        return lost;
    }

    /** Returns the terminating volumes of a node that came or went. */
    public List<ObjectKey> waitingFor(KubeObject node) {
        return informers
                .everyLogicalVolume()
                .filter(GoneNodeVolumeReconciler::ends)
                .filter(volume -> volume.spec().nodeName().equals(node.name()))
                .map(volume -> volume.object().key())
                .toList();
    }

    private static boolean ends(LogicalVolume volume) {
        return volume.object().terminating()
                && volume.object().finalizers().contains(volume.driver().volumeFinalizer());
    }
}
