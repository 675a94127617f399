package lvms.k8s.serving;

/** Answers requests. */
@FunctionalInterface
public interface HttpHandler {
    /**
     * Answers one request; called on a virtual thread of its own, which is interrupted or loses its
     * connection when the time is over.
     */
    HttpAnswer answer(HttpRequest request) throws InterruptedException;
}
