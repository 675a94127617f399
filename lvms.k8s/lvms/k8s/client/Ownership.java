package lvms.k8s.client;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Subset;

import java.util.Optional;

/** Reads the outcome of a write from the object that the server returned. */
final class Ownership {
    private Ownership() {}

    /**
     * Returns whether our create can have made {@code found}: it has every field that we sent, is
     * not going away, and the server has not noted that somebody else made it.
     *
     * @param manager the field manager that our create had
     */
    static boolean looksLike(KubeObject found, KubeObject sent, String manager) {
        return Subset.holds(sent.json(), found.json())
                && (!found.terminating() || sent.terminating())
                && mayBeOf(manager, found);
    }

    /** The server notes each writer; servers and webhooks may leave the notes out. */
    private static boolean mayBeOf(String manager, KubeObject found) {
        var entries = found.objects("metadata", "managedFields");
        return entries.isEmpty()
                || entries.stream()
                        .anyMatch(entry -> entry.text("manager").equals(Optional.of(manager)));
    }

    /**
     * Reads the body of a successful delete: a Status, or the object. What keeps an object are its
     * finalizers, a pod's grace period, and the finalizers that a Namespace has in its spec.
     */
    static Deletion deletionShownBy(KubeObject body) {
        boolean status = body.kind().equals("Status") && body.apiVersion().equals("v1");
        boolean namespace = body.kind().equals("Namespace") && body.apiVersion().equals("v1");
        boolean waits =
                !body.finalizers().isEmpty()
                        || namespace && !body.list("spec", "finalizers").isEmpty()
                        || body.number("metadata", "deletionGracePeriodSeconds").orElse(0) > 0;
        return !status && body.terminating() && waits ? Deletion.IN_PROGRESS : Deletion.GONE;
    }
}
