package lvms.lvm2.command;

import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.lvm2.ThinPool;
import lvms.lvm2.engine.Command.Effect;

import java.io.IOException;
import java.lang.System.Logger.Level;

/**
 * Content that a thin volume has right after it was made. LVM gives it the number after the highest
 * that it knows, and if the kernel says that there is a device of this number, LVM takes it. So
 * what a killed removal of any program left in the pool would be the new volume.
 */
record OldContent(MendingRunner runner, Reads reads) {
    private static final System.Logger LOG = System.getLogger(OldContent.class.getName());

    /**
     * Makes the volume again if it has any: its removal takes the old device along.
     *
     * @throws LvmException.Unavailable if it has content again
     */
    void replace(LvName name, LvName pool, Creation.Making creation)
            throws LvmException, InterruptedException {
        if (isIn(name, pool)) {
            LOG.log(
                    Level.WARNING,
                    () ->
                            "a new volume had the content of a removed one, made again volume="
                                    + name);
            runner.run(
                    Effect.CHANGE, Words.only(reads.existing(name).identity(), "lvremove", "-y"));
            creation.make();
            if (isIn(name, pool)) {
                throw new LvmException.Unavailable(
                        name + ": thin pool " + pool + " gives new volumes old content", null);
            }
        }
    }

    /** In a pool that zeroes nothing, LVM itself zeroes the start. */
    private boolean isIn(LvName name, LvName pool) throws LvmException, InterruptedException {
        try {
            long mapped = runner.kernel().mappedBytes(name);
            return mapped > 0 && mapped > reads.thinPool(pool).map(OldContent::zeroed).orElse(0L);
        } catch (IOException e) {
            throw new LvmException.Unavailable("cannot read what is in " + name, e);
        }
    }

    private static long zeroed(ThinPool pool) {
        return pool.zero() ? 0 : pool.chunkSizeBytes();
    }
}
