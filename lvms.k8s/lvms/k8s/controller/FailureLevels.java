package lvms.k8s.controller;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;

import java.lang.System.Logger.Level;
import java.time.Duration;

/**
 * How loud a failed pass is. What concerns one object is always worth a line; what befalls all of
 * them alike would fill the log. Any thread may call.
 */
final class FailureLevels {
    private static final Duration QUIET = Duration.ofMinutes(1);

    private boolean refusedBefore;
    private long refusedNanos;

    /** Returns the level for a failure that is no bug. */
    Level of(Throwable failure, long nowNanos) {
        return switch (failure) {
            case ApiException.Conflict _ -> DEBUG; // the cache lagged, no more
            case ApiException.Unreachable _ -> DEBUG; // the client has told it
            case ApiException.Forbidden _ -> refused(nowNanos);
            case ApiException.Unauthorized _ -> refused(nowNanos);
            default -> WARNING;
        };
    }

    /** A right that is missing fails every object of a controller. */
    private synchronized Level refused(long nowNanos) {
        if (refusedBefore && nowNanos - refusedNanos < QUIET.toNanos()) {
            return DEBUG;
        }
        refusedBefore = true;
        refusedNanos = nowNanos;
        return WARNING;
    }
}
