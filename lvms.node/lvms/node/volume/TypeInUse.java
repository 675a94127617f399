package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

/**
 * Whether LogicalVolumes are deleted one by one. Deleting their CustomResourceDefinition deletes
 * all of them at once; nobody who does that says that the data may go.
 *
 * @param kube asks the server, since a cache would be late by just the moment that counts
 */
record TypeInUse(KubeClient kube) {
    private static final ObjectKey DEFINITION =
            ObjectKey.cluster(LogicalVolume.TYPE.qualifiedPlural());

    boolean holds() throws ApiException, InterruptedException {
        return kube.find(Types.CRD, DEFINITION).filter(crd -> !crd.terminating()).isPresent();
    }
}
