package lvms.node.capacity;

import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroupReport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.stream.Collectors;

/**
 * Reads volume groups side by side, so that one that gives no answer keeps no other waiting for
 * long, and only those that have changed. One thread reads; any thread may tell of a change.
 */
final class GroupReports {
    private static final System.Logger LOG = System.getLogger(GroupReports.class.getName());

    /** How much longer than the patience a group may be silent before that means something. */
    private static final int SILENCE = 6;

    private final CapacityReporter.Source source;
    private final Runnable late;
    private final Duration patience;
    private final Map<String, Reading> open = new HashMap<>();
    private final Map<String, VolumeGroupReport> last = new HashMap<>();
    private final Set<String> current = ConcurrentHashMap.newKeySet();

    /**
     * @param source reads a group as it is now
     * @param late called when a group answers that was given up
     * @param patience how long to wait for a group
     */
    GroupReports(CapacityReporter.Source source, Runnable late, Duration patience) {
        this.source = source;
        this.late = late;
        this.patience = patience;
    }

    /**
     * What was read.
     *
     * @param groups without those that are missing or gave no answer; of one that cannot be read
     *     now, the last report
     * @param silent those that gave no answer yet, and may only be slow
     * @param failure why a group could not be read
     */
    record Result(
            List<VolumeGroupReport> groups, Set<String> silent, Optional<LvmException> failure) {}

    private final class Reading extends FutureTask<Optional<VolumeGroupReport>> {
        private final long begunNanos = System.nanoTime();
        private volatile boolean givenUp;

        Reading(String vg) {
            super(() -> source.fresh(vg));
        }

        @Override
        protected void done() {
            if (givenUp) {
                late.run();
            }
        }
    }

    /** Notes that groups have changed, and it is not known which. */
    void changed() {
        current.clear();
    }

    /** Notes that a group has changed. */
    void changed(String vg) {
        current.remove(vg);
    }

    Result read(Collection<String> groups) throws InterruptedException {
        long end = System.nanoTime() + patience.toNanos();
        open.values().removeIf(reading -> reading.givenUp && reading.isDone());
        for (var vg : groups) {
            if (!current.contains(vg)) {
                open.computeIfAbsent(vg, this::begun);
            }
        }
        var found = new ArrayList<VolumeGroupReport>();
        var failure = Optional.<LvmException>empty();
        for (var vg : groups) {
            try {
                answer(vg, end).ifPresent(found::add);
            } catch (LvmException e) {
                failure = Optional.of(e);
                Optional.ofNullable(last.get(vg)).ifPresent(found::add);
            }
        }
        return new Result(List.copyOf(found), silent(), failure);
    }

    private Set<String> silent() {
        long longest = patience.toNanos() * SILENCE;
        return open.entrySet().stream()
                .filter(entry -> entry.getValue().givenUp)
                .filter(entry -> System.nanoTime() - entry.getValue().begunNanos < longest)
                .map(Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    private Reading begun(String vg) {
        current.add(vg); // a change that comes from now on may not be in the answer
        var reading = new Reading(vg);
        Thread.ofVirtual().name("capacity of " + vg).start(reading);
        return reading;
    }

    private Optional<VolumeGroupReport> answer(String vg, long end)
            throws LvmException, InterruptedException {
        var reading = open.get(vg);
        if (reading == null) {
            return Optional.of(last.get(vg));
        }
        if (reading.givenUp) {
            return Optional.empty();
        }
        try {
            var report = reading.get(end - System.nanoTime(), TimeUnit.NANOSECONDS);
            open.remove(vg);
            report.ifPresentOrElse(now -> last.put(vg, now), () -> forget(vg));
            return report;
        } catch (ExecutionException e) {
            open.remove(vg);
            current.remove(vg);
            if (e.getCause() instanceof LvmException failed) {
                throw failed;
            }
            throw new IllegalStateException(e.getCause());
        } catch (TimeoutException e) {
            giveUp(vg, reading);
            return Optional.empty();
        }
    }

    private void forget(String vg) {
        last.remove(vg);
        current.remove(vg);
    }

    private void giveUp(String vg, Reading reading) {
        reading.givenUp = true;
        current.remove(vg);
        LOG.log(
                WARNING,
                () ->
                        "no answer about a volume group, its capacity will count as 0; is a device"
                                + " suspended, or slow? vg="
                                + vg);
        if (reading.isDone()) {
            late.run(); // it answered just now
        }
    }
}
