package lvms.node.csi;

import lvms.api.StatusCode;
import lvms.api.VolumeException;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Runs the work of calls: one call at a time per volume, any number of volumes side by side.
 *
 * <p>The work runs on platform threads, because mount(2) or umount(2) on a dead disk can hang, and
 * in a virtual thread it would take a carrier with it. A caller that goes away or waits too long
 * only stops waiting: work that has begun goes on and keeps the volume to itself, and the repeated
 * call finds what it did. Any thread may call.
 */
public final class VolumeCalls implements AutoCloseable {
    /** Kubelet waits two minutes for a call. After half of that, we tell it to repeat the call. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final int STACK_BYTES = 256 << 10;
    private static final long IDLE_SECONDS = 5;

    private final Duration patience;
    private final Map<String, Lock> locks = new HashMap<>();
    private final ThreadPoolExecutor threads;

    /**
     * @param patience how long a call waits for an earlier one on the same volume
     */
    public VolumeCalls(Duration patience) {
        this.patience = patience;
        threads =
                new ThreadPoolExecutor(
                        0,
                        Integer.MAX_VALUE, // bounded by the volumes: one piece of work for each
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new SynchronousQueue<>(),
                        work -> new Thread(null, work, "csi-volume", STACK_BYTES));
    }

    /** Prepares the calls of kubelet. */
    public static VolumeCalls ofKubelet() {
        return new VolumeCalls(PATIENCE);
    }

    /** A semaphore, since the thread that ends the work is not the one that took the lock. */
    private static final class Lock {
        private final Semaphore free = new Semaphore(1, true);
        private int users;
    }

    /**
     * Does the work when no other call has the volume.
     *
     * @throws VolumeException ABORTED if an earlier call did not end in time
     * @throws InterruptedException if the caller gave up while waiting
     */
    <T> T run(VolumeId volume, Callable<T> work) throws VolumeException, InterruptedException {
        return await(begin(volume.text(), work));
    }

    private <T> Future<T> begin(String volume, Callable<T> work)
            throws VolumeException, InterruptedException {
        var lock = enter(volume);
        boolean handedOver = false;
        try {
            if (!lock.free.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS)) {
                throw new VolumeException(
                        StatusCode.ABORTED, "another call works on volume " + volume);
            }
            handedOver = true;
            return submit(volume, lock, work);
        } finally {
            if (!handedOver) {
                leave(volume, lock);
            }
        }
    }

    private <T> Future<T> submit(String volume, Lock lock, Callable<T> work) {
        boolean started = false;
        try {
            var future =
                    threads.submit(
                            () -> {
                                try {
                                    return work.call();
                                } finally {
                                    lock.free.release();
                                    leave(volume, lock);
                                }
                            });
            started = true;
            return future;
        } finally {
            if (!started) {
                lock.free.release();
                leave(volume, lock);
            }
        }
    }

    private static <T> T await(Future<T> work) throws VolumeException, InterruptedException {
        try {
            return work.get();
        } catch (ExecutionException e) {
            switch (e.getCause()) {
                case VolumeException failure -> throw failure;
                case InterruptedException interrupt -> throw interrupt;
                case RuntimeException bug -> throw bug;
                case Error bug -> throw bug;
                case Throwable failure ->
                        throw new VolumeException(StatusCode.INTERNAL, failure.toString(), failure);
            }
        }
    }

    private Lock enter(String volume) {
        synchronized (locks) {
            var lock = locks.computeIfAbsent(volume, _ -> new Lock());
            lock.users++;
            return lock;
        }
    }

    private void leave(String volume, Lock lock) {
        synchronized (locks) {
            if (--lock.users == 0) {
                locks.remove(volume);
            }
        }
    }

    /** Accepts no more work; running work goes on until it ends, or the process does. */
    @Override
    public void close() {
        threads.shutdown();
    }
}
