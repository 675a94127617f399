package lvms.lvm2;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** Physical volumes: LVM's label on a device, and moving the data away from one. */
public interface PhysicalVolumes {
    /** Lists the physical volumes, also those in no group. */
    List<PhysicalVolume> all() throws LvmException, InterruptedException;

    /** Finds the physical volume on a device; empty if it has no label of LVM. */
    Optional<PhysicalVolume> find(Path device) throws LvmException, InterruptedException;

    /**
     * Makes a device a physical volume, in no group yet. If it is one already, returns it with the
     * metadata area that it has.
     *
     * @throws LvmException.InUse if the device is open, has a signature, or is in a group
     */
    PhysicalVolume create(NewPhysicalVolume request) throws LvmException, InterruptedException;

    /** Makes a physical volume as large as its device, which has grown. */
    void resize(Path device) throws LvmException, InterruptedException;

    /** Removes LVM's label from a device that is in no group; done if it has none. */
    void remove(Path device) throws LvmException, InterruptedException;

    /**
     * Removes a physical volume from LVM's devices file; done if the file does not list it, or is
     * missing.
     */
    void forget(String pvUuid) throws LvmException, InterruptedException;

    /**
     * Moves all data from one physical volume to others of its group, while it is in use; may take
     * hours. Done if it holds none. An interrupt ends the waiting, not the move: the move continues
     * while this process lives, and pauses when it ends, without harm. The same call resumes a
     * paused move, and waits for a running one; {@link #abortMove} gives it up.
     *
     * @param progress hears how far the move is, on the caller's thread
     * @throws LvmException.NotFound if there is no such physical volume
     * @throws LvmException.OutOfSpace if the others do not have enough free extents
     */
    void move(PhysicalVolumeMove request, MoveProgress progress)
            throws LvmException, InterruptedException;

    /** Gives up a move; what it has not finished stays where it was. Done if there is none. */
    void abortMove(Path from) throws LvmException, InterruptedException;
}
