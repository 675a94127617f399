package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewSnapshot;
import lvms.lvm2.NewThickSnapshot;
import lvms.lvm2.Snapshots;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.filesystem.FileLock;
import lvms.lvm2.instant.HeldDevices;
import lvms.lvm2.instant.SameInstant;
import lvms.lvm2.instant.ThinCopy;
import lvms.lvm2.report.PoolRows;

import java.io.IOException;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/**
 * Snapshots of several volumes, of one instant. LVM takes one at a time, and no thin one of a
 * volume that is suspended already: it sends the pool's message while it suspends. So LVM makes a
 * thin snapshot of each first. Then the I/O of all sources waits, and the kernel takes the same
 * snapshots anew, which LVM's metadata need not know of. So whatever was written after something
 * that a snapshot lacks is in no other snapshot either. And as LVM has just flushed the sources,
 * they wait for little.
 *
 * <p>Thick ones LVM takes while all wait, one after the other: it finds the source suspended, and
 * resumes it once the snapshot is in place. The first that goes on does so after all have stopped.
 *
 * <p>All are made with a tag, and lose it once the kernel has taken all. So a call that was cut
 * short is told from one that was done, and a snapshot never stays together with those of another
 * instant.
 *
 * @param holding begins to hold devices for a time
 */
record SnapshotsAtOnce(
        MendingRunner runner,
        Reads reads,
        Creation creation,
        Function<Duration, HeldDevices> holding) {
    private static final System.Logger LOG = System.getLogger(SnapshotsAtOnce.class.getName());
    private static final int NO_STATUS = 0;
    private static final Duration PAUSE = Duration.ofMillis(20);

    /** Databases and kubelet's probes bear a pause of some seconds. */
    private static final Duration LONGEST = Duration.ofSeconds(10);

    List<LogicalVolume> create(List<Snapshots.Request> requests)
            throws LvmException, InterruptedException {
        var vg = group(requests);
        try (var _ = runner.locks().change(vg)) {
            var found = found(vg, requests);
            boolean complete = found.stream().anyMatch(lv -> !unfinished(lv));
            if (complete && found.size() < requests.size()) {
                throw new LvmException.NotFound(
                        "snapshots of several volumes in " + vg + ": some of them were removed");
            }
            if (!complete) {
                remove(vg, found);
                make(vg, requests);
            }
            return finished(requests);
        }
    }

    private static String group(List<Snapshots.Request> requests) {
        var names = new HashSet<LvName>();
        var sources = new HashSet<String>();
        var groups = new HashSet<String>();
        for (var request : requests) {
            groups.add(request.name().vg());
            if (!names.add(request.name()) || !sources.add(request.source())) {
                throw new IllegalArgumentException(
                        "several snapshots of " + request.source() + " or named " + request.name());
            }
        }
        if (groups.size() != 1) {
            throw new IllegalArgumentException("volumes of several groups: " + groups);
        }
        return groups.iterator().next();
    }

    private List<LogicalVolume> found(String vg, List<Snapshots.Request> requests)
            throws LvmException, InterruptedException {
        var found = new ArrayList<LogicalVolume>();
        for (var volume : reads.logicalVolumes(vg)) {
            for (var request : requests) {
                if (request.name().equals(volume.name())) {
                    found.add(same(volume, request));
                }
            }
        }
        return found;
    }

    private static LogicalVolume same(LogicalVolume found, Snapshots.Request request)
            throws LvmException {
        boolean same =
                switch (request) {
                    case NewSnapshot thin ->
                            found.isThin()
                                    && found.origin()
                                            .filter(origin -> !origin.equals(thin.source()))
                                            .isEmpty()
                                    && found.tags().containsAll(thin.tags());
                    case NewThickSnapshot thick ->
                            SnapshotChanges.isThat(found, thick)
                                    || SnapshotChanges.unfinished(found, thick);
                };
        if (!same) {
            throw new LvmException.AlreadyExists(
                    found.name() + ": another volume has this name, or other tags");
        }
        return found;
    }

    private static boolean unfinished(LogicalVolume found) {
        return found.tags().contains(SnapshotChanges.UNFINISHED);
    }

    private void remove(String vg, List<LogicalVolume> found)
            throws LvmException, InterruptedException {
        for (var volume : found) {
            var words = Words.only(volume.identity(), "lvremove", "-y");
            var pool = volume.pool().map(lv -> new LvName(vg, lv));
            runner.run(Effect.CHANGE, words, Words.noting(pool, words));
        }
        if (!found.isEmpty()) {
            runner.mending().removeLeftovers(vg);
        }
    }

    private void make(String vg, List<Snapshots.Request> requests)
            throws LvmException, InterruptedException {
        requireKinds(requests);
        try {
            for (var request : thin(requests)) {
                runner.run(Effect.CHANGE, creationOf(request));
            }
            if (runner.options().activation()) {
                takeWhileHeld(vg, requests);
            } else {
                take(thick(requests));
            }
        } catch (IOException e) {
            var failure =
                    new LvmException.CommandFailed(
                            "snapshots of several volumes: " + e.getMessage(),
                            NO_STATUS,
                            List.of());
            undo(vg, requests, failure);
            throw failure;
        } catch (LvmException | InterruptedException | RuntimeException e) {
            undo(vg, requests, e);
            throw e;
        }
    }

    private void requireKinds(List<Snapshots.Request> requests)
            throws LvmException, InterruptedException {
        for (var request : requests) {
            boolean thin = request instanceof NewSnapshot;
            if (reads.existing(source(request)).isThin() != thin) {
                throw new LvmException.InvalidArgument(
                        source(request) + (thin ? " is not a thin volume" : " is a thin volume"));
            }
        }
    }

    private static List<NewSnapshot> thin(List<Snapshots.Request> requests) {
        return only(NewSnapshot.class, requests);
    }

    private static List<NewThickSnapshot> thick(List<Snapshots.Request> requests) {
        return only(NewThickSnapshot.class, requests);
    }

    private static <T> List<T> only(Class<T> kind, List<Snapshots.Request> requests) {
        return requests.stream().filter(kind::isInstance).map(kind::cast).toList();
    }

    private static LvName source(Snapshots.Request request) {
        return new LvName(request.name().vg(), request.source());
    }

    /**
     * LVM's own lock is held from the look at the pools until the thin snapshots are taken, and
     * each pool's transaction must still be the one in LVM's report: so the numbers are those of
     * the devices that were just made.
     */
    private void takeWhileHeld(String vg, List<Snapshots.Request> requests)
            throws LvmException, IOException, InterruptedException {
        boolean thin = !thin(requests).isEmpty();
        var rows = thin ? rows(vg) : new PoolRows(List.of());
        var lock = thin ? Optional.of(groupLock(vg)) : Optional.<FileLock>empty();
        try {
            takeWhileHeld(requests, rows, () -> lock.ifPresent(FileLock::close));
        } finally {
            lock.ifPresent(FileLock::close);
        }
    }

    private PoolRows rows(String vg) throws LvmException, InterruptedException {
        return PoolRows.of(runner.commands().report("lvs", PoolRows.COLUMNS, List.of("-a", vg)));
    }

    /**
     * The note of the change is what makes the watchdog resume the sources if this process dies.
     *
     * @param unlock lets LVM change the group, which it does for the thick ones
     */
    private void takeWhileHeld(List<Snapshots.Request> requests, PoolRows rows, Runnable unlock)
            throws LvmException, IOException, InterruptedException {
        var sources = requests.stream().map(SnapshotsAtOnce::source).toList();
        try (var running = runner.mending().holding(sources, LONGEST)) {
            var held = holding.apply(LONGEST);
            long begun = System.nanoTime();
            try {
                hold(held, requests, rows);
                unlock.run();
                take(held, thick(requests));
            } finally {
                if (held.release()) {
                    running.ended();
                }
                long millis = (System.nanoTime() - begun) / 1_000_000;
                LOG.log(
                        Level.INFO,
                        () -> "I/O waited for snapshots millis=" + millis + " sources=" + sources);
            }
        }
    }

    /** Has all sources wait, and takes the thin snapshots. */
    private void hold(HeldDevices held, List<Snapshots.Request> requests, PoolRows rows)
            throws IOException, InterruptedException {
        var others = devices(thick(requests));
        if (devices(thin(requests)).isEmpty()) { // nobody writes to them
            held.hold(others);
            return;
        }
        var copies = new ArrayList<ThinCopy>();
        for (var request : thin(requests)) {
            copies.add(copy(request, rows));
        }
        new SameInstant(copies).take(held, others);
    }

    /**
     * None of these has gone on before its own snapshot is in place, nor any other of the group.
     */
    private void take(HeldDevices held, List<NewThickSnapshot> thick)
            throws LvmException, IOException, InterruptedException {
        for (var request : thick) {
            var source = device(source(request));
            if (source.isPresent()) {
                held.requireHeld(source.get());
            }
            take(List.of(request));
        }
        held.requireTime();
    }

    private void take(List<NewThickSnapshot> thick) throws LvmException, InterruptedException {
        for (var request : thick) {
            runner.run(Effect.CHANGE, SnapshotChanges.creationOf(request));
        }
    }

    private List<String> devices(List<? extends Snapshots.Request> requests)
            throws IOException, InterruptedException {
        var devices = new ArrayList<String>();
        for (var request : requests) {
            device(source(request)).ifPresent(devices::add);
        }
        return devices;
    }

    /**
     * Returns the name of the device of an active volume.
     *
     * @throws IOException if the kernel does not say whether there is one
     */
    private Optional<String> device(LvName volume) throws IOException, InterruptedException {
        var deviceMapper = runner.kernel().deviceMapper();
        return deviceMapper.outline(Grammar.deviceMapperName(volume)).map(DeviceMapper.State::name);
    }

    private FileLock groupLock(String vg) throws LvmException, IOException, InterruptedException {
        var file = CutChanges.lockFolder(runner.options()).resolve("V_" + vg);
        long deadline = System.nanoTime() + runner.options().lockWait().toNanos();
        while (true) {
            var lock = FileLock.tryLock(file);
            if (lock.isPresent()) {
                return lock.get();
            }
            if (System.nanoTime() > deadline) {
                throw new LvmException.LockBusy(vg + ": another program changes the group");
            }
            Thread.sleep(PAUSE);
        }
    }

    private ThinCopy copy(NewSnapshot request, PoolRows rows)
            throws IOException, InterruptedException {
        var source = source(request);
        var snapshot = rows.thin(request.name().lv()).orElseThrow(() -> changed(source));
        var origin = rows.thin(request.source()).orElseThrow(() -> changed(source));
        var pool = new LvName(source.vg(), snapshot.pool());
        long counted = rows.transaction(pool.lv());
        boolean same =
                runner.kernel()
                        .deviceMapper()
                        .thinPool(pool)
                        .filter(now -> now.transactionId() == counted)
                        .isPresent();
        if (!same) {
            throw changed(pool);
        }
        return new ThinCopy(
                Grammar.deviceMapperName(pool) + "-tpool",
                origin.deviceId(),
                snapshot.deviceId(),
                device(source));
    }

    private static IOException changed(LvName what) {
        return new IOException("somebody changed " + what + " meanwhile");
    }

    private static List<String> creationOf(NewSnapshot request) {
        var words = new ArrayList<>(List.of("lvcreate", "-y", "-s", "-kn"));
        words.addAll(List.of("-p", request.writable() ? "rw" : "r"));
        words.add("-an"); // the kernel removes no active one
        words.addAll(List.of("-n", request.name().lv()));
        words.addAll(List.of("--addtag", SnapshotChanges.UNFINISHED));
        words.addAll(Words.options("--addtag", request.tags()));
        words.add(source(request).toString());
        return words;
    }

    /** What cannot be removed now has the tag, and the next call removes it. */
    private void undo(String vg, List<Snapshots.Request> requests, Exception why)
            throws InterruptedException {
        try {
            remove(vg, found(vg, requests));
        } catch (LvmException e) {
            LOG.log(Level.WARNING, () -> "some of several snapshots are left vg=" + vg + ": " + e);
            why.addSuppressed(e);
        }
    }

    private List<LogicalVolume> finished(List<Snapshots.Request> requests)
            throws LvmException, InterruptedException {
        for (var request : requests) {
            var made = reads.existing(request.name());
            if (unfinished(made)) {
                runner.run(
                        Effect.CHANGE,
                        Words.only(
                                made.identity(),
                                "lvchange",
                                "-y",
                                "--deltag",
                                SnapshotChanges.UNFINISHED));
            }
            if (!made.active() && runner.options().activation()) {
                creation.activate(made.identity());
            }
        }
        var all = new ArrayList<LogicalVolume>();
        for (var request : requests) {
            all.add(reads.existing(request.name()));
        }
        return all;
    }
}
