package lvms.tests.server;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for a state for which the test's server is asked again and again. */
public final class Looks {
    private static final Duration PAUSE = Duration.ofMillis(5);

    /** A real server takes milliseconds of a processor for each look. */
    private static final Duration REAL_PAUSE = Duration.ofMillis(25);

    private Looks() {}

    /** Returns when the state is reached, and fails if that takes too long. */
    public static void until(String state, Duration patience, Callable<Boolean> reached)
            throws Exception {
        until(() -> state, patience, reached);
    }

    /** The same; what a failure tells is read when it fails. */
    public static void until(Callable<String> state, Duration patience, Callable<Boolean> reached)
            throws Exception {
        long end = System.nanoTime() + patience.toNanos();
        while (!reached.call()) {
            if (System.nanoTime() - end > 0) {
                throw new AssertionError("not within " + patience + ": " + state.call());
            }
            pause();
        }
    }

    /** What is to be between two looks. */
    public static void pause() {
        LockSupport.parkNanos((Servers.ours() ? PAUSE : REAL_PAUSE).toNanos());
    }
}
