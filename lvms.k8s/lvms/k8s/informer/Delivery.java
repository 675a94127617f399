package lvms.k8s.informer;

import static java.lang.System.Logger.Level.ERROR;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;

/**
 * Hands the changes of the stores to the handlers: one at a time, in order, and again until a
 * handler has taken them. Any thread may use it.
 */
final class Delivery {
    private static final System.Logger LOG = System.getLogger(Delivery.class.getName());

    /** What the handlers are told of. */
    interface Objects {
        List<KubeObject> list();

        Optional<KubeObject> get(ObjectKey key);

        /** Whether the first list is complete. */
        boolean synced();
    }

    private final ResourceType type;
    private final Objects objects;
    private final InformerMetrics metrics;
    private final Redelivery redelivery;
    private final List<Registration> registrations = new ArrayList<>();

    /** Held while a change is stored and delivered, so that changes cannot overtake each other. */
    private final ReentrantLock lock = new ReentrantLock();

    private Optional<Thread> redelivering = Optional.empty();
    private volatile boolean closed;
    private final AtomicLong failures = new AtomicLong();

    Delivery(ResourceType type, Timing timing, InformerMetrics metrics, Objects objects) {
        this.type = type;
        this.metrics = metrics;
        this.objects = objects;
        this.redelivery = new Redelivery(timing);
    }

    ResourceType type() {
        return type;
    }

    long failures() {
        return failures.get();
    }

    boolean closed() {
        return closed;
    }

    boolean isDelivering() {
        return lock.isHeldByCurrentThread();
    }

    /** Adds a handler and tells it of what is there; a resync period of zero is none. */
    Registration add(Handler handler, Duration resync) {
        lock.lock();
        try {
            var registration = new Registration(this, handler);
            registrations.add(registration);
            for (var object : objects.list()) {
                call(registration, Change.initial(object));
            }
            if (closed) {
                remove(registration);
            } else if (!registration.closed() && resync.isPositive()) {
                registration.resyncEvery(resync);
            }
            return registration;
        } finally {
            lock.unlock();
        }
    }

    void remove(Registration registration) {
        lock.lock();
        try {
            registrations.remove(registration);
            redelivery.forget(registration);
            registration.end();
        } finally {
            lock.unlock();
        }
    }

    void remove(Handler handler) {
        lock.lock();
        try {
            registrations.stream()
                    .filter(registration -> registration.handler().equals(handler))
                    .findFirst()
                    .ifPresent(this::remove);
        } finally {
            lock.unlock();
        }
    }

    boolean hasTakenAll(Registration registration) {
        lock.lock();
        try {
            return objects.synced() && !redelivery.concerns(registration);
        } finally {
            lock.unlock();
        }
    }

    /** Runs an action, unless it is closed, while no change is delivered. */
    void apart(Runnable action) {
        lock.lock();
        try {
            if (!closed) {
                action.run();
            }
        } finally {
            lock.unlock();
        }
    }

    /**
     * Changes a store and tells the handlers.
     *
     * @param first whether what is new was there from the beginning
     */
    void deliver(boolean first, Supplier<List<Change>> mutation) {
        apart(
                () -> {
                    for (var change : mutation.get()) {
                        metrics.changed(change);
                        for (var registration : List.copyOf(registrations)) {
                            call(registration, change.initially(first));
                        }
                    }
                });
    }

    /** Tells a handler of each object; returns false if there is no more to tell. */
    boolean resync(Registration registration) {
        lock.lock();
        try {
            for (var object : objects.list()) {
                if (!redelivery.concerns(registration, object.key())) {
                    call(registration, Change.same(object));
                }
            }
            return !closed && !registration.closed();
        } finally {
            lock.unlock();
        }
    }

    private void call(Registration registration, Change change) {
        if (closed || registration.closed()) {
            return;
        }
        try {
            registration.handler().onChange(change);
        } catch (Throwable failure) { // the stream and the other handlers go on in any case
            failures.incrementAndGet();
            metrics.handlerFailed();
            LOG.log(ERROR, () -> "a handler failed and will be told again type=" + type, failure);
            redelivery.add(registration, change);
            redeliverLater();
        }
    }

    private void redeliverLater() {
        if (redelivering.isEmpty() && !closed) {
            var pause = redelivery.pause();
            redelivering =
                    Optional.of(
                            Thread.ofVirtual()
                                    .name("redelivery-" + type)
                                    .start(() -> redeliver(pause)));
        }
    }

    private void redeliver(Duration pause) {
        LockSupport.parkNanos(pause.toNanos());
        lock.lock();
        try {
            redelivery.takeAll().forEach(this::redeliver);
            redelivery.roundEnded();
        } finally {
            redelivering = Optional.empty();
            if (!redelivery.isEmpty()) {
                redeliverLater();
            }
            lock.unlock();
        }
    }

    private void redeliver(Redelivery.Missed missed, Optional<KubeObject> before) {
        for (var change : Redelivery.changes(before, objects.get(missed.key()))) {
            call(missed.registration(), change);
        }
    }

    /**
     * Waits for the call of a handler that runs; none comes afterwards. Returns whether it was
     * open.
     */
    boolean close() {
        lock.lock();
        try {
            boolean first = !closed;
            closed = true;
            registrations.forEach(Registration::end);
            registrations.clear();
            redelivering.ifPresent(LockSupport::unpark);
            return first;
        } finally {
            lock.unlock();
        }
    }
}
