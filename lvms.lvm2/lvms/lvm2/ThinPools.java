package lvms.lvm2;

import java.util.Optional;
import java.util.Set;

/** Thin pools: their size, their metadata, and whether the metadata is sound. */
public interface ThinPools {
    /** Finds a thin pool; empty also if that volume is something else. */
    Optional<ThinPool> find(LvName name) throws LvmException, InterruptedException;

    /**
     * Creates a thin pool that zeroes new chunks. Returns the existing one if it is a thin pool
     * with all these tags.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     */
    ThinPool create(NewThinPool request) throws LvmException, InterruptedException;

    /**
     * Makes a thin pool at least this large; never smaller.
     *
     * @throws IllegalArgumentException for a share of the free extents, which shrinks as the pool
     *     grows
     */
    ThinPool extend(LvName pool, PoolSize size) throws LvmException, InterruptedException;

    /** Makes a thin pool's metadata at least this large; never smaller. */
    ThinPool extendMetadata(LvName pool, long sizeBytes) throws LvmException, InterruptedException;

    /**
     * Marks a thin pool as ours with these tags, after checks; changes nothing else. Done if it has
     * them.
     *
     * @throws LvmException.NotFound if there is no such thin pool
     * @throws LvmException.MissingDevice if a device of it is missing
     * @throws LvmException.InvalidArgument if it is not healthy, or does not zero new chunks
     */
    ThinPool adopt(LvName pool, Set<String> tags) throws LvmException, InterruptedException;

    /**
     * Has thin_check(8) read a pool's metadata: all of an inactive pool, or a snapshot of an active
     * one, whose I/O goes on. Other changes of the group wait meanwhile. A check that was cut
     * leaves the metadata volume of an inactive pool active, so that nothing can activate the pool;
     * the same call ends that.
     *
     * @throws LvmException.Unavailable if the program is not there
     */
    ThinPoolCheck check(LvName pool) throws LvmException, InterruptedException;

    /**
     * Has LVM repair the metadata of an inactive pool if thin_check(8) finds damage, and checks it
     * again. The old metadata stays in a volume {@code POOL_metaN}. After a repair that was cut,
     * the pool has the old metadata or the new one.
     *
     * @throws LvmException.InUse if the pool is active
     */
    ThinPoolCheck repair(LvName pool) throws LvmException, InterruptedException;

    void removeWithVolumes(LvName pool) throws LvmException, InterruptedException;
}
