package lvms.operator.node;

import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.ObjectKey;
import lvms.operator.informer.OperatorInformers;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Removes the LVMVolumeGroupNodeStatus of a gone node, and everything that the node held, and lets
 * a status go whose cluster is gone. The note that a node's disks were wiped stays for a while: a
 * kubelet that restarts makes its Node again, on the same disks.
 */
public final class GoneNodeStatusReconciler implements Reconciler<ObjectKey> {
    /** How long a Node has to be away before a new one of its name may wipe its disks again. */
    public static final Duration GRACE = Duration.ofMinutes(10);

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final NodeFinalizers goneNodes;
    private final AbandonedNodeStatus abandoned;
    private final InstantSource clock;
    private final Map<String, Instant> goneSince = new ConcurrentHashMap<>();

    public GoneNodeStatusReconciler(
            KubeClient kube, OperatorInformers informers, InstantSource clock) {
        this.kube = kube;
        this.informers = informers;
        this.goneNodes = new NodeFinalizers(kube, informers);
        this.abandoned = new AbandonedNodeStatus(kube);
        this.clock = clock;
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var node = key.name();
        var status = informers.nodeStatuses().get(key);
        if (!goneNodes.isGone(node)) {
            goneSince.remove(node);
            if (status.isPresent()) {
                abandoned.release(status.get());
            }
            return Result.done();
        }
        if (status.isPresent()) {
            release(key);
        }
        return goneNodes.noted(node) ? forget(node) : Result.done();
    }

    private void release(ObjectKey key) throws ApiException, InterruptedException {
        // The status is deleted last: it leads here again if this pass is cut short.
        goneNodes.releaseVolumeGroups(key.name());
        kube.delete(LvmVolumeGroupNodeStatus.TYPE, key, DeleteOptions.any());
        var left = kube.find(LvmVolumeGroupNodeStatus.TYPE, key);
        if (left.isPresent()) {
            kube.removeFinalizer(
                    LvmVolumeGroupNodeStatus.TYPE, left.get(), Names.NODE_STATUS_FINALIZER);
        }
    }

    private Result forget(String node) throws ApiException, InterruptedException {
        var now = clock.instant();
        var left = Duration.between(now, goneSince.computeIfAbsent(node, _ -> now).plus(GRACE));
        if (left.isPositive()) {
            return Result.requeueAfter(left);
        }
        goneNodes.forget(node);
        goneSince.remove(node);
        return Result.done();
    }
}
