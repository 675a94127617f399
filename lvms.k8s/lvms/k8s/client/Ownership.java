package lvms.k8s.client;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Subset;

/** Reads the outcome of a write from the object that the server returned. */
final class Ownership {
    private Ownership() {}

    /**
     * Returns whether our create can have made {@code found}: it has every field that we sent, and
     * is not going away.
     */
    static boolean looksLike(KubeObject found, KubeObject sent) {
        return Subset.holds(sent.json(), found.json())
                && (!found.terminating() || sent.terminating());
    }

    /** Reads the body of a successful delete: a Status, or the object. */
    static Deletion deletionShownBy(KubeObject body) {
        boolean status = body.kind().equals("Status") && body.apiVersion().equals("v1");
        boolean waits =
                !body.finalizers().isEmpty()
                        || body.number("metadata", "deletionGracePeriodSeconds").orElse(0) > 0;
        return !status && body.terminating() && waits ? Deletion.IN_PROGRESS : Deletion.GONE;
    }
}
