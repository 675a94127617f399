package lvms.operator.cluster;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;

import java.util.Optional;

/**
 * Clusters as the server has them. Caches of two types may be of different moments: a cluster that
 * goes must not leave things to another one that has gone, or that would leave them to it.
 */
public final class Finalizers {
    private Finalizers() {}

    /**
     * Returns the object as it is now; empty if it has gone or its finalizer was removed.
     *
     * @param known the object of a cache; if that has no finalizer nothing is asked
     */
    public static Optional<KubeObject> held(
            KubeClient kube, ResourceType type, KubeObject known, String finalizer)
            throws ApiException, InterruptedException {
        if (!known.finalizers().contains(finalizer)) {
            return Optional.empty();
        }
        return kube.find(type, known.key())
                .filter(now -> now.uid().equals(known.uid()))
                .filter(now -> now.finalizers().contains(finalizer));
    }
}
