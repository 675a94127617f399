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
     * Makes a physical volume of a device, in no group. Returns the one that is there already, with
     * whatever metadata area it has.
     *
     * @throws LvmException.InUse if the device is open, has a signature, or is in a group
     */
    PhysicalVolume create(NewPhysicalVolume request) throws LvmException, InterruptedException;

    /** Makes a physical volume as large as its device has become. */
    void resize(Path device) throws LvmException, InterruptedException;

    /** Removes LVM's label from a device that is in no group; done if it has none. */
    void remove(Path device) throws LvmException, InterruptedException;

    /**
     * Forgets a physical volume in LVM's devices file; done if it is not listed or there is none.
     */
    void forget(String pvUuid) throws LvmException, InterruptedException;

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
    void move(PhysicalVolumeMove request, MoveProgress progress)
            throws LvmException, InterruptedException;

    /** Gives up a move; what it has not finished stays where it was. Done if there is none. */
    void abortMove(Path from) throws LvmException, InterruptedException;
}
