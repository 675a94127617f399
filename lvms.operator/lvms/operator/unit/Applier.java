package lvms.operator.unit;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.Deletion;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Subset;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Applies objects, but only if that changes something. Any thread may use it.
 *
 * <p>It remembers what it applied last, since the object does not show which of its fields we no
 * longer ask for. So after a start each object is applied once; the server does not write what is
 * equal.
 */
public final class Applier {
    private final KubeClient kube;
    // Has one entry for each object of the clusters, so their specs bound it.
    private final Map<Id, KubeObject> applied = new ConcurrentHashMap<>();

    private record Id(ResourceType type, ObjectKey key) {}

    /** Creates an applier that writes through the client. */
    public Applier(KubeClient kube) {
        this.kube = kube;
    }

    /** Applies to an object that the informer follows. */
    public void apply(KubeObject wanted, Informer informer)
            throws ApiException, InterruptedException {
        var written = apply(informer.type(), wanted, read(wanted.key(), informer));
        written.ifPresent(informer::observed);
    }

    /** Reads an object from the cache, or from the server as long as the cache is not filled. */
    Optional<KubeObject> read(ObjectKey key, Informer informer)
            throws ApiException, InterruptedException {
        return informer.synced() ? informer.get(key) : kube.find(informer.type(), key);
    }

    /**
     * Applies to an object of which a predecessor wrote some fields.
     *
     * @param fields those that nobody else writes under its name
     */
    void takeOver(KubeObject wanted, Informer informer, FieldTakeover fields)
            throws ApiException, InterruptedException {
        if (!applied.containsKey(new Id(informer.type(), wanted.key()))) {
            var patch = kube.find(informer.type(), wanted.key()).flatMap(fields::patch);
            if (patch.isPresent()) {
                kube.jsonPatch(informer.type(), wanted.key(), patch.get());
            }
        }
        apply(wanted, informer);
    }

    /** Applies to an object that was just read. */
    Optional<KubeObject> apply(ResourceType type, KubeObject wanted, Optional<KubeObject> present)
            throws ApiException, InterruptedException {
        var id = new Id(type, wanted.key());
        boolean unchanged =
                wanted.equals(applied.get(id))
                        && present.filter(p -> Subset.holds(wanted.json(), p.json())).isPresent();
        if (unchanged) {
            return Optional.empty();
        }
        var written = kube.apply(type, wanted);
        applied.put(id, wanted);
        return Optional.of(written);
    }

    /** Deletes exactly this object, not one that has taken its name since. */
    public Deletion delete(ResourceType type, KubeObject present)
            throws ApiException, InterruptedException {
        applied.remove(new Id(type, present.key()));
        if (present.terminating()) {
            return kube.find(type, present.key())
                            .filter(now -> now.uid().equals(present.uid()))
                            .isPresent()
                    ? Deletion.IN_PROGRESS
                    : Deletion.GONE;
        }
        return kube.delete(type, present.key(), DeleteOptions.uid(present.uid()));
    }
}
