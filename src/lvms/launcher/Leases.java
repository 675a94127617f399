package lvms.launcher;

import lvms.k8s.client.WriteGuard;
import lvms.k8s.election.LeaderElector;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/**
 * Leases that count as one: work begins when all are held, in their order, and the loss of any ends
 * the process. Without any, it begins at once.
 */
record Leases(List<LeaderElector> electors) implements WriteGuard, AutoCloseable {
    /** Begins to stand for the first; returns at once. */
    void start(Serving serving, Runnable work) {
        var next = work;
        for (var elector : electors.reversed()) {
            var then = next;
            next = () -> elector.start(new Leading(serving, then, elector.margin()));
        }
        next.run();
    }

    @Override
    public Duration left() {
        return electors.stream()
                .map(LeaderElector::left)
                .min(Comparator.naturalOrder())
                .orElseGet(WriteGuard.NONE::left);
    }

    @Override
    public void close() {
        electors.reversed().forEach(LeaderElector::close);
    }
}
