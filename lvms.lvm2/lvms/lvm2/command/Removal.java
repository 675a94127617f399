package lvms.lvm2.command;

import lvms.lvm2.Identity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.LvAttributes;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.ThinPool;
import lvms.lvm2.engine.Command.Effect;

/** Removes one volume and nothing else. The caller holds the group's turn. */
record Removal(MendingRunner runner) {
    /** Succeeds if it is gone. */
    void remove(Identity<LvName> volume) throws LvmException, InterruptedException {
        runner.kernel().require(volume);
        if (!runner.kernel().standsAlone(volume.name())) {
            var found = runner.reads().logicalVolume(volume.name());
            if (found.isEmpty()) {
                return;
            }
            volume.require(found.get().uuid());
            requireNoDependents(found.get());
        }
        runner.run(Effect.CHANGE, Words.only(volume, "lvremove", "-y"));
        if (runner.kernel().identity(volume.name()).isPresent()) {
            runner.reads().existing(volume);
        }
    }

    /** With {@code -y}, lvremove would also remove the thin volumes or snapshots. */
    private void requireNoDependents(LogicalVolume volume)
            throws LvmException, InterruptedException {
        var type = volume.attributes().type();
        boolean origin =
                type == LvAttributes.Type.ORIGIN || type == LvAttributes.Type.ORIGIN_MERGING;
        long thinVolumes =
                volume.isThinPool()
                        ? runner.reads()
                                .thinPool(volume.name())
                                .map(ThinPool::thinVolumes)
                                .orElse(0L)
                        : 0;
        if (origin || thinVolumes > 0) {
            throw new LvmException.InUse(
                    "lvremove " + volume.name() + ": other volumes depend on it");
        }
    }
}
