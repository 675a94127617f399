package lvms.k8s.event;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.metrics.Counter;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;

import java.util.HashSet;
import java.util.Set;

/**
 * The events that nobody will see: counted by reason, and told once for each text, since the same
 * right may be missing for all. Any thread may use it.
 */
final class LostEvents {
    private static final System.Logger LOG = System.getLogger(LostEvents.class.getName());

    /** More than a server has reasons; what is beyond is counted only. */
    private static final int MOST_TEXTS = 64;

    private static final String TERMINATING = "NamespaceTerminating";

    private final Counter refused;
    private final Counter unreachable;
    private final Counter crowded;
    private final Counter failed;
    private final Set<String> told = new HashSet<>();

    LostEvents(MetricsRegistry metrics) {
        var lost =
                metrics.counter(
                        "events_lost_total",
                        "Events that were not written: the server refused them or was away, too"
                                + " many waited, or they could not be made.",
                        "reason");
        refused = lost.with("refused");
        unreachable = lost.with("unreachable");
        crowded = lost.with("crowded");
        failed = lost.with("failed");
    }

    /** Notes that the server refused it; the end of its namespace is no failure. */
    void refused(KubeObject event, ApiException failure) {
        refused.increment();
        var text = failure.getMessage().replace(event.name(), "EVENT"); // which has a time in it
        boolean terminating =
                failure.causes().stream().anyMatch(cause -> cause.reason().equals(TERMINATING));
        if (terminating) {
            LOG.log(DEBUG, () -> "event refused error=" + text);
        } else {
            tell("event refused, the next ones that are refused so are only counted error=" + text);
        }
    }

    /** Notes that the server was away for too long. */
    void unreachable(ApiException failure) {
        unreachable.increment();
        LOG.log(WARNING, () -> "event lost error=" + failure.getMessage());
    }

    /** Notes that too many waited. */
    void crowded(Event event) {
        crowded.increment();
        tell("events dropped, since too many wait; later ones are only counted");
        LOG.log(
                DEBUG,
                () ->
                        "event dropped reason="
                                + event.reason()
                                + " regarding="
                                + event.regarding().key());
    }

    /** Notes that it could not be made or sent. */
    void failed(Throwable failure) {
        failed.increment();
        LOG.log(WARNING, "event lost, later ones are sent", failure);
    }

    private void tell(String line) {
        LOG.log(isNew(line) ? WARNING : DEBUG, line);
    }

    private synchronized boolean isNew(String line) {
        return told.size() < MOST_TEXTS && told.add(line);
    }
}
