package lvms.node.pool;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.ThinPoolUsage;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Follows one pool on a thread of its own, so that one that hangs delays no other: it asks the
 * kernel for a few numbers every other second and after each event, and LVM only if they call for a
 * decision.
 */
final class PoolFollower {
    private static final System.Logger LOG = System.getLogger(PoolFollower.class.getName());
    private static final Duration PERIOD = Duration.ofSeconds(2);

    /**
     * How many periods pass at most before growth that failed is tried again; the first time it is
     * one: writes to a full pool fail after a minute ({@code no_space_timeout} of dm-thin-pool).
     */
    private static final int LONGEST_PAUSE = 15;

    private final LvName pool;
    private final String deviceClass;
    private final PoolGrower grower;
    private final PoolRefusals refusals;
    private final PoolMetrics metrics;
    private final PoolHistory history;
    private final PoolTrimmer trimmer;
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;
    private volatile boolean dirty;

    /** Whether free space in its group would change anything for it. */
    private volatile boolean wanting;

    private Optional<PoolSign> last = Optional.empty();
    private String problem = "";
    private int failures;
    private int pause;

    PoolFollower(
            LvName pool,
            String deviceClass,
            PoolGrower grower,
            PoolRefusals refusals,
            PoolMetrics metrics,
            PoolHistory history,
            PoolTrimmer trimmer) {
        this.pool = pool;
        this.deviceClass = deviceClass;
        this.grower = grower;
        this.refusals = refusals;
        this.metrics = metrics;
        this.history = history;
        this.trimmer = trimmer;
        this.thread = Thread.ofVirtual().name("pool-follower " + pool).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    /** Looks at once. */
    void look() {
        wake.release();
    }

    /** Decides anew at once if that can make a difference: its group has changed. */
    void groupChanged() {
        if (wanting) {
            dirty = true;
            wake.release();
        }
    }

    void end() {
        thread.interrupt();
    }

    private void run() {
        try {
            while (true) {
                wake.drainPermits();
                step();
                wake.tryAcquire(PERIOD.toMillis(), TimeUnit.MILLISECONDS);
            }
        } catch (InterruptedException e) {
            LOG.log(DEBUG, () -> "no longer followed pool=" + pool); // by end() alone
        } finally {
            trimmer.end();
            metrics.remove(deviceClass);
            history.forget(pool);
            refusals.set(pool, Optional.empty());
        }
    }

    private void step() throws InterruptedException {
        try {
            var usage = grower.deviceMapper().thinPool(pool);
            if (usage.isPresent()) {
                metrics.use(deviceClass, usage.get());
                history.note(pool, usage.get());
                decide(usage.get());
                trimmer.look(usage.get());
            } else {
                last = Optional.empty(); // not active: it may come back as another
            }
        } catch (LvmException | IOException e) {
            failed(e);
        } catch (RuntimeException e) { // a bug must not end the watch
            LOG.log(ERROR, "cannot look after a thin pool pool=" + pool, e);
            failed(e);
        }
    }

    private void decide(ThinPoolUsage usage)
            throws LvmException, IOException, InterruptedException {
        var sign =
                Optional.of(
                        PoolSign.of(
                                grower.owner().wanted(pool),
                                grower.host().extendsPools(),
                                usage,
                                grower.host().thresholdPercent()));
        if (pause > 0 && --pause > 0 || !dirty && sign.equals(last)) {
            return;
        }
        dirty = false;
        var attended = grower.attend(pool);
        attended.ifPresent(found -> told(found.state(), found.guard()));
        last = attended.flatMap(_ -> sign); // one that LVM does not report yet is asked for again
        problem = "";
        failures = 0;
    }

    private void told(PoolState state, PoolGuard guard) {
        metrics.guard(deviceClass, state.data().sizeBytes(), guard);
        wanting =
                guard.refusal().isPresent() || state.metadata().reaches(PoolGuard.METADATA_PERCENT);
        if (refusals.set(pool, guard.refusal())) {
            guard.refusal()
                    .ifPresentOrElse(
                            why -> LOG.log(WARNING, () -> why),
                            () -> LOG.log(WARNING, () -> "thin pool " + pool + " takes volumes"));
            grower.owner().refusalChanged(pool);
        }
    }

    /** Nothing new is promised while growth fails: what made it fail may fill the pool. */
    private void failed(Exception e) throws InterruptedException {
        last = Optional.empty();
        pause = Math.min(LONGEST_PAUSE, 1 << Math.min(failures++, Integer.SIZE - 2));
        var text = "thin pool " + pool + " could not be looked after: " + e.getMessage();
        LOG.log(text.equals(problem) ? DEBUG : WARNING, () -> text);
        problem = text;
        try {
            var found = grower.look(pool);
            boolean due = found.flatMap(f -> f.guard().growth()).isPresent();
            if (due && refusals.set(pool, Optional.of(text))) {
                grower.owner().refusalChanged(pool);
            }
        } catch (LvmException | IOException again) {
            e.addSuppressed(again); // as it was: without a report nobody knows better
            LOG.log(DEBUG, () -> "pool=" + pool + " cannot be read either: " + again.getMessage());
        }
    }
}
