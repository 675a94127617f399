package lvms.k8s.client;

import lvms.k8s.object.KubeObject;

/** Reads the outcome of a write from the object that the server returned. */
final class Ownership {
    private Ownership() {}

    /**
     * Returns whether our create can have made {@code found}: it has the labels, annotations and
     * owners that we sent.
     */
    static boolean looksLike(KubeObject found, KubeObject sent) {
        return found.labels().entrySet().containsAll(sent.labels().entrySet())
                && found.annotations().entrySet().containsAll(sent.annotations().entrySet())
                && found.ownerReferences().containsAll(sent.ownerReferences())
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
