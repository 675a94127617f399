package lvms.lvm2.command;

import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.ThinPool;
import lvms.lvm2.engine.Command.Effect;

import java.util.List;

/**
 * Removes one volume and nothing else. The caller holds the group's turn, but another program may
 * change the group between a look and the act, so LVM gets the conditions, and judges under its own
 * lock.
 */
record Removal(MendingRunner runner) {
    /** Succeeds if it is gone. */
    void remove(Identity<LvName> volume) throws LvmException, InterruptedException {
        var name = volume.name();
        runner.kernel().require(volume);
        if (runner.kernel().standsAlone(name)) {
            var words = Words.only(volume, "lvremove", "-y");
            runner.run(Effect.CHANGE, words, Words.noting(runner.kernel().poolOf(name), words));
            if (runner.kernel().identity(name).isPresent()) {
                runner.reads().existing(volume);
            }
            return;
        }
        var found = runner.reads().logicalVolume(name);
        if (found.isPresent()) {
            volume.require(found.get().uuid());
            requireNoDependents(found.get());
            var words = words(found.get());
            var pool = found.get().pool().map(lv -> new LvName(name.vg(), lv));
            runner.run(Effect.CHANGE, words, Words.noting(pool, words));
            requireGone(volume);
        }
    }

    /** An inactive volume is removed without a question, unless others depend on it. */
    private static List<String> words(LogicalVolume volume) {
        var identity = volume.identity();
        if (!volume.active()) {
            return Words.only(identity, "lvremove");
        }
        return volume.isThinPool()
                ? Words.onlyIf("&&thin_count=0", identity, "lvremove", "-y")
                : Words.onlyIf("&&lv_attr!~^[oO]", identity, "lvremove", "-y");
    }

    private void requireGone(Identity<LvName> volume) throws LvmException, InterruptedException {
        var left = runner.reads().logicalVolume(volume.name());
        if (left.isPresent()) {
            volume.require(left.get().uuid());
            requireNoDependents(left.get());
            throw new LvmException.InUse(
                    "lvremove " + volume.name() + ": it was changed meanwhile");
        }
    }

    /** With {@code -y}, lvremove would also remove the thin volumes or snapshots. */
    private void requireNoDependents(LogicalVolume volume)
            throws LvmException, InterruptedException {
        var type = volume.attributes().type();
        boolean origin =
                type == LvAttributes.Type.ORIGIN || type == LvAttributes.Type.ORIGIN_MERGING;
        if (origin || volume.isThinPool() && thinVolumes(volume.name()) > 0) {
            throw new LvmException.InUse(
                    "lvremove " + volume.name() + ": other volumes depend on it");
        }
    }

    private long thinVolumes(LvName pool) throws LvmException, InterruptedException {
        return runner.reads().thinPool(pool).map(ThinPool::thinVolumes).orElse(0L);
    }
}
