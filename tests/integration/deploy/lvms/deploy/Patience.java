package lvms.deploy;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;

/** Waits for what servers and controllers do in their own time. */
public final class Patience {
    private static final Duration LIMIT = Duration.ofSeconds(120);

    private Patience() {}

    /** Looks until it holds; fails with the last exception, if looking failed. */
    public static void until(String state, Callable<Boolean> holds) throws Exception {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (true) {
            var failure = new AssertionError("not within " + LIMIT + ": " + state);
            try {
                if (holds.call()) {
                    return;
                }
            } catch (Exception e) {
                failure.addSuppressed(e);
            }
            if (System.nanoTime() > end) {
                throw failure;
            }
            TimeUnit.MILLISECONDS.sleep(100);
        }
    }
}
