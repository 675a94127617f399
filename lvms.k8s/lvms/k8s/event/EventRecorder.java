package lvms.k8s.event;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * Records events, best effort: it never blocks and never fails. Any thread may use it.
 *
 * <p>Equal events become a series, as in {@code events.k8s.io/v1}. The second one is written as a
 * count, together with those that came while the first was written. Later ones are counted, and the
 * count is written every 30 minutes, or after six minutes without one. Another note is another
 * Event, so that people read the present cause; of what differs only in its note, ten begin in ten
 * minutes, and the others are one series whose note says that it is combined. A thousand events may
 * wait; more are dropped.
 */
public final class EventRecorder implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(EventRecorder.class.getName());
    private static final int QUEUE = 1000;
    private static final Duration LOOK_AROUND = Duration.ofMinutes(1);

    private final BlockingQueue<Event> queue = new ArrayBlockingQueue<>(QUEUE);
    private final EventWriter writer;
    private final Thread sender;
    private volatile boolean closed;

    /** The kind of event. */
    public enum Type {
        /** Information. */
        NORMAL,
        /** Something a person should look at. */
        WARNING
    }

    private EventRecorder(EventWriter writer) {
        this.writer = writer;
        this.sender = Thread.ofVirtual().name("events").start(this::send);
    }

    /**
     * Opens a recorder.
     *
     * @param controller qualified name, such as {@code example.com/operator}
     * @param instance this process, such as the name of its pod
     */
    public static EventRecorder open(KubeClient client, String controller, String instance) {
        return new EventRecorder(
                new EventWriter(client, controller, instance, InstantSource.system()));
    }

    /** Records an Event about an object, for one of the program's listed reasons. */
    public void record(KubeObject regarding, Reason reason, String note) {
        record(regarding, reason.type(), reason.text(), reason.action(), note);
    }

    /** Records an Event about an object. */
    public void record(KubeObject regarding, Type type, String reason, String action, String note) {
        try {
            offer(new Event(regarding, type, reason, action, note));
        } catch (RuntimeException e) { // a mistake here must not end the caller's pass
            writer.lost().failed(e);
        }
    }

    private void offer(Event event) {
        if (!queue.offer(event)) {
            writer.lost().crowded(event);
        }
    }

    private void send() {
        while (!closed) {
            try {
                sendNext();
            } catch (InterruptedException e) {
                LOG.log(DEBUG, "event sender interrupted"); // by close()
            } catch (RuntimeException | Error e) {
                LOG.log(WARNING, "counts of events lost, later ones are sent", e);
            }
        }
    }

    private void sendNext() throws InterruptedException {
        var next =
                writer.idle()
                        ? queue.take()
                        : queue.poll(LOOK_AROUND.toSeconds(), TimeUnit.SECONDS);
        if (next != null) {
            var waiting = new ArrayList<>(List.of(next));
            queue.drainTo(waiting);
            writer.write(waiting);
        }
        writer.report();
    }

    /** Ends at once; events that wait are dropped. */
    @Override
    public void close() {
        closed = true;
        sender.interrupt();
    }
}
