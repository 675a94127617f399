package lvms.k8s.testkit;

import lvms.k8s.testkit.http.Exchange;
import lvms.k8s.testkit.http.HttpRequest;

import java.io.IOException;

/** Answers the requests that a server receives. Safe for any thread. */
interface Backend extends AutoCloseable {
    /** Answers one request. */
    void handle(HttpRequest request, Exchange exchange) throws IOException;

    /** Makes open watches check what tests asked for. */
    void wakeWatches();

    /** Expires every resource version and continue token so far. */
    void compact();

    /** Moves the resource version on. */
    void advance(long distance);

    /** A new, empty cluster that replaces this one, which is closed. */
    Backend emptied();

    /** The same objects, with another counter of resource versions; this one is closed. */
    Backend restoredAt(long revision);

    /** The objects of now, for {@link #restored}. */
    Backup backup();

    /** The objects of a backup and its counter; this one is closed. */
    Backend restored(Backup backup);

    @Override
    void close();
}
