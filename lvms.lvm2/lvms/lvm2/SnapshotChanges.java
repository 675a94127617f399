package lvms.lvm2;

import lvms.lvm2.GroupLocks.Mode;
import lvms.lvm2.engine.Command.Effect;

import java.util.ArrayList;
import java.util.List;

/** Snapshots, thin and thick. */
record SnapshotChanges(CommandRunner runner, Reads reads, Creation creation) {
    SnapshotChanges(CommandRunner runner, Reads reads) {
        this(runner, reads, new Creation(runner, reads));
    }

    LogicalVolume create(NewSnapshot request) throws LvmException, InterruptedException {
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

    LogicalVolume create(NewThickSnapshot request) throws LvmException, InterruptedException {
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

    /** LVM's program waits for the end of a thick merge, so no turn is held for it. */
    void merge(LvName name) throws LvmException, InterruptedException {
        Grammar.requireLvName(name);
        var found = reads.logicalVolume(name);
        if (found.isEmpty()) {
            return;
        }
        var snapshot = found.get().snapshot();
        if (snapshot.isEmpty()) {
            throw new LvmException.InvalidArgument(name + " is not a snapshot");
        }
        if (snapshot.get().merging()) {
            return;
        }
        var words = List.of("lvconvert", "-y", "-i", "1", "--merge", name.toString());
        if (snapshot.get().thin()) {
            try (var _ = runner.locks().take(Mode.CHANGE, name.vg())) {
                runner.run(Effect.CHANGE, words);
            }
        } else {
            runner.run(Effect.LONG, words);
        }
    }
}
