package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Physical volumes: LVM's label on a device, and moving the data away from one. */
public interface PhysicalVolumes {
    /** Lists the physical volumes, including those in no group. */
    List<PhysicalVolume> all() throws LvmException, InterruptedException;

    /** Finds the physical volume on a device; empty if it has no LVM label. */
    Optional<PhysicalVolume> find(Path device) throws LvmException, InterruptedException;

    /**
     * Makes a device a physical volume, in no group yet. If it is one already, returns it with the
     * metadata area that it has.
     *
     * @throws LvmException.InUse if the device is open, has a signature, or is in a group
     */
    PhysicalVolume create(NewPhysicalVolume request) throws LvmException, InterruptedException;

    /** Grows a physical volume to the size of its device, which has grown. */
    void resize(Identity<Path> volume) throws LvmException, InterruptedException;

    /** Removes LVM's label from a device that is in no group; succeeds if it has none. */
    void remove(Identity<Path> volume) throws LvmException, InterruptedException;

    /**
     * Removes a physical volume from LVM's devices file; succeeds if the file does not list it, or
     * is missing.
     */
    void forget(String pvUuid) throws LvmException, InterruptedException;

    /**
     * Moves all data from one physical volume to others of its group, while it is in use; may take
     * hours. Succeeds if it holds none. An interrupt ends the wait, not the move: the move
     * continues while this process lives, and pauses when it ends, without harm. The same call
     * resumes a paused move or waits for a running one; {@link #abortMove} aborts it.
     *
     * @param progress receives the progress, on the caller's thread
     * @throws LvmException.NotFound if there is no such physical volume
     * @throws LvmException.OutOfSpace if the others do not have enough free extents
     */
    void move(PhysicalVolumeMove request, MoveProgress progress)
            throws LvmException, InterruptedException;

    /**
     * Aborts a move; data that it has not finished moving stays where it was. Succeeds if there is
     * none.
     */
    void abortMove(Identity<Path> from) throws LvmException, InterruptedException;
}
