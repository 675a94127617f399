package lvms.lvm2.command;

import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewThinPool;
import lvms.lvm2.PoolSize;
import lvms.lvm2.ThinPool;
import lvms.lvm2.ThinPools;
import lvms.lvm2.engine.Command.Effect;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes a thin pool. LVM begins with a plain volume of the pool's name, the metadata to be, and
 * wipes that before it is a pool. A tag marks what no call has returned yet; it is there from the
 * first step. A marked volume that is no pool holds nothing: LVM makes the pool under one lock.
 */
record PoolCreation(MendingRunner runner, Reads reads) {
    private static final String NO_POOL = "&&segtype!=thin-pool&&tags=" + ThinPools.UNFINISHED;

    ThinPool create(NewThinPool request) throws LvmException, InterruptedException {
        var found = reads.logicalVolume(request.name());
        if (found.isPresent()) {
            requireSame(found.get(), request);
        }
        if (found.isPresent() && isAbandoned(found.get())) {
            remove(found.get());
            found = Optional.empty();
        }
        if (found.isEmpty()) {
            runner.run(Effect.CHANGE, words(request));
        }
        return finished(request.name());
    }

    private static void requireSame(LogicalVolume found, NewThinPool request)
            throws LvmException.AlreadyExists {
        boolean pool = found.isThinPool() || isAbandoned(found);
        if (!pool || !found.tags().containsAll(request.tags())) {
            throw new LvmException.AlreadyExists(
                    found.name() + ": another volume has this name, or other tags");
        }
    }

    private List<String> words(NewThinPool request) {
        var words = new ArrayList<>(List.of("lvcreate", "-y", "--type", "thin-pool"));
        words.addAll(size(request.size()));
        request.chunkSizeBytes().ifPresent(size -> words.addAll(List.of("-c", size + "b")));
        request.metadataSizeBytes()
                .ifPresent(size -> words.addAll(List.of("--poolmetadatasize", size + "b")));
        words.addAll(Words.options("--addtag", request.tags()));
        words.addAll(
                runner.options().activation()
                        ? List.of("-Zy", "--addtag", ThinPools.UNFINISHED)
                        : List.of("-an", "-Zn")); // only metadata, in one step
        words.addAll(List.of("-n", request.name().lv(), request.name().vg()));
        return words;
    }

    private static List<String> size(PoolSize size) {
        return switch (size) {
            case PoolSize.Bytes(var bytes) -> List.of("-L", bytes + "b");
            case PoolSize.PercentOfFree(var percent) -> List.of("-l", percent + "%FREE");
            case PoolSize.PercentOfGroup(var percent) -> List.of("-l", percent + "%VG");
        };
    }

    /** Returns whether a killed creation left a volume, which is not a pool yet. */
    static boolean isAbandoned(LogicalVolume volume) {
        return !volume.isThinPool() && volume.tags().contains(ThinPools.UNFINISHED);
    }

    /** Removes what a killed creation left; LVM looks under its own lock whether it still is. */
    void remove(LogicalVolume abandoned) throws LvmException, InterruptedException {
        var volume = abandoned.identity();
        runner.run(Effect.CHANGE, Words.onlyIf(NO_POOL, volume, "lvremove", "-y"));
    }

    /** The creation may have been killed right after the pool was written down. */
    private ThinPool finished(LvName name) throws LvmException, InterruptedException {
        var made = reads.existingPool(name);
        var volume = made.volume();
        if (!volume.tags().contains(ThinPools.UNFINISHED)) {
            return made;
        }
        if (!volume.active()) {
            new Creation(runner).activate(volume.identity());
        }
        runner.run(
                Effect.CHANGE,
                Words.only(volume.identity(), "lvchange", "-y", "--deltag", ThinPools.UNFINISHED));
        return reads.existingPool(name);
    }
}
