package lvms.k8s.testkit;

import lvms.k8s.testkit.http.Exchange;
import lvms.k8s.testkit.http.HttpRequest;

import java.io.IOException;

/** Who answers the requests that a server takes. Safe for any thread. */
interface Backend extends AutoCloseable {
    /** Answers one request. */
    void handle(HttpRequest request, Exchange exchange) throws IOException;

    /** Lets open watches look at what tests asked for. */
    void wakeWatches();

    /** Expires every resource version and continue token so far. */
    void compact();

    /** Moves the resource version on. */
    void advance(long distance);

    /** A new and empty cluster in place of this one, which is closed. */
    Backend emptied();

    /** The same objects, with another count of resource versions; this one is closed. */
    Backend restoredAt(long revision);

    @Override
    void close();
}
