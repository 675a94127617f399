package lvms.k8s.client;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.Collection;

/**
 * A JSON merge patch that fits only the object it was made for. The UID is a precondition: if
 * another object has taken the name since, the patch fails with {@link ApiException.Conflict}.
 *
 * <p>What it does not name stays as it is; lists are replaced whole. Immutable.
 */
public final class MergePatch {
    private final KubeObject object;
    private final KubeObject body;

    private MergePatch(KubeObject object, KubeObject body) {
        this.object = object;
        this.body = body;
    }

    /**
     * Returns a patch that changes nothing yet.
     *
     * @param object as the server gave it
     */
    public static MergePatch of(KubeObject object) {
        if (object.uid().isEmpty()) {
            throw new IllegalArgumentException(object + " does not come from the server");
        }
        var body = KubeObject.of(ObjectTree.EMPTY).with(object.uid(), "metadata", "uid");
        return new MergePatch(object, body);
    }

    /** Makes the patch fail too if anybody has changed the object since it was read. */
    public MergePatch ifUnchanged() {
        return set(object.resourceVersion(), "metadata", "resourceVersion");
    }

    public MergePatch annotation(String name, String value) {
        return set(value, "metadata", "annotations", name);
    }

    /** Removes an annotation. */
    public MergePatch withoutAnnotation(String name) {
        return without("metadata", "annotations", name);
    }

    public MergePatch label(String name, String value) {
        return set(value, "metadata", "labels", name);
    }

    /** Replaces the finalizers; without {@link #ifUnchanged}, those of others may be lost. */
    public MergePatch finalizers(Collection<String> names) {
        var list = ListTree.builder();
        names.forEach(list::add);
        return set(list.build(), "metadata", "finalizers");
    }

    /** Merges members into the status; null removes one. For {@code mergePatchStatus}. */
    public MergePatch status(ObjectTree status) {
        return set(status, "status");
    }

    /** Sets the member at the path. */
    public MergePatch set(String value, String... path) {
        return new MergePatch(object, body.with(value, path));
    }

    /** Sets the member at the path; an object value is merged into the present one. */
    public MergePatch set(Tree value, String... path) {
        return new MergePatch(object, body.with(value, path));
    }

    /** Removes the member at the path. */
    public MergePatch without(String... path) {
        return set(Tree.NULL, path);
    }

    /** Returns the object's namespace and name. */
    public ObjectKey key() {
        return object.key();
    }

    /** Returns the body of the request. */
    public ObjectTree json() {
        return body.json();
    }
}
