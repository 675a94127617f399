package lvms.k8s.limit;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A call on a virtual thread of its own, so that its caller can stop waiting. One thread waits.
 *
 * @param <T> what it returns
 */
public final class BoundedCall<T> {
    private final FutureTask<T> task;
    private final Thread thread;

    private BoundedCall(String name, Callable<T> work) {
        task = new FutureTask<>(work);
        thread = Thread.ofVirtual().name(name).start(task);
    }

    /** Begins the call on a thread of this name. */
    public static <T> BoundedCall<T> start(String name, Callable<T> work) {
        return new BoundedCall<>(name, work);
    }

    /** Waits for the end; returns whether it came in time. */
    public boolean endsWithin(Duration limit) throws InterruptedException {
        try {
            task.get(Math.max(1, limit.toNanos()), TimeUnit.NANOSECONDS);
            return true;
        } catch (TimeoutException _) {
            return false;
        } catch (ExecutionException _) {
            return true; // result() throws it
        }
    }

    /** Returns what a call that has ended returned, or throws what it threw. */
    public T result() throws Exception {
        if (task.state() != FutureTask.State.FAILED) {
            return task.resultNow();
        }
        switch (task.exceptionNow()) {
            case Exception e -> throw e;
            case Error e -> throw e;
            case Throwable other -> throw new AssertionError(other); // there is no third kind
        }
    }

    /**
     * Interrupts the call and waits for its end.
     *
     * @return whether it ended in time; a call may ignore interrupts
     */
    public boolean interrupt(Duration limit) throws InterruptedException {
        thread.interrupt();
        return thread.join(limit);
    }

    /** Interrupts the call and waits until it has ended, even if the caller is interrupted. */
    public void interrupt() {
        thread.interrupt();
        boolean interrupted = false;
        while (thread.isAlive()) {
            try {
                thread.join();
            } catch (InterruptedException _) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
