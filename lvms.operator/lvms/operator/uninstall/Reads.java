package lvms.operator.uninstall;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import java.util.List;
import java.util.Optional;

/**
 * Reads from a server whose custom types may be gone: that type has no objects then. A path that
 * the server does not know is no proof of it; the definition's absence is.
 *
 * @param kube asks the server; nothing is cached
 */
public record Reads(KubeClient kube) {
    public Optional<KubeObject> find(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        try {
            return kube.find(type, key);
        } catch (ApiException.Misdirected e) {
            return orThrow(type, Optional.empty(), e);
        }
    }

    /** Returns one object as a list, which is empty if it does not exist. */
    public List<Item> named(ResourceType type, ObjectKey key)
            throws ApiException, InterruptedException {
        return find(type, key).map(object -> new Item(type, object)).stream().toList();
    }

    public List<Item> list(ResourceType type, ListOptions options)
            throws ApiException, InterruptedException {
        try {
            return Item.of(type, kube.list(type, options).items());
        } catch (ApiException.Misdirected e) {
            return orThrow(type, List.of(), e);
        }
    }

    public List<Item> list(ResourceType type) throws ApiException, InterruptedException {
        return list(type, ListOptions.all());
    }

    private <T> T orThrow(ResourceType type, T nothing, ApiException failure)
            throws ApiException, InterruptedException {
        if (kube.find(Types.CRD, ObjectKey.cluster(type.qualifiedPlural())).isPresent()) {
            throw failure;
        }
        return nothing;
    }
}
