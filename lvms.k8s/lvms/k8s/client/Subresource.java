package lvms.k8s.client;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.tree.ObjectTree;

/**
 * A subresource of one object: {@code status}, {@code scale}, {@code eviction}, {@code token}, and
 * so on. Which verbs it has is up to its type. From {@link KubeClient#subresource}.
 */
public final class Subresource {
    private final KubeClient client;
    private final ResourceType type;
    private final ObjectKey key;
    private final String name;

    Subresource(KubeClient client, ResourceType type, ObjectKey key, String name) {
        this.client = client;
        this.type = type;
        this.key = key;
        this.name = name;
    }

    /** Reads it: the object itself, or what the subresource shows of it, such as a Scale. */
    public KubeObject get() throws ApiException, InterruptedException {
        return client.get(type, key, name);
    }

    /**
     * Posts to it, such as an Eviction or a TokenRequest, and returns the answer. It is repeated
     * only if the server certainly did not act.
     */
    public KubeObject create(KubeObject body) throws ApiException, InterruptedException {
        return client.post(type, key, name, body);
    }

    /** Replaces it; a resource version in the body is the precondition. */
    public KubeObject replace(KubeObject body) throws ApiException, InterruptedException {
        return client.replace(type, body, key, name);
    }

    /** JSON merge patch of it. */
    public KubeObject mergePatch(ObjectTree patch) throws ApiException, InterruptedException {
        return client.mergePatch(type, key, name, patch);
    }

    /** Patches it by steps, which apply all or not at all. */
    public KubeObject jsonPatch(JsonPatch patch) throws ApiException, InterruptedException {
        return client.jsonPatch(type, key, name, patch);
    }

    /** Server-side apply with force to it, such as the status fields that are ours. */
    public KubeObject apply(KubeObject object) throws ApiException, InterruptedException {
        return client.apply(type, object, name, true);
    }
}
