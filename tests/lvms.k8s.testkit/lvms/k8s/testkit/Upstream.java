package lvms.k8s.testkit;

import java.net.URI;

/** Another API server, which answers in place of the one in memory. */
public interface Upstream {
    /** Its address. */
    URI url();

    /** The certificate of its authority. */
    String caPem();

    /** A bearer token of a user in {@code system:masters}. */
    String token();

    /** Removes every object that a new server does not have. */
    void empty();

    /** Drops the history of all objects up to now and returns the current revision. */
    long compact();
}
