package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Volume groups: reports of all that is in them, their devices and tags, and what killed commands
 * left behind.
 */
public interface VolumeGroups {
    /** Lists the volume groups. */
    List<VolumeGroup> all() throws LvmException, InterruptedException;

    /** Finds a volume group. */
    Optional<VolumeGroup> find(String name) throws LvmException, InterruptedException;

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
    VolumeGroup create(NewVolumeGroup request) throws LvmException, InterruptedException;

    /**
     * Adds devices; those that are in the group already are passed over.
     *
     * @param wipe whether LVM may wipe signatures it finds on the devices
     */
    VolumeGroup extend(String vg, List<Path> devices, boolean wipe)
            throws LvmException, InterruptedException;

    /**
     * Takes devices without data out of the group and removes LVM's label from them; those that are
     * not in it are passed over.
     *
     * @throws LvmException.InUse if a device still holds data, or is the last one
     */
    VolumeGroup reduce(String vg, List<Path> devices) throws LvmException, InterruptedException;

    /**
     * Removes an empty group, and LVM's label from its devices. Done if it is gone already.
     *
     * @throws LvmException.InUse if there are logical volumes in it
     */
    void remove(String vg) throws LvmException, InterruptedException;

    /** Adds and removes tags of a group; those that are there, or not, already are passed over. */
    VolumeGroup changeTags(String vg, Set<String> add, Set<String> remove)
            throws LvmException, InterruptedException;

    /** Deactivates every volume of a group. */
    void deactivate(String vg) throws LvmException, InterruptedException;

    /**
     * Marks a group as ours with these tags, after checks; nothing else of it is changed. Done if
     * it has them.
     *
     * @throws LvmException.NotFound if there is no such group
     * @throws LvmException.MissingDevice if a device of it is missing
     * @throws LvmException.InUse if other hosts share it, or a device is seen more than once
     * @throws LvmException.InvalidArgument if it is exported, read-only, or closed to new devices
     */
    VolumeGroup adopt(String vg, Set<String> tags) throws LvmException, InterruptedException;

    /**
     * Makes a group unknown to this machine's commands until it is imported, here or where its
     * devices are taken. Done if it is exported.
     *
     * @throws LvmException.InUse if a volume of it is active
     */
    VolumeGroup exportGroup(String vg) throws LvmException, InterruptedException;

    /** Makes an exported group usable here; its volumes stay inactive. Done if it is imported. */
    VolumeGroup importGroup(String vg) throws LvmException, InterruptedException;

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
}
