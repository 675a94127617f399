package lvms.lvm2;

import java.util.List;
import java.util.Set;

/** Snapshots of volumes, thin and thick, and merging them back into their origin. */
public interface Snapshots {
    /** A snapshot to create. */
    sealed interface Request permits NewSnapshot, NewThickSnapshot {
        LvName name();

        /** Name of the volume to snapshot, in the same group. */
        String source();

        boolean writable();

        Set<String> tags();
    }

    /**
     * Creates an active thin snapshot. Returns the existing one if it has this origin and all these
     * tags.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     * @throws LvmException.NotFound if the source does not exist
     * @throws LvmException.InvalidArgument if the source is not a thin volume
     */
    LogicalVolume createThin(NewSnapshot request) throws LvmException, InterruptedException;

    /**
     * Creates active snapshots of several volumes of one group, thin and thick, all of one instant:
     * the I/O of all sources waits while they are taken. It creates all or none. What a call that
     * was cut short left has a tag that says so; the same call removes it and makes all anew.
     * Returns the existing ones if an earlier call made all of them.
     *
     * @return the snapshots, in the order of the requests
     * @throws LvmException.AlreadyExists if another volume has one of the names
     * @throws LvmException.CommandFailed also if the I/O would have had to wait for more than ten
     *     seconds
     * @throws LvmException.NotFound if a source does not exist, or if somebody removed one of the
     *     snapshots since
     * @throws LvmException.OutOfSpace if the group has no room for the stores of the thick ones
     * @throws LvmException.InvalidArgument if a source is thin and a thick snapshot is asked for,
     *     or the other way round
     * @throws IllegalArgumentException if the requests are of several groups, or two have the same
     *     name or source
     */
    List<LogicalVolume> createAtOnce(List<? extends Request> requests)
            throws LvmException, InterruptedException;

    /**
     * Creates an active thick snapshot. Returns the existing one if it has this origin and all
     * these tags, whatever the size of its store. What a creation that was cut short left under the
     * name has a tag that says so; the same call removes it and makes the snapshot.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     * @throws LvmException.NotFound if the source does not exist
     */
    LogicalVolume createThick(NewThickSnapshot request) throws LvmException, InterruptedException;

    /**
     * Makes the store of a thick snapshot larger, unless it is large enough. The I/O of its origin
     * waits meanwhile, so nobody fills the store before it has grown: LVM alone would have the
     * origin's filesystem write all that it has in memory first.
     *
     * @param bytes size of the store, rounded up to whole extents
     * @throws LvmException.NotFound if there is no such snapshot
     * @throws LvmException.OutOfSpace if the group has no room
     * @throws LvmException.InvalidArgument if it is no thick snapshot
     */
    void growStore(Identity<LvName> snapshot, long bytes) throws LvmException, InterruptedException;

    /**
     * Takes a thick snapshot off its origin: its store is a plain volume under the name from then
     * on, in which old blocks of the origin lie. Succeeds if it is one already.
     *
     * @throws LvmException.InUse if the snapshot is open
     * @throws LvmException.InvalidArgument if it is a thin snapshot
     */
    LogicalVolume split(Identity<LvName> snapshot) throws LvmException, InterruptedException;

    /**
     * Gives a volume the content of its snapshot and removes the snapshot; a thick one is copied,
     * which takes time. If the volume is open, the merge waits for its next activation, and {@link
     * LvDetails.Snapshot#merging} is true. The same call, made later, reactivates the volume if it
     * is not open and completes the merge, even one that was cut short. Succeeds if there is no
     * such snapshot.
     *
     * @throws LvmException.InvalidArgument if it is not a snapshot
     */
    void merge(Identity<LvName> snapshot) throws LvmException, InterruptedException;
}
