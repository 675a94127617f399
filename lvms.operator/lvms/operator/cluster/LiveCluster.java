package lvms.operator.cluster;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;

import java.util.Optional;

/**
 * A cluster as the server has it. A cache may show one that has gone, and caches of two types may
 * be of different moments: who goes must leave things only to somebody who stays, and only once.
 */
public final class LiveCluster {
    private LiveCluster() {}

    /**
     * Returns the object as it is now; empty if it has gone or its finalizer was removed.
     *
     * @param known what a cache has; nothing is asked if that is empty
     */
    public static Optional<KubeObject> find(
            KubeClient kube, ResourceType type, Optional<KubeObject> known, String finalizer)
            throws ApiException, InterruptedException {
        if (known.isEmpty()) {
            return known;
        }
        return kube.find(type, known.get().key())
                .filter(now -> now.uid().equals(known.get().uid()))
                .filter(now -> now.finalizers().contains(finalizer));
    }
}
