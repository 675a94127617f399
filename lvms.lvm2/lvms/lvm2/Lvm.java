package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * LVM on this machine: reads return records, changes are one call each.
 *
 * <p>Changes are idempotent by name and tag: creating what is there already with the same kind and
 * tags returns it, removing what is gone is done. So after {@link LvmException.OutcomeUnknown} the
 * same call may simply be made again.
 *
 * <p>Any thread may call, virtual ones too; calls block. Readers of a group run beside each other,
 * changes of one after the other. An interrupt is answered with {@link InterruptedException} while
 * a call waits for its turn; a change that runs already is not cut, the interrupt is kept for the
 * caller.
 *
 * <p>Arguments that break LVM's grammar are refused with {@link IllegalArgumentException} by the
 * records and methods that take them, before any command is run.
 */
public interface Lvm extends AutoCloseable {
    /** Returns how commands are run now. */
    EngineStatus engine();

    /**
     * Returns a view of the same LVM whose commands see only these devices. Change a group only
     * through a view that holds exactly its devices; devices named in a request are added.
     */
    Lvm limitedTo(DeviceScope scope);

    /** Lists the volume groups. */
    List<VolumeGroup> volumeGroups() throws LvmException, InterruptedException;

    /** Finds a volume group. */
    Optional<VolumeGroup> volumeGroup(String name) throws LvmException, InterruptedException;

    /** Lists the physical volumes, also those in no group. */
    List<PhysicalVolume> physicalVolumes() throws LvmException, InterruptedException;

    /** Finds the physical volume on a device; empty if it has no label of LVM. */
    Optional<PhysicalVolume> physicalVolume(Path device) throws LvmException, InterruptedException;

    /**
     * Lists the visible logical volumes of a group.
     *
     * @throws LvmException.NotFound if there is no such group
     */
    List<LogicalVolume> logicalVolumes(String vg) throws LvmException, InterruptedException;

    /** Finds a logical volume; empty also if there is no such group. */
    Optional<LogicalVolume> logicalVolume(LvName name) throws LvmException, InterruptedException;

    /** Finds a thin pool; empty also if that volume is something else. */
    Optional<ThinPool> thinPool(LvName name) throws LvmException, InterruptedException;

    /**
     * Reads a group with all its parts in one command; empty if there is none. The parts agree with
     * each other.
     */
    Optional<VolumeGroupReport> report(String vg) throws LvmException, InterruptedException;

    /** Reads all groups with all their parts in one command. */
    List<VolumeGroupReport> reports() throws LvmException, InterruptedException;

    /**
     * Creates a volume group; the devices become physical volumes. Returns the existing one if it
     * has all these tags and holds all these devices.
     *
     * @throws LvmException.AlreadyExists if another group has this name
     * @throws LvmException.InUse if a device is open, has a signature, or is in another group
     */
    VolumeGroup createVolumeGroup(NewVolumeGroup request) throws LvmException, InterruptedException;

    /**
     * Adds devices; those that are in the group already are passed over.
     *
     * @param wipe whether LVM may wipe signatures it finds on the devices
     */
    VolumeGroup extendVolumeGroup(String vg, List<Path> devices, boolean wipe)
            throws LvmException, InterruptedException;

    /**
     * Takes devices without data out of the group and removes LVM's label from them; those that are
     * not in it are passed over.
     *
     * @throws LvmException.InUse if a device still holds data, or is the last one
     */
    VolumeGroup reduceVolumeGroup(String vg, List<Path> devices)
            throws LvmException, InterruptedException;

    /**
     * Removes an empty group, and LVM's label from its devices. Done if it is gone already.
     *
     * @throws LvmException.InUse if there are logical volumes in it
     */
    void removeVolumeGroup(String vg) throws LvmException, InterruptedException;

    /** Adds and removes tags of a group; those that are there, or not, already are passed over. */
    VolumeGroup changeVolumeGroupTags(String vg, Set<String> add, Set<String> remove)
            throws LvmException, InterruptedException;

    /** Deactivates every volume of a group. */
    void deactivateVolumeGroup(String vg) throws LvmException, InterruptedException;

    /**
     * Marks a group as ours with these tags, after checks; nothing else of it is changed. Done if
     * it has them.
     *
     * @throws LvmException.NotFound if there is no such group
     * @throws LvmException.MissingDevice if a device of it is missing
     * @throws LvmException.InUse if other hosts share it, or a device is seen more than once
     * @throws LvmException.InvalidArgument if it is exported, read-only, or closed to new devices
     */
    VolumeGroup adoptVolumeGroup(String vg, Set<String> tags)
            throws LvmException, InterruptedException;

    /**
     * Makes a group unknown to this machine's commands until it is imported, here or where its
     * devices are taken. Done if it is exported.
     *
     * @throws LvmException.InUse if a volume of it is active
     */
    VolumeGroup exportVolumeGroup(String vg) throws LvmException, InterruptedException;

    /** Makes an exported group usable here; its volumes stay inactive. Done if it is imported. */
    VolumeGroup importVolumeGroup(String vg) throws LvmException, InterruptedException;

    /**
     * Makes a physical volume of a device, in no group. Returns the one that is there already, with
     * whatever metadata area it has.
     *
     * @throws LvmException.InUse if the device is open, has a signature, or is in a group
     */
    PhysicalVolume createPhysicalVolume(NewPhysicalVolume request)
            throws LvmException, InterruptedException;

    /** Makes a physical volume as large as its device has become. */
    void resizePhysicalVolume(Path device) throws LvmException, InterruptedException;

    /** Removes LVM's label from a device that is in no group; done if it has none. */
    void removePhysicalVolume(Path device) throws LvmException, InterruptedException;

    /**
     * Forgets a physical volume in LVM's devices file; done if it is not listed or there is none.
     */
    void forgetDevice(String pvUuid) throws LvmException, InterruptedException;

    /**
     * Creates a thin pool that zeroes new chunks. Returns the existing one if it is a thin pool
     * with all these tags.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     */
    ThinPool createThinPool(NewThinPool request) throws LvmException, InterruptedException;

    /**
     * Makes a thin pool at least this large; never smaller.
     *
     * @throws IllegalArgumentException for a share of the free extents, which no repetition reaches
     */
    ThinPool extendThinPool(LvName pool, PoolSize size) throws LvmException, InterruptedException;

    /** Makes a thin pool's metadata at least this large; never smaller. */
    ThinPool extendThinPoolMetadata(LvName pool, long sizeBytes)
            throws LvmException, InterruptedException;

    /**
     * Marks a thin pool as ours with these tags, after checks; nothing else of it is changed. Done
     * if it has them.
     *
     * @throws LvmException.NotFound if there is no such thin pool
     * @throws LvmException.MissingDevice if a device of it is missing
     * @throws LvmException.InvalidArgument if it is not healthy, or does not zero new chunks
     */
    ThinPool adoptThinPool(LvName pool, Set<String> tags) throws LvmException, InterruptedException;

    /**
     * Has thin_check(8) read a pool's metadata: all of an inactive pool, a snapshot of an active
     * one, whose I/O goes on. Other changes of the group wait meanwhile. A check that was cut
     * leaves the metadata volume of an inactive pool active, so that the pool cannot be; the same
     * call ends that.
     *
     * @throws LvmException.Unavailable if the program is not there
     */
    ThinPoolCheck checkThinPool(LvName pool) throws LvmException, InterruptedException;

    /**
     * Has LVM repair the metadata of an inactive pool, if thin_check(8) finds that they need it,
     * and checks them again. The metadata as they were stay in a volume {@code POOL_metaN}. After a
     * repair that was cut, the pool has the old metadata or the new ones.
     *
     * @throws LvmException.InUse if the pool is active
     */
    ThinPoolCheck repairThinPool(LvName pool) throws LvmException, InterruptedException;

    /**
     * Creates an active thin volume. What is returned of a new one comes from the kernel and the
     * request; its percentages are empty. Returns the existing one if it is in this pool, at least
     * this large, and has all these tags.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     */
    LogicalVolume createThinVolume(NewThinVolume request) throws LvmException, InterruptedException;

    /**
     * Creates an active thick volume. What is returned of a new one comes from the kernel and the
     * request. Returns the existing one if it is thick, at least this large, and has all these
     * tags.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     */
    LogicalVolume createThickVolume(NewThickVolume request)
            throws LvmException, InterruptedException;

    /**
     * Creates an active thin snapshot. Returns the existing one if it has this origin and all these
     * tags.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     * @throws LvmException.NotFound if there is no such source
     * @throws LvmException.InvalidArgument if the source is not a thin volume
     */
    LogicalVolume createSnapshot(NewSnapshot request) throws LvmException, InterruptedException;

    /**
     * Creates an active thick snapshot. Returns the existing one if it has this origin and all
     * these tags, whatever the size of its store. One that was cut is not there, or is there and
     * active, or is a plain volume of the store's size yet, which nobody has written to.
     *
     * @throws LvmException.AlreadyExists if another volume has this name, be it such a plain one,
     *     which is to be removed first
     * @throws LvmException.NotFound if there is no such source
     */
    LogicalVolume createThickSnapshot(NewThickSnapshot request)
            throws LvmException, InterruptedException;

    /**
     * Gives a volume the content of its snapshot, which is gone then; a thick one is copied, which
     * takes its time. While the volume is open, that waits for its next activation, and {@link
     * LvDetails.Snapshot#merging} is true. The same call made later activates the volume anew if it
     * is not open, and brings the merge to its end, also one that was cut. Done if there is no such
     * snapshot.
     *
     * @throws LvmException.InvalidArgument if it is no snapshot; also seen of a thick merge that
     *     was cut as it began, when the device-mapper did not take its table
     */
    void mergeSnapshot(LvName snapshot) throws LvmException, InterruptedException;

    /**
     * Makes a volume at least this large, online; never smaller. The filesystem in it is left
     * alone.
     */
    LogicalVolume extendVolume(LvName name, long sizeBytes)
            throws LvmException, InterruptedException;

    /**
     * Makes a volume smaller, and loses what was beyond. Done if it is as small. No filesystem is
     * looked for. A call that was cut has made it smaller or not.
     *
     * @throws LvmException.InUse if it is open
     * @throws LvmException.InvalidArgument if it is a thin pool
     */
    LogicalVolume reduceVolume(VolumeReduction request) throws LvmException, InterruptedException;

    /** Renames a volume; done if the old name is gone and the new one is there. */
    LogicalVolume renameVolume(LvName name, String newName)
            throws LvmException, InterruptedException;

    /**
     * Removes a volume, or a pool without thin volumes. Done if it is gone already.
     *
     * @throws LvmException.InUse if it is open, or a pool with thin volumes in it
     */
    void removeVolume(LvName name) throws LvmException, InterruptedException;

    /** Removes a thin pool with everything in it; for taking a whole device class down. */
    void removeThinPoolWithVolumes(LvName pool) throws LvmException, InterruptedException;

    /** Activates a volume, also one that is marked to be skipped; done if it is active. */
    LogicalVolume activate(LvName name) throws LvmException, InterruptedException;

    /**
     * Deactivates a volume; done if it is not active or gone.
     *
     * @throws LvmException.InUse if it is open
     */
    void deactivate(LvName name) throws LvmException, InterruptedException;

    /** Makes a volume writable or read only; done if it is. */
    LogicalVolume changePermission(LvName name, boolean writable)
            throws LvmException, InterruptedException;

    /** Adds and removes tags of a volume; those that are there, or not, already are passed over. */
    LogicalVolume changeVolumeTags(LvName name, Set<String> add, Set<String> remove)
            throws LvmException, InterruptedException;

    /**
     * Wipes the signatures in an active volume that is not in use. Call it for a thick volume that
     * was found instead of created and that nobody can have used yet: a creation that was cut, by a
     * crash of the machine too, may have ended before LVM wiped what was there before.
     *
     * @throws LvmException.InUse if it is open
     * @throws LvmException.Unavailable if its node below {@code /dev} is not there
     */
    void wipeSignatures(LvName name) throws LvmException, InterruptedException;

    /**
     * Loads a volume's table anew and resumes it: the cure for a volume that was left suspended by
     * a killed command.
     */
    void refresh(LvName name) throws LvmException, InterruptedException;

    /**
     * Returns whether the device-mapper shows something in a group that a killed command, also of
     * another process, left behind, or that a running one has not finished: a suspended device, or
     * one without a table. Starts no command.
     */
    boolean unfinished(String vg) throws InterruptedException;

    /**
     * Mends what killed commands left behind in a group: devices that stay suspended, so that their
     * I/O hangs, are resumed, and half-made ones are taken away. What cannot be mended now is
     * logged, and {@link #unfinished} goes on to show it. For the start, when a process before this
     * one may have been killed in the middle of a change; the calls here mend after themselves.
     */
    void mend(String vg) throws InterruptedException;

    /** Returns the operations of RAID volumes. */
    RaidVolumes raid();

    /**
     * Moves all data from one physical volume to others of its group, while it is in use; may take
     * hours. Done if it holds none. An interrupt ends the waiting, not the move: that goes on while
     * this process lives, and stands still after it, without harm. The same call goes on with a
     * move that stands still, and waits for one that runs; {@link #abortMove} gives it up.
     *
     * @param progress is told how far it is, on the caller's thread
     * @throws LvmException.NotFound if there is no such physical volume
     * @throws LvmException.OutOfSpace if the others have not enough free extents
     */
    void movePhysicalVolume(PhysicalVolumeMove request, MoveProgress progress)
            throws LvmException, InterruptedException;

    /** Gives up a move; what it has not finished stays where it was. Done if there is none. */
    void abortMove(Path from) throws LvmException, InterruptedException;

    /**
     * Removes missing physical volumes from a group, if no volume needs them. Looks at every
     * device, whatever the scope of this view.
     */
    VolumeGroup removeMissing(String vg) throws LvmException, InterruptedException;

    /**
     * Takes devices back into their group that were missing while it was changed and are there
     * again, with what they held; those that are not missing are passed over.
     */
    VolumeGroup restoreMissing(String vg, List<Path> devices)
            throws LvmException, InterruptedException;

    /**
     * Wipes LVM's label from devices that were removed from a group while they were missing and are
     * there again: LVM lists them nowhere and lets nobody use them. Looks at every device.
     */
    void forgetOutdated(String vg) throws LvmException, InterruptedException;

    /** Ends the workers; a call that runs is finished first, and no later one is begun. */
    @Override
    void close();
}
