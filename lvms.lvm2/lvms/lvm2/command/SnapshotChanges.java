package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewSnapshot;
import lvms.lvm2.NewThickSnapshot;
import lvms.lvm2.Snapshots;
import lvms.lvm2.engine.Command.Effect;
import lvms.lvm2.instant.HeldDevices;

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Snapshots, thin and thick. */
record SnapshotChanges(MendingRunner runner, Reads reads, Creation creation) implements Snapshots {
    private static final System.Logger LOG = System.getLogger(SnapshotChanges.class.getName());

    /** Tag of a thick snapshot that is being merged. */
    private static final String MERGING = "lvms-merging-snapshot";

    /** Tag of a thick snapshot, or of one of several, that is being made. */
    static final String UNFINISHED = "lvms-unfinished-snapshot";

    SnapshotChanges(MendingRunner runner) {
        this(runner, runner.reads(), new Creation(runner));
    }

    @Override
    public LogicalVolume createThin(NewSnapshot request) throws LvmException, InterruptedException {
        var words = new ArrayList<>(List.of("lvcreate", "-y", "-s", "-kn"));
        words.addAll(List.of("-p", request.writable() ? "rw" : "r"));
        words.addAll(creation.inactive());
        var source = new LvName(request.name().vg(), request.source());
        try {
            return creation.create(
                    request.name(),
                    words,
                    request.tags(),
                    List.of(source.toString()),
                    () -> reads.existing(request.name()),
                    lv -> lv.isThin() && lv.origin().filter(request.source()::equals).isPresent());
        } catch (LvmException.InvalidArgument | LvmException.CommandFailed e) {
            if (reads.existing(source).isThin()) {
                throw e;
            }
            throw new LvmException.InvalidArgument(source + " is not a thin volume");
        }
    }

    @Override
    public List<LogicalVolume> createAtOnce(List<? extends Request> requests)
            throws LvmException, InterruptedException {
        return new SnapshotsAtOnce(runner, reads, creation, HeldDevices::new)
                .create(List.copyOf(requests));
    }

    @Override
    public LogicalVolume createThick(NewThickSnapshot request)
            throws LvmException, InterruptedException {
        try (var _ = runner.locks().change(request.name().vg())) {
            var found = reads.logicalVolume(request.name());
            if (found.isPresent() && unfinished(found.get(), request)) {
                runner.run(Effect.CHANGE, Words.only(found.get().identity(), "lvremove", "-y"));
                runner.mending().removeLeftovers(request.name().vg());
                found = Optional.empty();
            }
            if (found.isPresent()) {
                return same(found.get(), request);
            }
            runner.run(Effect.CHANGE, creationOf(request));
            var made = reads.existing(request.name());
            var finished = Words.only(made.identity(), "lvchange", "-y", "--deltag", UNFINISHED);
            runner.run(Effect.CHANGE, finished);
            return reads.existing(made.identity());
        }
    }

    /**
     * LVM makes a thick snapshot from a plain volume, step by step, in its metadata and in the
     * kernel. A tag marks what no call has returned yet; it is there from the first step.
     */
    static List<String> creationOf(NewThickSnapshot request) {
        var words = new ArrayList<>(List.of("lvcreate", "-y", "-s"));
        words.addAll(List.of("-L", request.storeBytes() + "b"));
        words.addAll(List.of("-p", request.writable() ? "rw" : "r"));
        words.addAll(List.of("-n", request.name().lv(), "--addtag", UNFINISHED));
        words.addAll(Words.options("--addtag", request.tags()));
        words.add(new LvName(request.name().vg(), request.source()).toString());
        return words;
    }

    static boolean unfinished(LogicalVolume found, NewThickSnapshot request) {
        return found.tags().contains(UNFINISHED)
                && found.tags().containsAll(request.tags())
                && found.origin().filter(origin -> !origin.equals(request.source())).isEmpty();
    }

    private LogicalVolume same(LogicalVolume found, NewThickSnapshot request)
            throws LvmException, InterruptedException {
        if (!isThat(found, request)) {
            throw new LvmException.AlreadyExists(
                    found.name() + ": another volume has this name, or other tags");
        }
        if (!found.active()) {
            creation.activate(found.identity());
        }
        return reads.existing(found.identity());
    }

    static boolean isThat(LogicalVolume found, NewThickSnapshot request) {
        return found.isThickSnapshot()
                && found.origin().filter(request.source()::equals).isPresent()
                && found.tags().containsAll(request.tags());
    }

    @Override
    public void growStore(Identity<LvName> snapshot, long bytes)
            throws LvmException, InterruptedException {
        var name = snapshot.name();
        Grammar.requireLvName(name);
        Grammar.requireSize("size", bytes);
        try (var _ = runner.locks().change(name.vg())) {
            var found = reads.existing(snapshot);
            if (!found.isThickSnapshot()) {
                throw new LvmException.InvalidArgument(name + " has no store of its own");
            }
            if (found.sizeBytes() < bytes) {
                var origin = new LvName(name.vg(), found.origin().orElseThrow());
                new Extension(runner, found, name.lv()).whileHeld(origin, bytes);
            }
        }
    }

    @Override
    public LogicalVolume split(Identity<LvName> snapshot)
            throws LvmException, InterruptedException {
        var name = snapshot.name();
        Grammar.requireLvName(name);
        try (var _ = runner.locks().change(name.vg())) {
            var found = reads.existing(snapshot);
            if (found.isThin()) {
                throw new LvmException.InvalidArgument(name + " has no store of its own");
            }
            if (found.attributes().open() == LvAttributes.Open.OPEN) {
                throw new LvmException.InUse("lvconvert --splitsnapshot " + name + ": it is open");
            }
            if (found.isThickSnapshot()) {
                var words = List.of("lvconvert", "-y", "--splitsnapshot", name.toString());
                runner.run(Effect.CHANGE, words);
            }
            return reads.existing(snapshot);
        }
    }

    @Override
    public void merge(Identity<LvName> volume) throws LvmException, InterruptedException {
        var name = volume.name();
        Grammar.requireLvName(name);
        var found = reads.logicalVolume(name);
        if (found.isEmpty()) {
            mend(name.vg());
            return;
        }
        volume.require(found.get().uuid());
        var snapshot = found.get().snapshot();
        var origin = found.get().origin();
        if (origin.isEmpty() && found.get().tags().contains(MERGING)) {
            // LVM has merged it, made it a plain volume, and was killed before it removed that
            try (var _ = runner.locks().change(name.vg())) {
                runner.run(Effect.CHANGE, Words.only(volume, "lvremove", "-y"));
            }
            return;
        }
        if (snapshot.isEmpty() || origin.isEmpty()) {
            throw new LvmException.InvalidArgument(name + " is not a snapshot");
        }
        var source = new LvName(name.vg(), origin.get());
        boolean thin = snapshot.get().thin();
        if (snapshot.get().merging()) {
            finish(source, thin);
        } else {
            begin(volume, source, thin);
        }
    }

    /** It is merged, but the call that did it may have been killed before the volume was active. */
    private void mend(String vg) throws LvmException, InterruptedException {
        try (var _ = runner.locks().change(vg)) {
            runner.mending().mend(vg, Set.of());
        }
    }

    /**
     * The program waits for the end of a thick merge, so that merge holds no turn. A thin one is
     * made while both volumes are inactive.
     */
    private void begin(Identity<LvName> volume, LvName origin, boolean thin)
            throws LvmException, InterruptedException {
        var name = volume.name();
        var words = List.of("lvconvert", "-y", "-i", "1", "--merge", name.toString());
        if (!thin) {
            try (var _ = runner.locks().change(name.vg())) {
                runner.run(
                        Effect.CHANGE, Words.only(volume, "lvchange", "-y", "--addtag", MERGING));
            }
            runner.run(Effect.LONG, words);
            return;
        }
        try (var _ = runner.locks().change(name.vg())) {
            var source = reads.existing(origin);
            if (source.active()) {
                runner.runKeepingActive(source.identity(), words);
            } else {
                runner.run(Effect.CHANGE, words);
            }
        }
    }

    /**
     * An activation starts a waiting merge. LVM records the end only if a process asks for it, as
     * lvpoll(8) does.
     */
    private void finish(LvName origin, boolean thin) throws LvmException, InterruptedException {
        var found = reads.existing(origin);
        boolean open = found.attributes().open() != LvAttributes.Open.CLOSED;
        if (!open) {
            try (var _ = runner.locks().change(origin.vg())) {
                runner.run(Effect.CHANGE, Words.only(found.identity(), "lvchange", "-y", "-an"));
                creation.activate(found.identity());
            }
        }
        var operation = thin ? "merge_thin" : "merge";
        try {
            runner.run(
                    Effect.LONG,
                    List.of("lvpoll", "--polloperation", operation, "-i", "1", origin.toString()));
        } catch (LvmException.CommandFailed e) {
            if (!open) {
                throw e;
            }
            LOG.log(Level.DEBUG, () -> "the merge waits for an activation origin=" + origin);
        }
    }
}
