package lvms.k8s.client;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.Objects;
import java.util.OptionalLong;

/**
 * How an object is deleted.
 *
 * @param uid delete only the object with this UID; empty for whichever object has the name
 * @param resourceVersion delete only this version; empty for any
 * @param propagation what happens to dependents
 * @param gracePeriodSeconds how long a pod may take to end, in seconds; empty to use its spec
 */
public record DeleteOptions(
        String uid,
        String resourceVersion,
        Propagation propagation,
        OptionalLong gracePeriodSeconds) {
    /** What happens to dependents. */
    public enum Propagation {
        /** The garbage collector removes them afterwards. */
        BACKGROUND("Background"),
        /** The owner waits until they are gone. */
        FOREGROUND("Foreground"),
        /** They stay, without their owner reference. */
        ORPHAN("Orphan");

        private final String text;

        Propagation(String text) {
            this.text = text;
        }
    }

    /** Checks that nothing is missing. */
    public DeleteOptions {
        Objects.requireNonNull(uid, "uid");
        Objects.requireNonNull(resourceVersion, "resourceVersion");
        Objects.requireNonNull(propagation, "propagation");
        Objects.requireNonNull(gracePeriodSeconds, "gracePeriodSeconds");
    }

    /** Returns options that delete only the object with this UID. */
    public static DeleteOptions uid(String uid) {
        return new DeleteOptions(uid, "", Propagation.BACKGROUND, OptionalLong.empty());
    }

    /** Returns options that delete whatever has the name. */
    public static DeleteOptions any() {
        return uid("");
    }

    /** Returns options that also demand this resource version. */
    public DeleteOptions resourceVersion(String resourceVersion) {
        return new DeleteOptions(uid, resourceVersion, propagation, gracePeriodSeconds);
    }

    /** Returns options that treat dependents in another way. */
    public DeleteOptions propagation(Propagation propagation) {
        return new DeleteOptions(uid, resourceVersion, propagation, gracePeriodSeconds);
    }

    /** Returns options with a grace period; 0 removes a pod's object at once. */
    public DeleteOptions gracePeriodSeconds(long seconds) {
        return new DeleteOptions(uid, resourceVersion, propagation, OptionalLong.of(seconds));
    }

    /**
     * Returns the body of a request.
     *
     * @param dryRun whether the server is only to check it
     */
    ObjectTree json(boolean dryRun) {
        var preconditions = ObjectTree.builder();
        if (!uid.isEmpty()) {
            preconditions.put("uid", uid);
        }
        if (!resourceVersion.isEmpty()) {
            preconditions.put("resourceVersion", resourceVersion);
        }
        var tree = ObjectTree.builder();
        tree.put("kind", "DeleteOptions");
        tree.put("apiVersion", "v1");
        tree.put("propagationPolicy", propagation.text);
        gracePeriodSeconds.ifPresent(s -> tree.put("gracePeriodSeconds", s));
        if (!preconditions.isEmpty()) {
            tree.put("preconditions", preconditions.build());
        }
        if (dryRun) {
            tree.put("dryRun", ListTree.of(Tree.of("All")));
        }
        return tree.build();
    }
}
