package lvms.lvm2.engine;

import lvms.lvm2.EngineStatus;
import lvms.lvm2.LvmException;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;

/**
 * Runs commands in worker processes: reports in readers, as many as overlap, and changes one after
 * the other in a writer. So a report never waits for a change, and only the writer gets the memory
 * that LVM locks before it suspends a device. If a writer is held up, for example by a device that
 * does not answer, the next change soon gets a writer of its own, so other groups do not wait for
 * long.
 *
 * <p>A worker that dies costs its command; after three deaths in a row, exec runs everything.
 */
public final class WorkerEngine implements Engine {
    private static final System.Logger LOG = System.getLogger(WorkerEngine.class.getName());
    private static final int MAX_DEATHS = 3;

    private final Engine exec;
    private final WorkerPool readers;
    private final WorkerPool writers;
    private final AtomicInteger deathsInARow = new AtomicInteger();
    private volatile EngineStatus status;

    private WorkerEngine(WorkerLaunch launch, Engine exec, int most, Duration idleAfter) {
        this.exec = exec;
        this.readers = new WorkerPool(launch, most, most, idleAfter);
        this.writers = new WorkerPool(launch, 1, most, idleAfter);
    }

    /**
     * Starts a first worker to see whether workers can work here.
     *
     * @param exec runs what workers cannot, and everything once they have died too often
     * @param most maximum number of readers, and of writers if one is held up
     * @throws IOException saying why they cannot work
     */
    public static WorkerEngine start(WorkerLaunch launch, Engine exec, int most, Duration idleAfter)
            throws IOException, LvmException, InterruptedException {
        var engine = new WorkerEngine(launch, exec, most, idleAfter);
        try {
            var first = engine.readers.take();
            engine.status =
                    new EngineStatus(
                            EngineStatus.Kind.WORKER,
                            "liblvm2cmd works in a worker process",
                            first.version());
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
        if (line.isEmpty() || status.kind() == EngineStatus.Kind.EXEC) {
            return exec.run(command);
        }
        var pool = command.effect() == Command.Effect.READ ? readers : writers;
        WorkerProcess worker;
        try {
            worker = pool.take();
        } catch (IOException e) {
            died(e); // before it got the command: nothing was done
            return exec.run(command);
        }
        try {
            var reply = worker.run(line.get(), command.deadline());
            deathsInARow.set(0);
            pool.release(worker);
            return reply;
        } catch (IOException e) {
            pool.discard();
            died(e);
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
        return status;
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

    private void died(IOException cause) {
        int deaths = deathsInARow.incrementAndGet();
        LOG.log(
                Level.WARNING,
                () -> "LVM worker died inARow=" + deaths + " cause=" + cause.getMessage());
        if (deaths == MAX_DEATHS) {
            status =
                    new EngineStatus(
                            EngineStatus.Kind.EXEC,
                            "workers died three times in a row: " + cause.getMessage(),
                            status.lvmVersion());
            LOG.log(Level.ERROR, () -> "LVM engine changed to exec reason=" + status.reason());
        }
    }
}
