package lvms.k8s.serving;

import java.time.Duration;

/**
 * What clients may cost a listener, whoever they are.
 *
 * @param connections how many may be open; one too many ends one that is not being answered
 * @param request how long a request may take, from the handshake or its first byte to its answer
 * @param idle how long a connection may wait for its next request; zero if each has only one
 * @param headBytes size of a request without its body
 * @param bodyBytes size of a body
 * @param allBodiesBytes size of all bodies that are being read or answered; more of them wait
 */
public record Limits(
        int connections,
        Duration request,
        Duration idle,
        int headBytes,
        int bodyBytes,
        int allBodiesBytes) {
    /** For one small GET on each connection. */
    public static final Limits PROBES =
            new Limits(32, Duration.ofSeconds(10), Duration.ZERO, 8 << 10, 0, 0);

    /**
     * For those who read pages and keep connections, such as scrapers. A body holds an object and
     * its predecessor, each at most what etcd takes (1.5 MiB).
     */
    public static final Limits CALLERS =
            new Limits(
                    32, Duration.ofSeconds(30), Duration.ofSeconds(90), 16 << 10, 3 << 20, 6 << 20);

    /**
     * For the API server, which opens as many connections as it has objects to judge at once: its
     * own limit for changes is 200. It takes objects of 3 MiB, and sends two of them.
     */
    public static final Limits REVIEWS =
            new Limits(
                    256, CALLERS.request(), CALLERS.idle(), CALLERS.headBytes(), 7 << 20, 7 << 20);

    /** Returns the same with another time for requests. */
    public Limits withRequest(Duration time) {
        return new Limits(connections, time, idle, headBytes, bodyBytes, allBodiesBytes);
    }
}
