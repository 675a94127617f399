package lvms.k8s.client;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;

/**
 * A subresource of one object: {@code status}, {@code scale}, {@code eviction}, {@code token}, and
 * so on. Which verbs it has is up to its type. From {@link KubeClient#subresource}.
 */
public final class Subresource {
    private final Resource resource;

    Subresource(Resource resource) {
        this.resource = resource;
    }

    /** Reads it: the object itself, or what the subresource shows of it, such as a Scale. */
    public KubeObject get() throws ApiException, InterruptedException {
        return resource.get();
    }

    /**
     * Posts to it, such as an Eviction or a TokenRequest, and returns the answer. It is repeated
     * only if the server certainly did not act.
     */
    public KubeObject create(KubeObject body) throws ApiException, InterruptedException {
        return resource.post(body);
    }

    /** Replaces it; a resource version in the body is the precondition. */
    public KubeObject replace(KubeObject body) throws ApiException, InterruptedException {
        return resource.replace(body);
    }

    /** JSON merge patch of it. */
    public KubeObject mergePatch(ObjectTree patch) throws ApiException, InterruptedException {
        return resource.mergePatch(patch);
    }

    /** Patches it by steps, which apply all or not at all. */
    public KubeObject jsonPatch(JsonPatch patch) throws ApiException, InterruptedException {
        return resource.jsonPatch(patch);
    }

    /** Server-side apply with force to it, such as the status fields that are ours. */
    public KubeObject apply(KubeObject object) throws ApiException, InterruptedException {
        return resource.at(object.key()).apply(object, true);
    }
}
