package lvms.node.csi;

import lvms.api.VolumeException;
import lvms.lvm2.LvmException;
import lvms.node.format.ContentMark;

import java.io.IOException;
import java.time.Duration;
import java.util.Optional;

/**
 * Finds the volumes of this node. Any thread may call; a call blocks as long as the device does.
 */
public interface VolumeDevices {
    /** Waits until it is known which volumes this node has, but not forever. */
    default void awaitKnown(Duration patience) throws InterruptedException {}

    /**
     * Checks that this node has the volume.
     *
     * @throws VolumeException NOT_FOUND if it does not
     * @throws VolumeException ABORTED if that is not known yet
     */
    void require(VolumeId volume) throws VolumeException, InterruptedException;

    /**
     * Checks that the volume is in the group that it was made in.
     *
     * @param handedOut UUID of the group that the PersistentVolume names, if it does
     * @throws VolumeException FAILED_PRECONDITION if it is in another one, or nowhere and another
     *     group has the name of its group, naming both
     * @throws VolumeException NOT_FOUND if this node has no such volume
     */
    void requireHome(VolumeId volume, Optional<String> handedOut)
            throws VolumeException, LvmException, IOException, InterruptedException;

    /**
     * Finds the device of a volume, activating it if need be.
     *
     * @throws VolumeException NOT_FOUND if this node has no such volume
     */
    VolumeDevice active(VolumeId volume)
            throws VolumeException, LvmException, IOException, InterruptedException;

    /**
     * Returns what is known of a volume without looking at its content.
     *
     * @param anew whether LVM is asked, too; else the answer may be a minute old
     */
    VolumePast past(VolumeId volume, boolean anew)
            throws VolumeException, LvmException, IOException, InterruptedException;

    /**
     * Has a volume remember on disk what it holds.
     *
     * @throws LvmException if it does not; nothing may rely on it then
     */
    void mark(VolumeId volume, ContentMark mark)
            throws VolumeException, LvmException, IOException, InterruptedException;

    /**
     * Takes away the permission of a person to make a filesystem, which counts once.
     *
     * @throws VolumeException ABORTED if it could not be taken away
     */
    void takePermission(VolumeId volume) throws VolumeException, InterruptedException;

    /**
     * Checks once more that what was published is the volume.
     *
     * @throws VolumeException ABORTED if it is not
     */
    default void confirm(VolumeId volume, VolumeDevice published)
            throws VolumeException, IOException, InterruptedException {}

    /** Finds the device of a volume if it is active; changes nothing. */
    Optional<VolumeDevice> find(VolumeId volume)
            throws VolumeException, IOException, InterruptedException;

    /**
     * Says what is wrong with the volume, without running an LVM command; empty if it is healthy.
     */
    Optional<String> trouble(VolumeId volume)
            throws VolumeException, IOException, InterruptedException;
}
