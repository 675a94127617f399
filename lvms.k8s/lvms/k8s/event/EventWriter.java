package lvms.k8s.event;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Times;
import lvms.k8s.object.Types;
import lvms.k8s.queue.Backoff;
import lvms.k8s.tree.ObjectTree;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Writes events and the series they form. One thread. */
final class EventWriter {
    private static final int MOST_SERIES = 4096;
    private static final Duration REPORT = Duration.ofMinutes(30);
    private static final Duration IDLE = Duration.ofMinutes(6);
    private static final int TRIES = 12;
    private static final Backoff RETRY =
            new Backoff(Duration.ofSeconds(10), Duration.ofSeconds(10), 0.25);

    /** A running series: the event it began with, and how often it occurred. */
    private static final class Running {
        private final KubeObject event;
        private int count = 1;
        private int written = 1;
        private Instant last;
        private Instant reported;

        Running(KubeObject event, Instant now) {
            this.event = event;
            this.last = now;
            this.reported = now;
        }

        void happenedAgain(Instant now) {
            count++;
            last = now;
        }

        boolean quiet(Instant now) {
            return last.plus(IDLE).isBefore(now);
        }

        /**
         * The second occurrence is written at once, so that people see a series; later ones wait.
         */
        boolean due(Instant now) {
            return count > written
                    && (written == 1 || quiet(now) || reported.plus(REPORT).isBefore(now));
        }
    }

    private interface Call {
        void make() throws ApiException, InterruptedException;
    }

    private final KubeClient client;
    private final String controller;
    private final String instance;
    private final InstantSource clock;
    private final Map<Event.Series, Running> series = new LinkedHashMap<>();
    private final NoteLimit notes = new NoteLimit();
    private final LostEvents lost;

    EventWriter(KubeClient client, String controller, String instance, InstantSource clock) {
        this.client = client.withFieldManager(name(controller));
        this.controller = controller;
        this.instance = instance;
        this.clock = clock;
        this.lost = new LostEvents(client.metrics());
    }

    LostEvents lost() {
        return lost;
    }

    boolean idle() {
        return series.isEmpty() && notes.isEmpty();
    }

    /** Writes new events, and counts repeated ones; {@link #report()} writes the counts. */
    void write(List<Event> events) throws InterruptedException {
        for (var event : events) {
            try {
                write(event, clock.instant());
            } catch (RuntimeException | Error e) { // those that wait behind it are not lost
                lost.failed(e);
            }
        }
    }

    private void write(Event event, Instant now) throws InterruptedException {
        var running = series.get(event.series());
        if (running != null) {
            running.happenedAgain(now);
        } else if (notes.admits(event.topic(), now)) {
            begin(event.series(), event, now);
        } else {
            combine(event, now);
        }
    }

    private void combine(Event event, Instant now) throws InterruptedException {
        var running = series.get(event.combinedSeries());
        if (running != null) {
            running.happenedAgain(now);
        } else {
            begin(event.combinedSeries(), event.combined(), now);
        }
    }

    private void begin(Event.Series of, Event event, Instant now) throws InterruptedException {
        var object = event.object(controller, instance, now);
        if (series.size() >= MOST_SERIES) {
            series.remove(series.keySet().iterator().next());
        }
        series.put(of, new Running(object, now));
        patiently(object, () -> client.create(Types.EVENT, object));
    }

    /** Writes the count of a series; creates the event again if it has expired. */
    private void report(Running running, Instant now) throws InterruptedException {
        running.reported = now;
        running.written = running.count;
        var series = ObjectTree.builder();
        series.put("count", running.count);
        series.put("lastObservedTime", Times.micros(running.last));
        var patch = ObjectTree.builder();
        patch.put("series", series.build());
        patiently(
                running.event,
                () -> {
                    try {
                        client.mergePatch(Types.EVENT, running.event.key(), patch.build());
                    } catch (ApiException.NotFound e) {
                        client.create(Types.EVENT, running.event.with(series.build(), "series"));
                    }
                });
    }

    /** Writes the counts that are due, and ends series that were quiet for long. */
    void report() throws InterruptedException {
        var now = clock.instant();
        for (var running : series.values()) {
            if (running.due(now)) {
                report(running, now);
            }
        }
        series.values().removeIf(running -> running.quiet(now));
        notes.forget(now);
    }

    private static String name(String controller) {
        return controller.substring(controller.indexOf('/') + 1);
    }

    /** Drops what the server refuses; keeps trying an unreachable server for two minutes. */
    private void patiently(KubeObject event, Call call) throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                call.make();
                return;
            } catch (ApiException.Unreachable e) {
                if (attempt == TRIES) {
                    lost.unreachable(e);
                    return;
                }
                Thread.sleep(RETRY.after(1));
            } catch (ApiException e) {
                lost.refused(event, e);
                return;
            }
        }
    }
}
