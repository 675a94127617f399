package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/**
 * RAID volumes. All methods except {@link #create} also accept the hidden volumes of a pool, such
 * as {@code pool_tdata}.
 */
public interface RaidVolumes {
    /** Finds a RAID volume; also empty if the volume is not RAID, or there is no such group. */
    Optional<RaidVolume> find(LvName name) throws LvmException, InterruptedException;

    /** Lists the RAID volumes of a group, hidden ones too. */
    List<RaidVolume> all(String vg) throws LvmException, InterruptedException;

    /**
     * Creates an active RAID volume. Returns the existing one if it has this level, at least this
     * size and all these tags. After a creation that was cut short, there is no volume, or one that
     * the same call activates and returns.
     *
     * @throws LvmException.AlreadyExists if another volume has this name
     * @throws LvmException.OutOfSpace if there are too few devices with free space
     */
    LogicalVolume create(NewRaidVolume request) throws LvmException, InterruptedException;

    /**
     * Makes a linear volume a RAID 1, changes the number of its images, or makes it linear again (1
     * copy). Succeeds if it already has that many. New images are synchronized in the background.
     * After a call that was cut short, the volume has the old number or the new one, or new images
     * exist beside it as visible volumes {@code NAME_rimage_N} and {@code NAME_rmeta_N}; the same
     * call removes those and finishes the change. It also removes devices that the first call left
     * in the device-mapper, unless one is open: then it fails with {@code InUse} until {@code
     * dmsetup remove} has removed that device, or the machine has been rebooted.
     *
     * @param copies 1 to 10
     * @throws LvmException.InUse while its present images are not in sync
     * @throws LvmException.InvalidArgument if it is neither linear nor RAID 1
     */
    LogicalVolume changeCopies(Identity<LvName> volume, int copies)
            throws LvmException, InterruptedException;

    /**
     * Replaces the images of missing devices in an active RAID volume with space on others; the
     * synchronization continues in the background. Succeeds if no image lacks its device. After a
     * call that was cut short, the images are replaced or not; the same call finishes the work.
     *
     * @param onto devices to use; empty lets LVM choose
     * @throws LvmException.OutOfSpace if no other device of the group has enough free space
     */
    RaidVolume repair(Identity<LvName> volume, List<Path> onto)
            throws LvmException, InterruptedException;

    /**
     * Puts new devices in the place of missing ones: adds them to the group, repairs every RAID
     * volume that lacks an image, and removes the missing devices from the group. After a call that
     * was cut short, some of that is done; the same call does the rest.
     *
     * @throws LvmException.MissingDevice if another volume needs a missing device, so that its data
     *     would be lost; then nothing is changed
     */
    VolumeGroup replaceMissing(MissingReplacement request)
            throws LvmException, InterruptedException;

    /**
     * Starts comparing the images in the background; {@link LogicalVolume#syncAction} shows that it
     * is running, and {@link LvDetails.Raid#mismatches} shows what it found.
     */
    void check(Identity<LvName> volume) throws LvmException, InterruptedException;
}
