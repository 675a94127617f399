package lvms.k8s.informer;

import java.time.Duration;

/**
 * A time in which a collection is not followed.
 *
 * @param problem why, as of the last try
 * @param sinceNanos when it began, of {@link System#nanoTime}
 * @param told whether the log has a line about it that people see
 */
record Outage(String problem, long sinceNanos, boolean told) {
    /** Returns how long it has lasted. */
    Duration lasted(long nowNanos) {
        return Duration.ofNanos(nowNanos - sinceNanos);
    }

    /** Returns it after another try that failed. */
    Outage goesOn(String problem) {
        return new Outage(problem, sinceNanos, told);
    }

    Outage asTold() {
        return new Outage(problem, sinceNanos, true);
    }

    /** Returns whether it has lasted so long that people have to hear of it, and have not yet. */
    boolean due(Duration limit, long nowNanos) {
        return !told && lasted(nowNanos).compareTo(limit) >= 0;
    }
}
