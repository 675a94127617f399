package lvms.node.snapshot;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.VolumeGroup;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.erasure.Groups;

import java.io.IOException;
import java.time.Duration;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * Follows the snapshots of one group, on a thread of its own for as long as there are some: it asks
 * the kernel how full each store is, the more often the faster it fills, and LVM only if one has to
 * grow.
 */
final class SnapshotFollower {
    private static final System.Logger LOG = System.getLogger(SnapshotFollower.class.getName());

    /** How soon to look again at a snapshot that is not active, or whose group is full. */
    private static final Duration REST = Duration.ofSeconds(2);

    private final String vg;
    private final Groups groups;
    private final DeviceMapper deviceMapper;
    private final SnapshotKeeper keeper;
    private final Map<LvName, Followed> followed = new ConcurrentHashMap<>();
    private final Semaphore wake = new Semaphore(0);
    private final Thread thread;

    /**
     * What is known of one.
     *
     * @param volumeBytes size of its volume when it was taken
     * @param fill empty until its store has been seen
     * @param dueAt when to look at it, on the clock of {@link System#nanoTime}
     * @param problem why it could not grow; empty if it could
     */
    private record Followed(
            Identity<LvName> snapshot,
            long volumeBytes,
            Optional<StoreFill> fill,
            long dueAt,
            String problem) {
        Followed again(Optional<StoreFill> seen, Duration pause, String why) {
            return new Followed(
                    snapshot, volumeBytes, seen, System.nanoTime() + pause.toNanos(), why);
        }
    }

    SnapshotFollower(String vg, Groups groups, DeviceMapper deviceMapper, SnapshotKeeper keeper) {
        this.vg = vg;
        this.groups = groups;
        this.deviceMapper = deviceMapper;
        this.keeper = keeper;
        this.thread = Thread.ofVirtual().name("snapshot-follower " + vg).unstarted(this::run);
    }

    void start() {
        thread.start();
    }

    void end() {
        thread.interrupt();
    }

    void add(LogicalVolume snapshot) {
        followed.putIfAbsent(
                snapshot.name(),
                new Followed(
                        snapshot.identity(),
                        snapshot.originSizeBytes(),
                        Optional.empty(),
                        System.nanoTime(),
                        ""));
        wake.release();
    }

    void remove(LvName snapshot) {
        followed.remove(snapshot);
        wake.release();
    }

    boolean idle() {
        return followed.isEmpty();
    }

    private void run() {
        try {
            while (!followed.isEmpty() || !keeper.ended(vg, this)) {
                wake.drainPermits();
                lookAtDue();
                boolean _ = wake.tryAcquire(untilDue(), TimeUnit.NANOSECONDS);
            }
        } catch (InterruptedException _) {
            LOG.log(DEBUG, () -> "snapshots are no longer followed vg=" + vg); // by end()
        }
    }

    private long untilDue() {
        long now = System.nanoTime();
        return followed.values().stream().mapToLong(one -> one.dueAt() - now).min().orElse(0);
    }

    private void lookAtDue() throws InterruptedException {
        long now = System.nanoTime();
        for (var one : followed.entrySet()) {
            if (one.getValue().dueAt() - now <= 0) {
                look(one.getKey(), one.getValue());
            }
        }
        followed.values().stream()
                .flatMap(one -> one.fill().stream())
                .map(StoreFill::usage)
                .map(usage -> 100.0 * usage.usedBytes() / Math.max(1, usage.totalBytes()))
                .max(Comparator.naturalOrder())
                .ifPresent(percent -> keeper.told(vg, percent));
    }

    private void look(LvName snapshot, Followed before) throws InterruptedException {
        try {
            keep(snapshot, before, seen(snapshot, before));
        } catch (LvmException | IOException e) {
            failed(snapshot, before, e);
        } catch (RuntimeException e) { // a bug must not end the watch
            LOG.log(ERROR, "cannot look after a snapshot lv=" + snapshot, e);
            failed(snapshot, before, e);
        }
    }

    /** Returns what it is followed with from now on; empty if nothing is left to follow. */
    private Optional<Followed> seen(LvName snapshot, Followed before)
            throws LvmException, IOException, InterruptedException {
        var usage = deviceMapper.snapshot(snapshot);
        if (usage.isEmpty()) {
            return isThere(before.snapshot())
                    ? Optional.of(before.again(Optional.empty(), REST, before.problem()))
                    : Optional.empty();
        }
        if (usage.get().lost()) {
            keeper.isLost(snapshot, lost(before));
            return Optional.empty();
        }
        long now = System.nanoTime();
        var fill =
                before.fill()
                        .map(last -> last.next(usage.get(), now))
                        .orElseGet(() -> StoreFill.first(usage.get(), now));
        return Optional.of(grown(before, fill));
    }

    private static String lost(Followed before) {
        var size = before.fill().map(fill -> fill.usage().totalBytes() >> 20);
        return "what was written to its volume since did not fit into its store"
                + size.map(mib -> " of " + mib + " MiB").orElse("")
                + (before.problem().isEmpty() ? "" : ", which could not grow: " + before.problem())
                + "; delete the snapshot";
    }

    private Followed grown(Followed before, StoreFill fill)
            throws LvmException, IOException, InterruptedException {
        var wanted = StoreGrowth.of(fill.usage(), before.volumeBytes(), fill.rateBytes());
        if (wanted.isEmpty()) {
            return before.again(Optional.of(fill), fill.pause(), "");
        }
        var why = grow(before.snapshot(), fill.usage().totalBytes(), wanted.getAsLong());
        if (!why.isEmpty() && !why.equals(before.problem())) {
            LOG.log(
                    WARNING,
                    () ->
                            "the store of a snapshot cannot grow as it should lv=%s: %s"
                                    .formatted(before.snapshot().name(), why));
        }
        var usage = deviceMapper.snapshot(before.snapshot().name()).filter(now -> !now.lost());
        var after = usage.map(now -> fill.next(now, System.nanoTime())).orElse(fill);
        return before.again(Optional.of(after), why.isEmpty() ? after.pause() : REST, why);
    }

    /** Returns why it did not become as large as it should; empty if it did. */
    private String grow(Identity<LvName> snapshot, long sizeBytes, long wantedBytes)
            throws LvmException, InterruptedException {
        var group = groups.report(vg).map(VolumeGroupReport::group);
        long extent = group.map(VolumeGroup::extentSizeBytes).orElse(1L);
        long free = group.map(VolumeGroup::freeBytes).orElse(0L);
        long wanted = Math.ceilDiv(wantedBytes, extent) * extent;
        long bytes = Math.min(wanted, sizeBytes + free);
        if (bytes > sizeBytes) {
            try {
                groups.limitedTo(vg).snapshots().growStore(snapshot, bytes);
            } finally {
                groups.changed(vg);
            }
            LOG.log(
                    INFO,
                    () ->
                            "the store of a snapshot grew lv=%s fromBytes=%d toBytes=%d"
                                    .formatted(snapshot.name(), sizeBytes, bytes));
        }
        return bytes == wanted ? "" : "volume group " + vg + " has no room left";
    }

    /** A report that is some seconds old will do: who removes one here says so. */
    private boolean isThere(Identity<LvName> snapshot) throws LvmException, InterruptedException {
        return groups.report(vg)
                .flatMap(report -> report.logicalVolume(snapshot.name().lv()))
                .filter(volume -> volume.isThickSnapshot() && volume.uuid().equals(snapshot.uuid()))
                .isPresent();
    }

    private void failed(LvName snapshot, Followed before, Exception e) {
        var text = String.valueOf(e.getMessage());
        LOG.log(
                text.equals(before.problem()) ? DEBUG : WARNING,
                () ->
                        "the store of a snapshot cannot be looked after lv="
                                + snapshot
                                + ": "
                                + text);
        keep(snapshot, before, Optional.of(before.again(before.fill(), REST, text)));
    }

    /** It may have been removed meanwhile. */
    private void keep(LvName snapshot, Followed before, Optional<Followed> now) {
        if (now.isPresent()) {
            followed.replace(snapshot, before, now.get());
        } else {
            followed.remove(snapshot, before);
        }
    }
}
