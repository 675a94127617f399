package lvms.operator.capacity;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.OwnerReference;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import java.util.Optional;

/** Finds the Deployment that this process belongs to. */
final class OwnerWalk {
    private static final ResourceType REPLICA_SET =
            new ResourceType("apps", "v1", "ReplicaSet", "replicasets", true);

    private OwnerWalk() {}

    /**
     * Returns the owner of the pod's ReplicaSet, or the pod's own owner if that is of another kind.
     */
    static Optional<OwnerReference> deploymentOf(KubeClient kube, ObjectKey pod)
            throws ApiException, InterruptedException {
        var owner = kube.find(Types.POD, pod).flatMap(OwnerWalk::controller);
        if (owner.isEmpty() || !owner.get().kind().equals(REPLICA_SET.kind())) {
            return owner;
        }
        return kube.find(REPLICA_SET, ObjectKey.of(pod.namespace(), owner.get().name()))
                .flatMap(OwnerWalk::controller);
    }

    private static Optional<OwnerReference> controller(KubeObject object) {
        return object.ownerReferences().stream().filter(OwnerReference::controller).findFirst();
    }
}
