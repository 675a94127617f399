package lvms.k8s.serving;

import java.time.Duration;

/**
 * What clients may cost a listener, whoever they are.
 *
 * @param connections how many may be open; one too many ends the oldest
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
     * For scrapers and the API server, which keep connections. A body holds an object and its
     * predecessor, each at most what etcd takes (1.5 MiB).
     */
    public static final Limits CALLERS =
            new Limits(
                    32, Duration.ofSeconds(30), Duration.ofSeconds(90), 16 << 10, 3 << 20, 6 << 20);

    /** Returns the same with another time for requests. */
    public Limits withRequest(Duration time) {
        return new Limits(connections, time, idle, headBytes, bodyBytes, allBodiesBytes);
    }
}
