package lvms.k8s.controller;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.Equivalence;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;

/**
 * Writes the status of objects, and sends nothing if an object says it already. The next read of
 * the informer shows what was written.
 *
 * @param objects follows the objects; must not trim the status
 * @param equivalence which fields of the status are quantities or times
 */
public record StatusWriter(Informer objects, Equivalence equivalence) {
    /** Returns a writer that compares all values as they are. */
    public static StatusWriter of(Informer objects) {
        return new StatusWriter(objects, Equivalence.EXACT);
    }

    /**
     * Makes the object's status what is given, with a merge patch of what differs.
     *
     * @param object as the informer showed it to the pass
     * @param status the whole status
     * @return the object with that status
     * @throws ApiException.Conflict if another object has its name now: requeue
     */
    public KubeObject write(KubeObject object, ObjectTree status)
            throws ApiException, InterruptedException {
        var present = object.object("status").orElse(ObjectTree.EMPTY);
        var patch = equivalence.mergePatch(present, status);
        return patch.isEmpty() ? object : objects.patchStatus(MergePatch.of(object).status(patch));
    }
}
