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

import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.List;

/** Snapshots, thin and thick. */
record SnapshotChanges(MendingRunner runner, Reads reads, Creation creation) implements Snapshots {
    private static final System.Logger LOG = System.getLogger(SnapshotChanges.class.getName());

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
    public LogicalVolume createThick(NewThickSnapshot request)
            throws LvmException, InterruptedException {
        var words = new ArrayList<>(List.of("lvcreate", "-y", "-s"));
        words.addAll(List.of("-L", request.storeBytes() + "b"));
        words.addAll(List.of("-p", request.writable() ? "rw" : "r"));
        return creation.create(
                request.name(),
                words,
                request.tags(),
                List.of(new LvName(request.name().vg(), request.source()).toString()),
                () -> reads.existing(request.name()),
                lv ->
                        lv.snapshot().filter(snapshot -> !snapshot.thin()).isPresent()
                                && lv.origin().filter(request.source()::equals).isPresent());
    }

    @Override
    public void merge(Identity<LvName> volume) throws LvmException, InterruptedException {
        var name = volume.name();
        Grammar.requireLvName(name);
        var found = reads.logicalVolume(name);
        if (found.isEmpty()) {
            return;
        }
        volume.require(found.get().uuid());
        var snapshot = found.get().snapshot();
        var origin = found.get().origin();
        if (snapshot.isEmpty() || origin.isEmpty()) {
            throw new LvmException.InvalidArgument(name + " is not a snapshot");
        }
        var source = new LvName(name.vg(), origin.get());
        boolean thin = snapshot.get().thin();
        if (snapshot.get().merging()) {
            finish(source, thin);
        } else {
            begin(name, thin ? Effect.CHANGE : Effect.LONG);
        }
    }

    /** The program waits for the end of a thick merge, so that merge holds no turn. */
    private void begin(LvName name, Effect effect) throws LvmException, InterruptedException {
        var words = List.of("lvconvert", "-y", "-i", "1", "--merge", name.toString());
        if (effect == Effect.LONG) {
            runner.run(effect, words);
            return;
        }
        try (var _ = runner.locks().change(name.vg())) {
            runner.run(effect, words);
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
