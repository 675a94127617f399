package lvms.lvm2.engine;

import lvms.lvm2.EngineStatus;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Whether workers can be trusted with commands. After three deaths in a row they rest for a minute;
 * then one is tried again, and each death more doubles the rest, up to an hour. Any thread may
 * call.
 */
final class WorkerHealth {
    private static final System.Logger LOG = System.getLogger(WorkerHealth.class.getName());
    private static final int MAX_DEATHS = 3;
    private static final Duration FIRST_REST = Duration.ofMinutes(1);
    private static final Duration LONGEST_REST = Duration.ofHours(1);

    private final EngineStatus working;
    private final LongSupplier nanoTime;
    private EngineStatus status;
    private int deathsInARow;
    private long deaths;
    private Duration rest = FIRST_REST;
    private long tryAgain;

    WorkerHealth(String lvmVersion, Optional<String> asynchronous, LongSupplier nanoTime) {
        this.working =
                new EngineStatus(
                        EngineStatus.Kind.WORKER,
                        "liblvm2cmd works in a worker process"
                                + asynchronous.map(why -> "; use_aio is LVM's: " + why).orElse(""),
                        lvmVersion,
                        0,
                        asynchronous);
        this.nanoTime = nanoTime;
        this.status = working;
    }

    synchronized EngineStatus status() {
        return new EngineStatus(
                status.kind(), status.reason(), status.lvmVersion(), deaths, status.asynchronous());
    }

    /** Returns whether to give a worker the next command; after a rest, only that one. */
    synchronized boolean mayWork() {
        if (status == working) {
            return true;
        }
        boolean over = nanoTime.getAsLong() - tryAgain >= 0;
        if (over) {
            tryAgain = nanoTime.getAsLong() + rest.toNanos();
        }
        return over;
    }

    /** A worker did its work. */
    synchronized void answered() {
        deathsInARow = 0;
        rest = FIRST_REST;
        if (status != working) {
            status = working;
            LOG.log(Level.INFO, "LVM engine changed to workers reason=one worked again");
        }
    }

    /** A worker died at this command, or before it had it, and no deadline ended it. */
    synchronized void died(Command command, IOException cause) {
        deaths++;
        deathsInARow++;
        LOG.log(
                Level.WARNING,
                () ->
                        "LVM worker died inARow=%d cause=\"%s\" command=\"%s\""
                                .formatted(deathsInARow, cause.getMessage(), command));
        if (deathsInARow < MAX_DEATHS) {
            return;
        }
        tryAgain = nanoTime.getAsLong() + rest.toNanos();
        rest = rest.compareTo(LONGEST_REST) < 0 ? rest.multipliedBy(2) : LONGEST_REST;
        status =
                new EngineStatus(
                        EngineStatus.Kind.EXEC,
                        "workers died three times in a row: " + cause.getMessage(),
                        working.lvmVersion());
        LOG.log(Level.ERROR, () -> "LVM engine changed to exec reason=" + status.reason());
    }
}
