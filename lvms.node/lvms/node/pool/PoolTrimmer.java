package lvms.node.pool;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.ThinPoolConfig.Trim;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.ThinPoolUsage;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;

/**
 * Has the filesystems in one pool trimmed when their class asks for it: on schedule, and when the
 * pool is nearly full. A pass has a platform thread of its own, which may hang with a disk; between
 * passes there is none. The follower of the pool calls {@link #look}.
 */
final class PoolTrimmer {
    private static final System.Logger LOG = System.getLogger(PoolTrimmer.class.getName());

    /** A pool that stays nearly full has nothing more to give back for a while. */
    private static final Duration PAUSE = Duration.ofHours(1);

    /**
     * What the trimmers of a node share.
     *
     * @param node name of the node
     * @param kubelet kubelet's folder
     * @param wishes how a pool is trimmed; empty for never
     * @param turn one pass at a time has it
     */
    record Shared(
            String node,
            Path kubelet,
            PoolGroups groups,
            Function<LvName, Optional<PoolTrim>> wishes,
            DeviceMapper deviceMapper,
            TrimMetrics metrics,
            InstantSource clock,
            Semaphore turn) {}

    private final LvName pool;
    private final String deviceClass;
    private final Shared shared;
    private volatile Instant since;
    private volatile Optional<Instant> lastEnd = Optional.empty();
    private volatile boolean running;
    private volatile boolean closed;
    private boolean wasFull;

    PoolTrimmer(LvName pool, String deviceClass, Shared shared) {
        this.pool = pool;
        this.deviceClass = deviceClass;
        this.shared = shared;
        this.since = shared.clock().instant();
    }

    /** Begins a pass if one is due. One thread at a time. */
    void look(ThinPoolUsage usage) {
        var wish = shared.wishes().apply(pool);
        if (wish.isEmpty() || running || !able(usage)) {
            return;
        }
        var now = shared.clock().instant();
        var trim = wish.get().trim();
        boolean scheduled = TrimSchedule.of(trim, shared.node(), pool).due(since, now);
        boolean full = usage.dataUse() * 100 >= wish.get().thresholdPercent();
        boolean needed = full && wasFull && rested(now); // growth comes first
        wasFull = full;
        if (scheduled || needed) {
            begin(trim);
        }
    }

    /** A pool without room can take back space; one with broken metadata is left alone. */
    private static boolean able(ThinPoolUsage usage) {
        return !usage.needsCheck()
                && (usage.mode().equals("rw") || usage.mode().equals("out_of_data_space"));
    }

    private boolean rested(Instant now) {
        return lastEnd.filter(end -> now.isBefore(end.plus(PAUSE))).isEmpty();
    }

    private void begin(Trim config) {
        running = true;
        Thread.ofPlatform().daemon().name("trim " + pool).start(() -> pass(config));
    }

    private void pass(Trim config) {
        var reclaimed = new AtomicLong();
        try {
            shared.turn().acquire();
            try {
                new TrimPass(
                                pool,
                                config.effectiveRateBytes(),
                                shared.groups(),
                                shared.deviceMapper(),
                                shared.kubelet(),
                                this::wanted,
                                bytes -> count(reclaimed, bytes))
                        .run();
            } finally {
                shared.turn().release();
            }
            ended(reclaimed.get());
        } catch (LvmException | IOException e) {
            LOG.log(WARNING, () -> "thin pool not trimmed pool=" + pool + ": " + e.getMessage());
        } catch (InterruptedException e) {
            LOG.log(DEBUG, () -> "trimming was interrupted pool=" + pool);
        } catch (RuntimeException e) { // the next pass may go well
            LOG.log(ERROR, "thin pool not trimmed pool=" + pool, e);
        } finally {
            var now = shared.clock().instant();
            since = now;
            lastEnd = Optional.of(now);
            running = false;
        }
    }

    private void count(AtomicLong sum, long bytes) {
        sum.addAndGet(bytes);
        if (!closed) {
            shared.metrics().reclaimed(deviceClass, bytes);
        }
    }

    private void ended(long reclaimedBytes) {
        if (!closed) {
            shared.metrics().ended(deviceClass, shared.clock().instant());
        }
        LOG.log(INFO, () -> "thin pool trimmed pool=" + pool + " reclaimedBytes=" + reclaimedBytes);
    }

    private boolean wanted() {
        return !closed && shared.wishes().apply(pool).isPresent();
    }

    boolean running() {
        return running;
    }

    /** A running pass ends after its piece. */
    void end() {
        closed = true;
        shared.metrics().remove(deviceClass);
    }
}
