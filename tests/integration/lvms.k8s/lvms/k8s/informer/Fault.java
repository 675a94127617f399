package lvms.k8s.informer;

import lvms.k8s.testkit.Faults;

import java.time.Duration;
import java.util.function.Supplier;

/**
 * Something that goes wrong until it is mended.
 *
 * @param hit the name under which the server counts it, see {@link Faults#hits}
 * @param begin what breaks
 * @param push what brings somebody to it, again and again until it met something
 * @param end what mends it
 */
record Fault(String hit, Action begin, Action push, Action end) {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final long POLL_MILLIS = 5;
    private static final long FIRST_PUSH_MILLIS = 200;

    /** A step that may fail. */
    interface Action {
        void run() throws Exception;
    }

    /** What is over as soon as it has happened. */
    static Fault once(String hit, Action happens) {
        return new Fault(hit, () -> {}, happens, () -> {});
    }

    /** What lasts until it is mended, and meets whoever watches. */
    static Fault lasting(String hit, Action begin, Action end) {
        return new Fault(hit, begin, () -> {}, end);
    }

    /**
     * Lets it happen and waits until it met something; one that meets nothing is a failure.
     *
     * @param state what a failure says besides
     */
    void happen(Faults server, Supplier<String> state) throws Exception {
        long before = hits(server);
        long deadline = System.nanoTime() + LIMIT.toNanos();
        long pause = FIRST_PUSH_MILLIS;
        long nextPush = System.nanoTime();
        begin.run();
        while (hits(server) == before) {
            long now = System.nanoTime();
            if (now - deadline > 0) {
                throw new AssertionError(
                        "%s met nothing in %s: %s".formatted(hit, LIMIT, state.get()));
            }
            if (now - nextPush >= 0) {
                push.run();
                nextPush = now + Duration.ofMillis(pause).toNanos();
                pause *= 2; // a push may break the very list after which it would meet something
            }
            Thread.sleep(POLL_MILLIS);
        }
    }

    void mend() throws Exception {
        end.run();
    }

    private long hits(Faults server) {
        return server.hits().getOrDefault(hit, 0L);
    }
}
