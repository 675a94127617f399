package lvms.k8s.client;

import lvms.k8s.metrics.MetricsRegistry;

import java.time.Duration;
import java.util.Locale;

/**
 * How a client behaves; {@link KubeClient#open(lvms.k8s.config.KubeConfig, ClientOptions)} takes
 * it.
 *
 * @param userAgent value of the header; its part before the first slash is the field manager of
 *     writes that have none
 * @param attemptDeadline of one request with its answer; of a list's answer, how long it may stop
 * @param callDeadline of a call with all repeats and requests that it consists of; a list, in many
 *     pages or at once, has ten times as long
 * @param requestsPerSecond how many requests are sent in the long run; watches do not count
 * @param burst how many are sent at once after a pause
 * @param metrics where requests are counted
 */
public record ClientOptions(
        String userAgent,
        Duration attemptDeadline,
        Duration callDeadline,
        double requestsPerSecond,
        int burst,
        MetricsRegistry metrics) {
    private static final Duration ATTEMPT = Duration.ofSeconds(30);
    private static final Duration CALL = Duration.ofSeconds(60);

    /** Fuses against runaway callers; the server's own fairness decides before they blow. */
    private static final double PER_SECOND = 300;

    private static final int BURST = 1000;

    /**
     * Checks that each value makes sense.
     *
     * @throws IllegalArgumentException if the user agent cannot stand in a header, or a limit is
     *     not positive
     */
    public ClientOptions {
        if (userAgent.isBlank() || userAgent.chars().anyMatch(c -> c < ' ' || c > '~')) {
            throw new IllegalArgumentException(
                    "not a user agent: it is empty or has other letters");
        }
        if (!attemptDeadline.isPositive() || !callDeadline.isPositive()) {
            throw new IllegalArgumentException("a deadline has to be positive");
        }
        if (!(requestsPerSecond > 0) || burst < 1) {
            throw new IllegalArgumentException("a limit of requests has to be positive");
        }
    }

    /**
     * Returns options with the usual deadlines and limits.
     *
     * @param userAgent such as {@code my-tool/1.0}; this machine's system is appended unless there
     *     is a comment in parentheses
     */
    public static ClientOptions of(String userAgent) {
        boolean whole = userAgent.isBlank() || userAgent.indexOf('(') >= 0;
        var full = whole ? userAgent : userAgent + " (" + system() + ")";
        return exactly(full, new MetricsRegistry());
    }

    /** Returns options with this very user agent. */
    static ClientOptions exactly(String userAgent, MetricsRegistry metrics) {
        return new ClientOptions(userAgent, ATTEMPT, CALL, PER_SECOND, BURST, metrics);
    }

    /** Go's words, as in the user agents of other clients. */
    private static String system() {
        var system = System.getProperty("os.name", "unknown").toLowerCase(Locale.ROOT);
        var architecture =
                switch (System.getProperty("os.arch", "unknown")) {
                    case "x86_64" -> "amd64";
                    case "aarch64" -> "arm64";
                    case String other -> other;
                };
        return system.replace("mac os x", "darwin") + "/" + architecture;
    }

    /** Returns options with another deadline for each request. */
    public ClientOptions attemptDeadline(Duration deadline) {
        return new ClientOptions(
                userAgent, deadline, callDeadline, requestsPerSecond, burst, metrics);
    }

    /** Returns options with another deadline for each call. */
    public ClientOptions callDeadline(Duration deadline) {
        return new ClientOptions(
                userAgent, attemptDeadline, deadline, requestsPerSecond, burst, metrics);
    }

    /** Returns options with another limit of requests. */
    public ClientOptions rateLimit(double perSecond, int atOnce) {
        return new ClientOptions(
                userAgent, attemptDeadline, callDeadline, perSecond, atOnce, metrics);
    }

    /** Returns options that count requests elsewhere. */
    public ClientOptions metrics(MetricsRegistry registry) {
        return new ClientOptions(
                userAgent, attemptDeadline, callDeadline, requestsPerSecond, burst, registry);
    }

    ClientOptions userAgent(String other) {
        return new ClientOptions(
                other, attemptDeadline, callDeadline, requestsPerSecond, burst, metrics);
    }
}
