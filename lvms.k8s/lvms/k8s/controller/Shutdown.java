package lvms.k8s.controller;

import static java.lang.System.Logger.Level.ERROR;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/**
 * The end of a process: why it ends, with which code, and that it does not take too long. A signal
 * that ends the JVM ends it too, after its parts were closed.
 */
final class Shutdown {
    private static final System.Logger LOG = System.getLogger(Shutdown.class.getName());

    /**
     * Parts close within this time. If the pod's grace period is shorter, the kernel ends what
     * takes longer, and the next process finds what is left.
     */
    private static final Duration GRACE = Duration.ofSeconds(25);

    private final String name;
    private final IntConsumer halt;
    private final CountDownLatch end = new CountDownLatch(1);
    private final CountDownLatch closed = new CountDownLatch(1);
    private final AtomicInteger exitCode = new AtomicInteger();

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

    /** The JVM would end with a code that says how it was told to, which is no failure. */
    private void endBySignal() {
        if (closed.getCount() == 0) {
            return; // the process ends by itself, with a code of its own
        }
        end.countDown();
        try {
            if (SecondSignal.await(closed, GRACE)) {
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
    }

    /** The same, on the spot if parts are still open after the limit. */
    void endWithin(int code, Duration limit) {
        Thread.ofPlatform().daemon().name("end").start(() -> haltAfter(code, limit));
        end(code);
    }

    private void haltAfter(int code, Duration limit) {
        try {
            if (closed.await(limit.toMillis(), TimeUnit.MILLISECONDS)) {
                return;
            }
        } catch (InterruptedException e) {
            LOG.log(ERROR, "interrupted while parts were closing");
        }
        LOG.log(ERROR, () -> name + " is halted, since parts are still open after " + limit);
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
