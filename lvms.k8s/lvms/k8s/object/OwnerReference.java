package lvms.k8s.object;

import com.google.gson.JsonObject;

/**
 * A reference from a dependent object to its owner.
 *
 * @param apiVersion group and version of the owner
 * @param kind kind of the owner
 * @param name name of the owner
 * @param uid UID of the owner, which is what the garbage collector matches
 * @param controller whether the owner is the managing controller
 * @param blockOwnerDeletion whether foreground deletion of the owner waits for the dependent
 */
public record OwnerReference(
        String apiVersion,
        String kind,
        String name,
        String uid,
        boolean controller,
        boolean blockOwnerDeletion) {
    /** Returns a controller reference to {@code owner} that blocks its foreground deletion. */
    public static OwnerReference controllerOf(KubeObject owner) {
        return new OwnerReference(
                owner.apiVersion(), owner.kind(), owner.name(), owner.uid(), true, true);
    }

    /** Reads one element of {@code metadata.ownerReferences}; absent fields become empty. */
    public static OwnerReference of(JsonObject tree) {
        return new OwnerReference(
                Json.text(tree.get("apiVersion")).orElse(""),
                Json.text(tree.get("kind")).orElse(""),
                Json.text(tree.get("name")).orElse(""),
                Json.text(tree.get("uid")).orElse(""),
                Json.flag(tree.get("controller")).orElse(false),
                Json.flag(tree.get("blockOwnerDeletion")).orElse(false));
    }

    /** Returns the wire form; flags that are false are left out. */
    public JsonObject json() {
        var tree = new JsonObject();
        tree.addProperty("apiVersion", apiVersion);
        tree.addProperty("kind", kind);
        tree.addProperty("name", name);
        tree.addProperty("uid", uid);
        if (controller) {
            tree.addProperty("controller", true);
        }
        if (blockOwnerDeletion) {
            tree.addProperty("blockOwnerDeletion", true);
        }
        return tree;
    }

    /** Returns the API group of the owner, empty for the core group. */
    public String group() {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
}
