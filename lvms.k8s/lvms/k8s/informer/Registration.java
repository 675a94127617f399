package lvms.k8s.informer;

import static java.lang.System.Logger.Level.DEBUG;

import lvms.k8s.queue.Backoff;

import java.time.Duration;
import java.util.Optional;

/**
 * A handler at its informer. Any thread may use it.
 *
 * <p>Client-go's {@code ResourceEventHandlerRegistration}.
 */
public final class Registration implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Registration.class.getName());

    private final Delivery delivery;
    private final Handler handler;
    private Optional<Thread> resync = Optional.empty();
    private boolean closed;
    private volatile boolean synced;

    Registration(Delivery delivery, Handler handler) {
        this.delivery = delivery;
        this.handler = handler;
    }

    Handler handler() {
        return handler;
    }

    /** Begins to tell the handler of each object again and again. */
    void resyncEvery(Duration period) {
        var pauses = new Backoff(period, period, 0.1); // so that a process's resyncs spread out
        resync =
                Optional.of(
                        Thread.ofVirtual()
                                .name("informer-resync-" + delivery.type())
                                .start(() -> resync(pauses)));
    }

    private void resync(Backoff pauses) {
        try {
            do {
                Thread.sleep(pauses.after(1));
            } while (delivery.resync(this));
        } catch (InterruptedException _) {
            LOG.log(DEBUG, () -> "resync ended type=" + delivery.type());
        }
    }

    /**
     * Returns whether this handler has taken every object of the informer's first list, or those
     * that were there when it was added. Once true, it stays true.
     */
    public boolean synced() {
        synced = synced || delivery.hasTakenAll(this);
        return synced;
    }

    /** Whether it was taken out; guarded by its delivery. */
    boolean closed() {
        return closed;
    }

    /** Marks it as taken out; guarded by its delivery. */
    void end() {
        closed = true;
        resync.filter(thread -> thread != Thread.currentThread()).ifPresent(Thread::interrupt);
    }

    /**
     * Takes the handler out. It waits for a call of the handler that runs, unless that is what
     * calls this; no call comes after it returns. It may be called more than once.
     */
    @Override
    public void close() {
        delivery.remove(this);
    }
}
