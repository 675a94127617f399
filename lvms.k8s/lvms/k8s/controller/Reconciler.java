package lvms.k8s.controller;

/**
 * Brings the world nearer to what one key asks for.
 *
 * @param <K> the keys, of objects unless the controller was built with others
 */
@FunctionalInterface
public interface Reconciler<K> {
    /**
     * Runs one pass. It reads the present state itself. It may run at any time, or twice, but never
     * twice at once for a key.
     *
     * @throws Exception if the pass failed and must be repeated with back-off
     */
    Result reconcile(K key) throws Exception;
}
