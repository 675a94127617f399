package lvms.launcher;

import lvms.k8s.client.WriteGuard;
import lvms.k8s.election.LeaderElector;

import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Leases that count as one: work begins when all are held, and the loss of any ends the process.
 * Without any, it begins at once. Who holds the first stands for all others side by side, so a
 * process waits once for what others left behind, not once for each Lease.
 */
record Leases(List<LeaderElector> electors) implements WriteGuard, AutoCloseable {
    /** Begins to stand for the first; returns at once. */
    void start(Serving serving, Runnable work) {
        if (electors.isEmpty()) {
            work.run();
            return;
        }
        var first = electors.getFirst();
        var others = electors.subList(1, electors.size());
        Runnable next = others.isEmpty() ? work : () -> startAll(others, serving, work);
        first.start(serving.leading(next, first.margin()));
    }

    private static void startAll(List<LeaderElector> electors, Serving serving, Runnable work) {
        var missing = new AtomicInteger(electors.size());
        Runnable held =
                () -> {
                    if (missing.decrementAndGet() == 0) {
                        work.run();
                    }
                };
        electors.forEach(each -> each.start(serving.leading(held, each.margin())));
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
