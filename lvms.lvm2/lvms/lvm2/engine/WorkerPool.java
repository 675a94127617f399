package lvms.lvm2.engine;

import lvms.lvm2.LvmException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;

/**
 * Workers for one kind of command, started when none is idle and ended when they have nothing to
 * do. The most recently used worker is used next, so only overlapping commands decide how many
 * there are. Nobody waits for a worker that a device holds up.
 */
final class WorkerPool {
    /** A worker whose command runs this long is not waited for. */
    private static final Duration HELD_UP = Duration.ofMillis(50);

    /** When every worker has been held up for so long, one more is worth its start and memory. */
    private static final Duration HUNG = Duration.ofSeconds(1);

    private static final Duration END_WAIT = Duration.ofSeconds(5);

    private final WorkerLaunch launch;
    private final int most;
    private final Duration idleAfter;
    private final LongSupplier nanoTime;
    private final ScheduledThreadPoolExecutor clock;

    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition freed = lock.newCondition();
    private final Deque<WorkerProcess> idle = new ArrayDeque<>();
    private final Map<WorkerProcess, Long> busySince = new ConcurrentHashMap<>();
    private final Set<WorkerProcess> leaving = ConcurrentHashMap.newKeySet();
    private int running;
    private boolean sweeping;
    private boolean closed;

    /**
     * A pool without workers.
     *
     * @param most how many there may be, but for a spare one while all of them are held up
     */
    WorkerPool(WorkerLaunch launch, int most, Duration idleAfter, LongSupplier nanoTime) {
        this.launch = launch;
        this.most = most;
        this.idleAfter = idleAfter;
        this.nanoTime = nanoTime;
        this.clock =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("lvm-workers").factory());
        clock.setRemoveOnCancelPolicy(true);
    }

    /**
     * Takes an idle worker, or starts one, or waits for one, in this order. Empty if every worker
     * is held up by its command, until that lasts so long that a spare one is started.
     */
    Optional<WorkerProcess> take() throws IOException, LvmException, InterruptedException {
        lock.lockInterruptibly();
        try {
            if (!awaitTurn()) {
                return Optional.empty();
            }
            if (closed) {
                throw new LvmException.Unavailable("LVM is closed", null);
            }
            if (!idle.isEmpty()) {
                return Optional.of(busy(idle.pop()));
            }
            running++;
        } finally {
            lock.unlock();
        }
        return Optional.of(busy(started()));
    }

    private WorkerProcess started() throws IOException {
        try {
            return WorkerProcess.start(launch);
        } catch (IOException | RuntimeException e) {
            lock.lock();
            try {
                gone();
            } finally {
                lock.unlock();
            }
            throw e;
        }
    }

    private WorkerProcess busy(WorkerProcess worker) {
        busySince.put(worker, nanoTime.getAsLong());
        return worker;
    }

    /** Returns whether a worker is there or may be started; false if all are held up. */
    private boolean awaitTurn() throws InterruptedException {
        dropDead();
        while (idle.isEmpty() && running >= most + spare() && !closed) {
            boolean starting = busySince.size() < running;
            // one that is being started will be free soon
            long wait = HELD_UP.toNanos() - (starting ? 0 : shortestBusyNanos());
            if (wait <= 0) {
                return false;
            }
            freed.awaitNanos(wait);
            dropDead();
        }
        return true;
    }

    private int spare() {
        return shortestBusyNanos() > HUNG.toNanos() ? 1 : 0;
    }

    private long shortestBusyNanos() {
        long now = nanoTime.getAsLong();
        return busySince.values().stream().mapToLong(since -> now - since).min().orElse(0);
    }

    /** Drops idle workers that were killed, so that they cost no command. */
    private void dropDead() {
        var dead = idle.stream().filter(worker -> !worker.alive()).toList();
        idle.removeAll(dead);
        dead.forEach(_ -> gone());
    }

    /** Gives back a worker that can go on working. */
    void release(WorkerProcess worker) {
        boolean ending;
        lock.lock();
        try {
            busySince.remove(worker);
            ending = closed || worker.worn();
            if (ending) {
                gone();
            } else {
                idle.push(worker);
                freed.signal();
                sweepLater();
            }
        } finally {
            lock.unlock();
        }
        if (ending) {
            end(List.of(worker));
        }
    }

    private void end(List<WorkerProcess> workers) {
        leaving.removeIf(worker -> !worker.alive());
        leaving.addAll(workers);
        workers.forEach(WorkerProcess::stop);
    }

    /** Gives up a dead worker. */
    void discard(WorkerProcess worker) {
        lock.lock();
        try {
            busySince.remove(worker);
            gone();
        } finally {
            lock.unlock();
        }
    }

    private void gone() {
        running--;
        freed.signal();
        if (closed && running == 0) {
            clock.shutdown();
        }
    }

    /** Returns the process ids of the idle workers. */
    List<Long> idle() {
        lock.lock();
        try {
            return idle.stream().map(WorkerProcess::pid).toList();
        } finally {
            lock.unlock();
        }
    }

    /** Looks once per idle period, and never while there are no workers: an idle node sleeps. */
    private void sweepLater() {
        if (!sweeping) {
            sweeping = true;
            clock.schedule(this::sweep, idleAfter.toMillis() + 1, TimeUnit.MILLISECONDS);
        }
    }

    private void sweep() {
        var ending = new ArrayList<WorkerProcess>();
        lock.lock();
        try {
            sweeping = false;
            idle.stream().filter(worker -> worker.idleFor(idleAfter)).forEach(ending::add);
            idle.removeAll(ending);
            ending.forEach(_ -> gone());
            if (!idle.isEmpty()) {
                sweepLater();
            }
        } finally {
            lock.unlock();
        }
        end(ending);
    }

    /**
     * Ends the idle workers now and the others after their command; starts no more. Waits a moment
     * for those that are ending, which may still make ready for a next command in LVM's folder.
     */
    void close() {
        var ending = new ArrayList<WorkerProcess>();
        lock.lock();
        try {
            closed = true;
            ending.addAll(idle);
            idle.clear();
            running -= ending.size();
            freed.signalAll();
            if (running == 0) {
                clock.shutdown(); // else the last release does
            }
        } finally {
            lock.unlock();
        }
        end(ending);
        long deadline = System.nanoTime() + END_WAIT.toNanos();
        leaving.forEach(worker -> worker.awaitEnd(deadline - System.nanoTime()));
    }
}
