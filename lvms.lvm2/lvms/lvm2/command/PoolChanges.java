package lvms.lvm2.command;

import lvms.lvm2.Grammar;
import lvms.lvm2.Identity;
import lvms.lvm2.LvHealth;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.NewThinPool;
import lvms.lvm2.PoolSize;
import lvms.lvm2.ThinPool;
import lvms.lvm2.ThinPoolCheck;
import lvms.lvm2.ThinPools;
import lvms.lvm2.engine.Command.Effect;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Thin pools; {@link ThinPoolChecks} looks at their metadata. */
record PoolChanges(MendingRunner runner, Reads reads) implements ThinPools {
    PoolChanges(MendingRunner runner) {
        this(runner, runner.reads());
    }

    @Override
    public Optional<ThinPool> find(LvName name) throws LvmException, InterruptedException {
        return reads.thinPool(name);
    }

    @Override
    public ThinPool create(NewThinPool request) throws LvmException, InterruptedException {
        try (var _ = runner.locks().change(request.name().vg())) {
            return new PoolCreation(runner, reads).create(request);
        }
    }

    @Override
    public ThinPool extend(Identity<LvName> pool, PoolSize size)
            throws LvmException, InterruptedException {
        Grammar.requireLvName(pool.name());
        try (var _ = runner.locks().change(pool.name().vg())) {
            var found = reads.existingPool(pool);
            long sizeBytes = wanted(size, pool.name().vg());
            if (found.sizeBytes() >= sizeBytes) {
                return found;
            }
            new Extension(runner, found.volume(), pool.name().lv() + "_tdata").to(sizeBytes);
            return reads.existingPool(pool);
        }
    }

    /** The size that LVM would choose; a share is rounded down to whole extents. */
    private long wanted(PoolSize size, String vg) throws LvmException, InterruptedException {
        return switch (size) {
            case PoolSize.Bytes(var bytes) -> bytes;
            case PoolSize.PercentOfFree _ ->
                    throw new IllegalArgumentException(
                            "cannot grow to a share of the free extents, which shrinks as the pool"
                                    + " grows");
            case PoolSize.PercentOfGroup(var percent) -> {
                var group = reads.existingGroup(vg);
                long extents = group.sizeBytes() / group.extentSizeBytes();
                yield extents * percent / 100 * group.extentSizeBytes();
            }
        };
    }

    @Override
    public ThinPool extendMetadata(Identity<LvName> pool, long sizeBytes)
            throws LvmException, InterruptedException {
        Grammar.requireLvName(pool.name());
        Grammar.requireSize("pool metadata size", sizeBytes);
        try (var _ = runner.locks().change(pool.name().vg())) {
            var found = reads.existingPool(pool);
            long more = sizeBytes - found.metadataSizeBytes();
            if (more <= 0) {
                return found;
            }
            var amount = "+" + more + "b"; // the only form in LVM 2.03.16 that grows nothing else
            var words =
                    List.of("lvextend", "-y", "--poolmetadatasize", amount, pool.name().toString());
            runner.run(Effect.CHANGE, words);
            return reads.existingPool(pool);
        }
    }

    @Override
    public ThinPool changeWhenFull(Identity<LvName> pool, boolean error)
            throws LvmException, InterruptedException {
        Grammar.requireLvName(pool.name());
        try (var _ = runner.locks().change(pool.name().vg())) {
            var found = reads.existingPool(pool);
            if (found.whenFull().equals(error ? "error" : "queue")) {
                return found;
            }
            var choice = error ? "y" : "n";
            var words =
                    List.of("lvchange", "-y", "--errorwhenfull", choice, pool.name().toString());
            runner.run(Effect.CHANGE, words);
            return reads.existingPool(pool);
        }
    }

    @Override
    public ThinPool adopt(Identity<LvName> pool, Set<String> tags)
            throws LvmException, InterruptedException {
        Grammar.requireLvName(pool.name());
        tags.forEach(Grammar::requireTag);
        try (var _ = runner.locks().change(pool.name().vg())) {
            var found = reads.existingPool(pool);
            requireSound(found);
            var missing = new HashSet<>(tags);
            missing.removeAll(found.volume().tags());
            if (missing.isEmpty()) {
                return found;
            }
            var words = new ArrayList<>(List.of("lvchange", "-y"));
            words.addAll(Words.options("--addtag", missing));
            words.addAll(Words.only(pool));
            runner.run(Effect.CHANGE, words);
            return reads.existingPool(pool);
        }
    }

    @Override
    public ThinPool zeroNewChunks(Identity<LvName> pool) throws LvmException, InterruptedException {
        Grammar.requireLvName(pool.name());
        try (var _ = runner.locks().change(pool.name().vg())) {
            var found = reads.existingPool(pool);
            if (found.zero()) {
                return found;
            }
            runner.run(Effect.CHANGE, List.of("lvchange", "-y", "-Zy", pool.name().toString()));
            return reads.existingPool(pool);
        }
    }

    private static void requireSound(ThinPool pool) throws LvmException {
        var health = pool.health();
        if (health.filter(LvHealth.PARTIAL::equals).isPresent()) {
            throw new LvmException.MissingDevice(pool.name() + ": a device is missing");
        }
        if (health.isPresent()) {
            throw new LvmException.InvalidArgument(pool.name() + ": " + health.get().text());
        }
        if (!pool.zero()) {
            throw new LvmException.InvalidArgument(
                    pool.name() + ": new chunks are not zeroed, volumes would show old data");
        }
    }

    @Override
    public void removeWithVolumes(Identity<LvName> pool) throws LvmException, InterruptedException {
        Grammar.requireLvName(pool.name());
        try (var _ = runner.locks().change(pool.name().vg())) {
            var found = reads.logicalVolume(pool.name());
            if (found.isEmpty()) {
                return;
            }
            pool.require(found.get().uuid());
            if (PoolCreation.isAbandoned(found.get())) {
                new PoolCreation(runner, reads).remove(found.get());
                return;
            }
            if (!found.get().isThinPool()) {
                throw new LvmException.InvalidArgument(pool.name() + " is not a thin pool");
            }
            runner.run(Effect.CHANGE, Words.only(pool, "lvremove", "-y"));
        }
    }

    @Override
    public ThinPoolCheck check(Identity<LvName> pool) throws LvmException, InterruptedException {
        return new ThinPoolChecks(runner).check(pool);
    }

    @Override
    public ThinPoolCheck repair(Identity<LvName> pool) throws LvmException, InterruptedException {
        return new ThinPoolChecks(runner).repair(pool);
    }
}
