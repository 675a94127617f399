package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Volume groups: reports of their contents, their devices and tags, and the repair of what killed
 * commands left behind.
 */
public interface VolumeGroups {
    List<VolumeGroup> all() throws LvmException, InterruptedException;

    /** Returns the names of the volume groups; waits for no change of any of them. */
    List<String> names() throws LvmException, InterruptedException;

    Optional<VolumeGroup> find(String name) throws LvmException, InterruptedException;

    /**
     * Reads a group with all its parts in one command; empty if there is no such group. The parts
     * agree with each other.
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
     * Adds devices; ignores those already in the group.
     *
     * @param wipe whether LVM may wipe signatures it finds on the devices
     */
    VolumeGroup extend(Identity<String> group, List<Path> devices, boolean wipe)
            throws LvmException, InterruptedException;

    /**
     * Removes devices without data from the group, and LVM's label from them; ignores those that
     * are not in it.
     *
     * @throws LvmException.InUse if a device still holds data, or is the last one
     */
    VolumeGroup reduce(Identity<String> group, List<Identity<Path>> volumes)
            throws LvmException, InterruptedException;

    /**
     * Removes an empty group, and LVM's label from its devices. Succeeds if it is gone already.
     *
     * @throws LvmException.InUse if it has logical volumes
     */
    void remove(Identity<String> group) throws LvmException, InterruptedException;

    /**
     * Adds and removes tags of a group. Ignores tags to add that it already has, and tags to remove
     * that it lacks.
     */
    VolumeGroup changeTags(Identity<String> group, Set<String> add, Set<String> remove)
            throws LvmException, InterruptedException;

    /** Deactivates every volume of a group. */
    void deactivate(Identity<String> group) throws LvmException, InterruptedException;

    /**
     * Checks a group, then marks it as ours with these tags; changes nothing else. Succeeds if it
     * already has them.
     *
     * @throws LvmException.NotFound if there is no such group
     * @throws LvmException.MissingDevice if one of its devices is missing
     * @throws LvmException.InUse if other hosts share it, or LVM sees a device more than once
     * @throws LvmException.InvalidArgument if it is exported, read-only, or closed to new devices
     */
    VolumeGroup adopt(Identity<String> group, Set<String> tags)
            throws LvmException, InterruptedException;

    /**
     * Hides a group from this machine's commands until it is imported, here or on the machine that
     * gets its devices. Succeeds if it is already exported.
     *
     * @throws LvmException.InUse if one of its volumes is active
     */
    VolumeGroup exportGroup(Identity<String> group) throws LvmException, InterruptedException;

    /**
     * Makes an exported group usable here; its volumes stay inactive. Succeeds if it is already
     * imported.
     */
    VolumeGroup importGroup(Identity<String> group) throws LvmException, InterruptedException;

    /**
     * Removes missing physical volumes from a group, if no volume needs them. Looks at every
     * device, whatever the scope of this view.
     */
    VolumeGroup removeMissing(Identity<String> group) throws LvmException, InterruptedException;

    /**
     * Takes devices back into their group, with their data, if they were missing while the group
     * was changed and have returned. Ignores those that are not missing.
     */
    VolumeGroup restoreMissing(Identity<String> group, List<Identity<Path>> volumes)
            throws LvmException, InterruptedException;

    /**
     * Wipes LVM's label from devices that were removed from a group while they were missing and
     * have since returned: LVM does not list them and lets nobody use them. Looks at every device.
     */
    void forgetOutdated(Identity<String> group) throws LvmException, InterruptedException;

    /**
     * Returns whether the device-mapper shows something unfinished in a group: a suspended device,
     * or one without a table. A killed command, perhaps of another process, left it behind, or a
     * running one has not finished it yet. Starts no command.
     */
    boolean unfinished(String vg) throws LvmException, InterruptedException;

    /**
     * Mends what killed commands left behind in a group: resumes devices that are still suspended,
     * whose I/O hangs, and removes half-made ones. What cannot be mended now is logged, and {@link
     * #unfinished} still shows it. Call it when your process starts, since the previous one may
     * have been killed in the middle of a change; the calls here clean up after themselves.
     *
     * @param pools names of thin pools in which nobody but LVM makes devices: what LVM has
     *     forgotten in them is removed. In other pools this is done only if a killed command of
     *     ours names them.
     */
    void mend(String vg, Set<String> pools) throws LvmException, InterruptedException;

    /** The same for a group without pools of the caller. */
    default void mend(String vg) throws LvmException, InterruptedException {
        mend(vg, Set.of());
    }
}
