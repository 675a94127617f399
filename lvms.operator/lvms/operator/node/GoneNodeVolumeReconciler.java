package lvms.operator.node;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Driver;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.informer.ClusterInformers;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Lets LogicalVolumes end whose node was deleted from the cluster: nobody is left who could remove
 * the volume from its disks, and without this the object, and the PersistentVolume that waits for
 * it, would stay for ever. Volumes that nobody asked to delete are left alone.
 */
public final class GoneNodeVolumeReconciler implements Reconciler {
    private static final System.Logger LOG =
            System.getLogger(GoneNodeVolumeReconciler.class.getName());

    /** A kubelet that restarts makes its Node anew; then its agent removes the volume itself. */
    public static final Duration GRACE = Duration.ofMinutes(1);

    private final ClusterInformers informers;
    private final NodeFinalizers goneNodes;
    private final InstantSource clock;
    private final Map<ObjectKey, Instant> lostSince = new ConcurrentHashMap<>();

    public GoneNodeVolumeReconciler(
            KubeClient kube, ClusterInformers informers, InstantSource clock) {
        this.informers = informers;
        this.goneNodes = new NodeFinalizers(kube, informers);
        this.clock = clock;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var volume = informers.logicalVolumes().get(key).filter(GoneNodeVolumeReconciler::ends);
        if (volume.isEmpty() || !goneNodes.isGone(nodeOf(volume.get()))) {
            lostSince.remove(key);
            return Result.done();
        }
        var now = clock.instant();
        var left = Duration.between(now, lostSince.computeIfAbsent(key, _ -> now).plus(GRACE));
        if (left.isPositive()) {
            return Result.requeueAfter(left);
        }
        goneNodes.release(volume.get());
        lostSince.remove(key);
        LOG.log(
                WARNING,
                () ->
                        "volume of a deleted node is given up, its data stays on the disks name="
                                + key
                                + " node="
                                + nodeOf(volume.get()));
        return Result.done();
    }

    /** Returns the volumes of a node that came or went which wait for it. */
    public List<ObjectKey> waitingFor(KubeObject node) {
        return informers.logicalVolumes().list().stream()
                .filter(GoneNodeVolumeReconciler::ends)
                .filter(volume -> nodeOf(volume).equals(node.name()))
                .map(KubeObject::key)
                .toList();
    }

    private static boolean ends(KubeObject volume) {
        return volume.terminating()
                && volume.finalizers().contains(Driver.TOPOLVM.volumeFinalizer());
    }

    private static String nodeOf(KubeObject volume) {
        return volume.text("spec", "nodeName").orElse("");
    }
}
