package lvms.k8s.controller;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;

import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/**
 * The log level of a failed pass. A failure of one object is logged when it is new, since its
 * retries would fill the log. So would a failure that hits all objects alike. Any thread may call.
 */
final class FailureLevels {
    private static final Duration QUIET = Duration.ofMinutes(1);

    /** A lasting failure is logged again, since logs lose their beginning. */
    private static final Duration REMINDER = Duration.ofHours(1);

    /** What was logged about each key whose last pass failed. */
    private final Map<Object, Told> told = new HashMap<>();

    private boolean refusedBefore;
    private long refusedNanos;

    private record Told(String failure, long nanos) {}

    /** Returns the level for a failure that is not a bug. */
    synchronized Level of(Object key, Throwable failure, long nowNanos) {
        return switch (failure) {
            case ApiException.Conflict _ -> DEBUG; // only the cache lagged
            case ApiException.Fenced _ -> DEBUG; // so has the elector
            case ApiException.Unreachable _ -> DEBUG; // the client has logged it
            case ApiException.Forbidden _ -> refused(nowNanos);
            case ApiException.Unauthorized _ -> refused(nowNanos);
            default -> ofObject(key, failure.toString(), nowNanos);
        };
    }

    /** Notes that a pass over the object did not fail, so that the next failure is new. */
    synchronized void succeeded(Object key) {
        told.remove(key);
    }

    private Level ofObject(Object key, String failure, long nowNanos) {
        var last = told.get(key);
        if (last != null
                && last.failure().equals(failure)
                && nowNanos - last.nanos() < REMINDER.toNanos()) {
            return DEBUG;
        }
        told.put(key, new Told(failure, nowNanos));
        return WARNING;
    }

    /** A missing permission fails every object of a controller. */
    private Level refused(long nowNanos) {
        if (refusedBefore && nowNanos - refusedNanos < QUIET.toNanos()) {
            return DEBUG;
        }
        refusedBefore = true;
        refusedNanos = nowNanos;
        return WARNING;
    }
}
