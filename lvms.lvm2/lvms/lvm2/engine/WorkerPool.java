package lvms.lvm2.engine;

import lvms.lvm2.LvmException;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Workers for one kind of command, started when none is idle and ended when they have nothing to
 * do. The most recently used worker is used next, so only overlapping commands decide how many
 * there are.
 */
final class WorkerPool {
    /** How long a command waits for a worker before it gets one beyond the usual number. */
    static final Duration PATIENCE = Duration.ofSeconds(2);

    private final WorkerLaunch launch;
    private final int usual;
    private final int most;
    private final Duration idleAfter;
    private final ScheduledThreadPoolExecutor clock;

    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition freed = lock.newCondition();
    private final Deque<WorkerProcess> idle = new ArrayDeque<>();
    private int running;
    private boolean sweeping;
    private boolean closed;

    /**
     * A pool without workers.
     *
     * @param usual how many there may be unless one is held up
     * @param most how many there may be then
     */
    WorkerPool(WorkerLaunch launch, int usual, int most, Duration idleAfter) {
        this.launch = launch;
        this.usual = Math.min(usual, most);
        this.most = most;
        this.idleAfter = idleAfter;
        this.clock =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("lvm-workers").factory());
        clock.setRemoveOnCancelPolicy(true);
    }

    /** Takes an idle worker, or starts one, or waits for one, in this order. */
    WorkerProcess take() throws IOException, LvmException, InterruptedException {
        lock.lockInterruptibly();
        try {
            awaitTurn();
            if (closed) {
                throw new LvmException.Unavailable("LVM is closed", null);
            }
            if (!idle.isEmpty()) {
                return idle.pop();
            }
            running++;
        } finally {
            lock.unlock();
        }
        try {
            return WorkerProcess.start(launch);
        } catch (IOException | RuntimeException e) {
            discard();
            throw e;
        }
    }

    private void awaitTurn() throws InterruptedException {
        long patience = PATIENCE.toNanos();
        dropDead();
        while (idle.isEmpty() && running >= (patience > 0 ? usual : most) && !closed) {
            if (patience > 0) {
                patience = freed.awaitNanos(patience);
            } else {
                freed.await();
            }
            dropDead();
        }
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
            worker.stop();
        }
    }

    /** Gives up a dead worker. */
    void discard() {
        lock.lock();
        try {
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
        ending.forEach(WorkerProcess::stop);
    }

    /** Ends the idle workers now and the others after their command; starts no more. */
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
        ending.forEach(WorkerProcess::stop);
    }
}
