package lvms.lvm2.engine;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.stream.Stream;

/**
 * Runs commands in worker processes: reports in readers, as many as overlap, and changes one after
 * the other in a writer. So a report never waits for a change, and only the writer gets the memory
 * that LVM locks before it suspends a device. A command that finds all workers held up, for example
 * by a device that does not answer, is run by exec, and by a spare worker if that lasts.
 *
 * <p>A worker that dies costs its command; after three deaths in a row exec runs everything for a
 * while, see {@link WorkerHealth}.
 */
public final class WorkerEngine implements Engine {
    private final Engine exec;
    private final WorkerPool readers;
    private final WorkerPool writers;
    private volatile WorkerHealth health;

    private WorkerEngine(
            WorkerLaunch launch, Engine exec, int most, Duration idleAfter, LongSupplier nanoTime) {
        this.exec = exec;
        this.readers = new WorkerPool(launch, most, idleAfter, nanoTime);
        this.writers = new WorkerPool(launch, 1, idleAfter, nanoTime);
    }

    /**
     * Starts a first worker to see whether workers can work here.
     *
     * @param exec runs what workers cannot, and everything once they have died too often
     * @param most maximum number of readers
     * @throws IOException saying why they cannot work
     */
    public static WorkerEngine start(WorkerLaunch launch, Engine exec, int most, Duration idleAfter)
            throws IOException, LvmException, InterruptedException {
        return start(launch, exec, most, idleAfter, System::nanoTime);
    }

    static WorkerEngine start(
            WorkerLaunch launch, Engine exec, int most, Duration idleAfter, LongSupplier nanoTime)
            throws IOException, LvmException, InterruptedException {
        var engine = new WorkerEngine(launch, exec, most, idleAfter, nanoTime);
        try {
            var first = engine.readers.take().orElseThrow();
            engine.health = new WorkerHealth(first.version(), first.asynchronous(), nanoTime);
            engine.readers.release(first);
            return engine;
        } catch (IOException | RuntimeException | InterruptedException e) {
            engine.close();
            throw e;
        }
    }

    @Override
    public Reply run(Command command) throws LvmException, InterruptedException {
        var line = CommandLine.of(command.words());
        if (line.isEmpty() || !health.mayWork()) {
            return exec.run(command);
        }
        var pool = command.effect() == Command.Effect.READ ? readers : writers;
        Optional<WorkerProcess> worker;
        try {
            worker = pool.take();
        } catch (IOException e) {
            health.died(command, e); // before it got the command: nothing was done
            return exec.run(command);
        }
        return worker.isPresent()
                ? run(command, line.get(), worker.get(), pool)
                : exec.run(command);
    }

    private Reply run(Command command, String line, WorkerProcess worker, WorkerPool pool)
            throws LvmException, InterruptedException {
        try {
            var reply = worker.run(line, command);
            health.answered();
            pool.release(worker);
            return reply;
        } catch (IOException e) {
            pool.discard(worker);
            if (!(e instanceof WorkerProcess.Late)) { // then a device or a lock held it up
                health.died(command, e);
            }
            return withoutWorker(command, e);
        }
    }

    /** If the command cannot have changed anything, exec runs it, unless its time is up. */
    private Reply withoutWorker(Command command, IOException death)
            throws LvmException, InterruptedException {
        boolean harmless =
                command.effect() == Command.Effect.READ || death instanceof WorkerProcess.NotSent;
        if (harmless && !(death instanceof WorkerProcess.Late)) {
            return exec.run(command);
        }
        throw ExecEngine.died(command, death.getMessage(), death);
    }

    @Override
    public EngineStatus status() {
        return health.status();
    }

    /** Returns the process ids of the idle workers. */
    public List<Long> idleWorkers() {
        return Stream.concat(readers.idle().stream(), writers.idle().stream()).toList();
    }

    @Override
    public void close() {
        readers.close();
        writers.close();
    }
}
