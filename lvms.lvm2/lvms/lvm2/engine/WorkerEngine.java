package lvms.lvm2.engine;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;

import java.io.IOException;
import java.lang.System.Logger.Level;
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
 * Runs commands in worker processes: started when there is none idle, ended when they have nothing
 * to do. The last one used is used next, so overlapping commands alone decide how many there are. A
 * worker that dies costs its command; three deaths in a row, and everything goes to exec.
 */
public final class WorkerEngine implements Engine {
    private static final System.Logger LOG = System.getLogger(WorkerEngine.class.getName());
    private static final int MAX_DEATHS = 3;

    private final WorkerLaunch launch;
    private final Engine exec;
    private final int most;
    private final Duration idleAfter;
    private final ScheduledThreadPoolExecutor clock;

    private final ReentrantLock lock = new ReentrantLock(true);
    private final Condition freed = lock.newCondition();
    private final Deque<WorkerProcess> idle = new ArrayDeque<>();
    private int running;
    private int deathsInARow;
    private boolean sweeping;
    private boolean closed;
    private volatile EngineStatus status;

    private WorkerEngine(WorkerLaunch launch, Engine exec, int most, Duration idleAfter) {
        this.launch = launch;
        this.exec = exec;
        this.most = most;
        this.idleAfter = idleAfter;
        this.clock =
                new ScheduledThreadPoolExecutor(
                        1, Thread.ofPlatform().daemon().name("lvm-workers").factory());
        clock.setRemoveOnCancelPolicy(true);
    }

    /**
     * Starts a first worker to see whether workers can work here.
     *
     * @param exec runs what workers cannot, and everything once they have died too often
     * @param most most workers at a time
     * @throws IOException saying why they cannot work
     */
    public static WorkerEngine start(WorkerLaunch launch, Engine exec, int most, Duration idleAfter)
            throws IOException {
        var engine = new WorkerEngine(launch, exec, most, idleAfter);
        try {
            var first = WorkerProcess.start(launch, engine.clock);
            engine.status =
                    new EngineStatus(
                            EngineStatus.Kind.WORKER,
                            "liblvm2cmd works in a worker process",
                            first.version());
            engine.running = 1;
            engine.release(first);
            return engine;
        } catch (IOException | RuntimeException e) {
            engine.clock.shutdownNow();
            throw e;
        }
    }

    @Override
    public Reply run(Command command) throws LvmException, InterruptedException {
        var line = CommandLine.of(command.words());
        if (line.isEmpty() || status.kind() == EngineStatus.Kind.EXEC) {
            return exec.run(command);
        }
        WorkerProcess worker;
        try {
            worker = take();
        } catch (IOException e) {
            died(e); // before it got the command: nothing was done
            return exec.run(command);
        }
        try {
            var reply = worker.run(line.get(), command.effect().deadline());
            release(worker);
            return reply;
        } catch (IOException e) {
            discard();
            died(e);
            boolean repeatable =
                    command.effect() == Command.Effect.READ || e instanceof WorkerProcess.NotSent;
            if (repeatable) {
                return exec.run(command);
            }
            throw new LvmException.OutcomeUnknown(command + ": " + e.getMessage(), e);
        }
    }

    @Override
    public EngineStatus status() {
        return status;
    }

    /** Returns the process ids of the workers that have nothing to do. */
    public List<Long> idleWorkers() {
        lock.lock();
        try {
            return idle.stream().map(WorkerProcess::pid).toList();
        } finally {
            lock.unlock();
        }
    }

    @Override
    public void close() {
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

    /** Takes an idle worker, or starts one, or waits for one, in this order. */
    private WorkerProcess take() throws IOException, LvmException, InterruptedException {
        lock.lockInterruptibly();
        try {
            dropDead();
            while (idle.isEmpty() && running >= most && !closed) {
                freed.await();
                dropDead();
            }
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
            return WorkerProcess.start(launch, clock);
        } catch (IOException | RuntimeException e) {
            discard();
            throw e;
        }
    }

    /** An idle worker that was killed costs no command. */
    private void dropDead() {
        var dead = idle.stream().filter(worker -> !worker.alive()).toList();
        idle.removeAll(dead);
        dead.forEach(_ -> gone());
    }

    private void release(WorkerProcess worker) {
        boolean ending;
        lock.lock();
        try {
            deathsInARow = 0;
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

    private void discard() {
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

    private void died(IOException cause) {
        lock.lock();
        try {
            deathsInARow++;
            LOG.log(
                    Level.WARNING,
                    () ->
                            "LVM worker died inARow="
                                    + deathsInARow
                                    + " cause="
                                    + cause.getMessage());
            if (deathsInARow == MAX_DEATHS) {
                status =
                        new EngineStatus(
                                EngineStatus.Kind.EXEC,
                                "workers died three times in a row: " + cause.getMessage(),
                                status.lvmVersion());
                LOG.log(Level.ERROR, () -> "LVM engine changed to exec reason=" + status.reason());
            }
        } finally {
            lock.unlock();
        }
    }

    /** One look per idle period, and none while there are no workers: an idle node sleeps. */
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
}
