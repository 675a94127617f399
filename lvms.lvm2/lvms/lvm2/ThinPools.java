package lvms.lvm2;

import java.util.Optional;
import java.util.Set;

/** Thin pools: their size, their metadata, and whether the metadata is sound. */
public interface ThinPools {
    /**
     * The tag of a pool that {@link #create} has not returned yet, and of what it left when it was
     * killed: a volume of the pool's name that is not a pool. The same call ends both.
     */
    String UNFINISHED = "lvms-unfinished-pool";

    /** Finds a thin pool; also empty if that volume is not a thin pool. */
    Optional<ThinPool> find(LvName name) throws LvmException, InterruptedException;

    /**
     * Creates a thin pool that zeroes new chunks. Returns the existing one if it is a thin pool
     * with all these tags, and makes anew what a killed call left.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     */
    ThinPool create(NewThinPool request) throws LvmException, InterruptedException;

    /**
     * Grows a thin pool to at least this size; never shrinks it.
     *
     * @throws IllegalArgumentException for a share of the free extents, which shrinks as the pool
     *     grows
     */
    ThinPool extend(Identity<LvName> pool, PoolSize size) throws LvmException, InterruptedException;

    /** Grows a thin pool's metadata to at least this size; never shrinks it. */
    ThinPool extendMetadata(Identity<LvName> pool, long sizeBytes)
            throws LvmException, InterruptedException;

    /**
     * Sets what becomes of writes that need space in a full pool: they fail at once, or wait as
     * long as the kernel lets them ({@code no_space_timeout} of its module, a minute by default).
     */
    ThinPool changeWhenFull(Identity<LvName> pool, boolean error)
            throws LvmException, InterruptedException;

    /**
     * Checks a thin pool, then marks it as ours with these tags; changes nothing else. Succeeds if
     * it already has them.
     *
     * @throws LvmException.NotFound if there is no such thin pool
     * @throws LvmException.MissingDevice if one of its devices is missing
     * @throws LvmException.InvalidArgument if it is not healthy, or does not zero new chunks
     */
    ThinPool adopt(Identity<LvName> pool, Set<String> tags)
            throws LvmException, InterruptedException;

    /**
     * Has a pool zero each block before it gives it to a volume, from now on; what volumes have
     * already got stays as it is. Succeeds if it does so already.
     */
    ThinPool zeroNewChunks(Identity<LvName> pool) throws LvmException, InterruptedException;

    /**
     * Checks a pool's metadata with thin_check(8): all of it if the pool is inactive, or a snapshot
     * of it if the pool is active, while its I/O continues. Other changes of the group wait
     * meanwhile. A check that was cut short leaves the metadata volume of an inactive pool active,
     * so that nothing can activate the pool; the same call ends that.
     *
     * @throws LvmException.Unavailable if the program is missing
     */
    ThinPoolCheck check(Identity<LvName> pool) throws LvmException, InterruptedException;

    /**
     * Has LVM repair the metadata of an inactive pool if thin_check(8) finds damage, then checks
     * the metadata again. The old metadata stays in a volume {@code POOL_metaN}. After a repair
     * that was cut short, the pool has the old metadata or the new one.
     *
     * @throws LvmException.InUse if the pool is active
     */
    ThinPoolCheck repair(Identity<LvName> pool) throws LvmException, InterruptedException;

    /** Removes a thin pool with its volumes, or what a killed {@link #create} left of one. */
    void removeWithVolumes(Identity<LvName> pool) throws LvmException, InterruptedException;
}
