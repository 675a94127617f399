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

/** Removes the LVMVolumeGroupNodeStatus of a gone node, and everything that the node held. */
public final class GoneNodeStatusReconciler implements Reconciler {
    private final KubeClient kube;
    private final OperatorInformers informers;
    private final NodeFinalizers goneNodes;

    public GoneNodeStatusReconciler(KubeClient kube, OperatorInformers informers) {
        this.kube = kube;
        this.informers = informers;
        this.goneNodes = new NodeFinalizers(kube, informers);
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        if (informers.nodeStatuses().get(key).isEmpty() || !goneNodes.isGone(key.name())) {
            return Result.done();
        }
        // The status is deleted last: it leads here again if this pass is cut short.
        goneNodes.releaseVolumeGroups(key.name());
        kube.delete(LvmVolumeGroupNodeStatus.TYPE, key, DeleteOptions.any());
        var left = kube.find(LvmVolumeGroupNodeStatus.TYPE, key);
        if (left.isPresent()) {
            kube.removeFinalizer(
                    LvmVolumeGroupNodeStatus.TYPE, left.get(), Names.NODE_STATUS_FINALIZER);
        }
        return Result.done();
    }
}
