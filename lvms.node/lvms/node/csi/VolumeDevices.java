package lvms.node.csi;

import lvms.lvm2.LvmException;

import java.io.IOException;
import java.util.Optional;

/** Finds the volumes of this node. Any thread may call; calls block as long as the device does. */
interface VolumeDevices {
    /**
     * Checks that this node has the volume.
     *
     * @throws CallException.Missing if it does not
     * @throws CallException.Later if that is not known yet
     */
    void require(VolumeId volume) throws CallException, InterruptedException;

    /**
     * Finds the device of a volume, activating it if need be.
     *
     * @throws CallException.Missing if this node has no such volume
     */
    VolumeDevice active(VolumeId volume)
            throws CallException, LvmException, IOException, InterruptedException;

    /** Finds the device of a volume if it is active; changes nothing. */
    Optional<VolumeDevice> find(VolumeId volume)
            throws CallException, IOException, InterruptedException;

    /** Says what is wrong with the volume, without a command of LVM; empty if it is healthy. */
    Optional<String> trouble(VolumeId volume)
            throws CallException, IOException, InterruptedException;
}
