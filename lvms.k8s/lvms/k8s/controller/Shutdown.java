package lvms.k8s.controller;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.limit.BoundedCall;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * The end of a process: why it ends, with which code, and that it does not take too long. A signal
 * that ends the JVM ends it too, after its parts were closed.
 *
 * <p>Whatever the reason, a process whose parts are still open when its grace is over gives its
 * lease away and is halted: otherwise one part that hangs would keep it in office for ever.
 */
final class Shutdown {
    private static final System.Logger LOG = System.getLogger(Shutdown.class.getName());

    private final String name;
    private final IntConsumer halt;
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger exitCode = new AtomicInteger();
    private final AtomicBoolean bounded = new AtomicBoolean();
    private final List<AutoCloseable> leases = new CopyOnWriteArrayList<>();
    private volatile Grace grace = Grace.DEFAULT;

    /**
     * Begins to listen for signals.
     *
     * @param halt ends the process on the spot with an exit code
     */
    Shutdown(String name, IntConsumer halt) {
        this.name = name;
        this.halt = halt;
        Runtime.getRuntime().addShutdownHook(Thread.ofPlatform().unstarted(this::endBySignal));
    }

    /** Sets how long an end that has not begun may take. */
    void grace(Grace chosen) {
        grace = chosen;
    }

    Grace grace() {
        return grace;
    }

    /** Has this closed before the process is halted. */
    void lease(AutoCloseable lease) {
        leases.add(lease);
    }

    /** The JVM would end with a code that says how it was told to, which is no failure. */
    private void endBySignal() {
        if (closed.getCount() == 0) {
            return; // the process ends by itself, with a code of its own
        }
        end(0);
        try {
            if (SecondSignal.await(closed, grace.longest().multipliedBy(2))) { // halted until then
                halt.accept(exitCode.get());
            } else if (SecondSignal.came()) {
                LOG.log(ERROR, () -> name + " is halted by a second signal");
                halt.accept(1);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Ends the process with this code, unless another reason came first. */
    void end(int code) {
        exitCode.compareAndSet(0, code);
        end.countDown();
        if (bounded.compareAndSet(false, true)) {
            thread(this::haltAfterGrace);
        }
    }

    /** The same, on the spot if parts are still open after the limit. */
    void endWithin(int code, Duration limit) {
        thread(() -> haltAfter(code, limit));
        end(code);
    }

    private static void thread(Runnable work) {
        Thread.ofPlatform().daemon().name("end").start(work);
    }

    private void haltAfterGrace() {
        if (closesWithin(grace.whole())) {
            return;
        }
        giveLeasesAway();
        if (closed.getCount() > 0) {
            halt(Math.max(1, exitCode.get()), grace.whole());
        }
    }

    /** Writes through the guards of the leases end with that, whatever still runs. */
    private void giveLeasesAway() {
        if (leases.isEmpty()) {
            return;
        }
        try {
            var closing = BoundedCall.start("end-leases", this::closeLeases);
            if (!closing.endsWithin(grace.release())) {
                LOG.log(WARNING, () -> name + " could not give its lease away, it has to expire");
            }
        } catch (InterruptedException e) {
            LOG.log(ERROR, "interrupted while the lease was given away");
        }
    }

    private Void closeLeases() {
        leases.forEach(SideBySide::close);
        return null;
    }

    private void haltAfter(int code, Duration limit) {
        if (!closesWithin(limit)) {
            halt(code, limit);
        }
    }

    private boolean closesWithin(Duration limit) {
        try {
            return closed.await(limit.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            LOG.log(ERROR, "interrupted while parts were closing");
            return false;
        }
    }

    private void halt(int code, Duration after) {
        LOG.log(ERROR, () -> name + " is halted, since parts are still open after " + after);
        halt.accept(code);
    }

    boolean began() {
        return end.getCount() == 0;
    }

    boolean beginsWithin(Duration time) throws InterruptedException {
        return end.await(time.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Waits until the process has to end; returns the exit code. */
    int await() throws InterruptedException {
        end.await();
        return exitCode.get();
    }

    /** Notes that all parts are closed. */
    void closed() {
        end.countDown();
        closed.countDown();
    }
}
