package lvms.operator.node;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.OwnerReference;

import java.util.List;

/**
 * An LVMVolumeGroupNodeStatus that is being deleted, and whose cluster is gone: a cluster whose
 * finalizer was taken off by force, or a pass that did not know yet that its cluster had gone and
 * made the status again. Garbage collection deletes it, and no cluster is left that lets it go; as
 * long as it is there, neither has the next cluster a status of its own, nor can the operator be
 * uninstalled.
 *
 * @param kube reads clusters, and lets statuses go
 */
record AbandonedNodeStatus(KubeClient kube) {
    /** Lets a status go if it is one. */
    void release(KubeObject status) throws ApiException, InterruptedException {
        if (status.terminating()
                && status.finalizers().contains(Names.NODE_STATUS_FINALIZER)
                && !ownedByALivingCluster(status)) {
            kube.removeFinalizer(
                    LvmVolumeGroupNodeStatus.TYPE, status, Names.NODE_STATUS_FINALIZER);
        }
    }

    private boolean ownedByALivingCluster(KubeObject status)
            throws ApiException, InterruptedException {
        for (var owner : status.ownerReferences()) {
            if (owner.controller() && lives(owner, status.namespace())) {
                return true;
            }
        }
        return false;
    }

    private boolean lives(OwnerReference owner, String namespace)
            throws ApiException, InterruptedException {
        for (var type : List.of(LvmCluster.TYPE, TopolvmCluster.TYPE)) {
            if (type.kind().equals(owner.kind()) && kube.serves(type)) {
                var found = kube.find(type, ObjectKey.of(namespace, owner.name()));
                return found.filter(cluster -> cluster.uid().equals(owner.uid())).isPresent();
            }
        }
        return false;
    }
}
