package lvms.lvm2;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Logical volumes, thick and thin. What is said of a thick or thin volume holds for its snapshots
 * too; {@link RaidVolumes} creates and repairs those with several images.
 */
public interface LogicalVolumes {
    /**
     * Lists the visible logical volumes of a group.
     *
     * @throws LvmException.NotFound if there is no such group
     */
    List<LogicalVolume> all(String vg) throws LvmException, InterruptedException;

    /** Finds a logical volume; empty also if there is no such group. */
    Optional<LogicalVolume> find(LvName name) throws LvmException, InterruptedException;

    /**
     * Creates an active thin volume. What is returned of a new one comes from the kernel and the
     * request; its percentages are empty. Returns the existing one if it is in this pool, at least
     * this large, and has all these tags.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     */
    LogicalVolume createThin(NewThinVolume request) throws LvmException, InterruptedException;

    /**
     * Creates an active thick volume. What is returned of a new one comes from the kernel and the
     * request. Returns the existing one if it is thick, at least this large, and has all these
     * tags.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     */
    LogicalVolume createThick(NewThickVolume request) throws LvmException, InterruptedException;

    /**
     * Makes a volume at least this large, online; never smaller. The filesystem in it is left
     * alone.
     */
    LogicalVolume extend(LvName name, long sizeBytes) throws LvmException, InterruptedException;

    /**
     * Makes a volume smaller, and loses what was beyond. Done if it is as small. No filesystem is
     * looked for. A call that was cut has made it smaller or not.
     *
     * @throws LvmException.InUse if it is open
     * @throws LvmException.InvalidArgument if it is a thin pool
     */
    LogicalVolume reduce(VolumeReduction request) throws LvmException, InterruptedException;

    /** Renames a volume; done if the old name is gone and the new one is there. */
    LogicalVolume rename(LvName name, String newName) throws LvmException, InterruptedException;

    /**
     * Removes a volume, or a pool without thin volumes. Done if it is gone already.
     *
     * @throws LvmException.InUse if it is open, or a pool with thin volumes in it
     */
    void remove(LvName name) throws LvmException, InterruptedException;

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
    LogicalVolume changeTags(LvName name, Set<String> add, Set<String> remove)
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
}
