package lvms.k8s.object;

import lvms.k8s.tree.ObjectTree;

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
    public static OwnerReference of(ObjectTree tree) {
        return new OwnerReference(
                tree.text("apiVersion").orElse(""),
                tree.text("kind").orElse(""),
                tree.text("name").orElse(""),
                tree.text("uid").orElse(""),
                tree.flag("controller").orElse(false),
                tree.flag("blockOwnerDeletion").orElse(false));
    }

    /** Returns the wire form; flags that are false are left out. */
    public ObjectTree json() {
        var tree = ObjectTree.builder();
        tree.put("apiVersion", apiVersion);
        tree.put("kind", kind);
        tree.put("name", name);
        tree.put("uid", uid);
        if (controller) {
            tree.put("controller", true);
        }
        if (blockOwnerDeletion) {
            tree.put("blockOwnerDeletion", true);
        }
        return tree.build();
    }

    /** Returns the API group of the owner, empty for the core group. */
    public String group() {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }
}
