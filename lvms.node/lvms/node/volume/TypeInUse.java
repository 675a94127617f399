package lvms.node.volume;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

/**
 * Says whether the type LogicalVolume is in use. Deleting its CustomResourceDefinition deletes all
 * objects at once, but that does not mean that their data may be deleted.
 *
 * @param kube asked directly, since a cache may be out of date at the moment that counts
 */
record TypeInUse(KubeClient kube) {
    boolean holds(ResourceType type) throws ApiException, InterruptedException {
        return kube.find(Types.CRD, ObjectKey.cluster(type.qualifiedPlural()))
                .filter(crd -> !crd.terminating())
                .isPresent();
    }
}
