package lvms.k8s.controller;

import lvms.k8s.object.ObjectKey;

/** Brings the world nearer to what one object asks for. */
@FunctionalInterface
public interface Reconciler {
    /**
     * Runs one pass. It reads the present state itself. It may run at any time, or twice, but never
     * twice at once for a key.
     *
     * @throws Exception if the pass failed and must be repeated with back-off
     */
    Result reconcile(ObjectKey key) throws Exception;
}
