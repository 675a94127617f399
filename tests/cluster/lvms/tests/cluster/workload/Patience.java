package lvms.tests.cluster.workload;

import lvms.k8s.client.ApiException;

import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Waits for a condition by looking at it again and again.
 *
 * @param deadline after which it gives up
 * @param diagnosis asked then for what a person wants to know
 */
public record Patience(Duration deadline, Supplier<String> diagnosis) {
    private static final Duration PAUSE = Duration.ofMillis(100);

    /** A condition that a test waits for. */
    @FunctionalInterface
    public interface Condition {
        /** Returns what is missing; empty if it holds. */
        String missing() throws Exception;
    }

    /** Waits until {@code condition} is true. An API error while waiting counts as not yet. */
    public void until(String what, Callable<Boolean> condition) throws Exception {
        untilNothingMissing(what, () -> condition.call() ? "" : "not yet");
    }

    /** Waits until nothing is missing. An API error while waiting counts as missing. */
    public void untilNothingMissing(String what, Condition condition) throws Exception {
        long end = System.nanoTime() + deadline.toNanos();
        var missing = missing(condition);
        while (!missing.isEmpty()) {
            if (System.nanoTime() > end) {
                throw new AssertionError(
                        "not within %d s: %s: %s%n%s"
                                .formatted(deadline.toSeconds(), what, missing, diagnosis.get()));
            }
            TimeUnit.NANOSECONDS.sleep(PAUSE.toNanos());
            missing = missing(condition);
        }
    }

    private static String missing(Condition condition) throws Exception {
        try {
            return condition.missing();
        } catch (ApiException | IOException | IllegalStateException e) {
            return e.toString(); // a server or a node that is away comes back
        }
    }
}
