package lvms.node.disk;

import lvms.lvm2.label.PvLabel;
import lvms.node.proof.DiskTaking;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The block devices of the machine, as the volume group manager sees and changes them. */
public interface Host {
    /** Reads every block device anew. Starts no process. */
    List<NodeDevice> devices() throws IOException, InterruptedException;

    /**
     * Follows a path to a device; empty if it leads to none.
     *
     * @return path by the kernel's name, as in {@link NodeDevice#kernelName()}
     */
    Optional<String> kernelName(Path path) throws IOException;

    /**
     * Reads what a device says of itself as a physical volume.
     *
     * @throws IOException if it cannot be read or is damaged
     */
    PvLabel label(NodeDevice device) throws IOException;

    /**
     * Returns a text that changes with each change of the volume group that the device belongs to.
     *
     * @throws IOException if it cannot be read or is damaged
     */
    String labelStamp(NodeDevice device) throws IOException;

    /** Returns whether there are bytes other than zero where data is likely to be. */
    boolean hasData(NodeDevice device) throws IOException;

    /** Returns which disk has the name now, as in {@link NodeDevice#sequence()}. */
    long sequence(String kernelName) throws IOException;

    /** Looks again, right before LVM gets the device. Takes some seconds if it is locked. */
    DiskTaking lastLook(NodeDevice device) throws IOException, InterruptedException;

    /**
     * Destroys every signature and partition table on a device.
     *
     * @throws IOException if somebody uses it, perhaps in a way that its {@code uses} do not show,
     *     or if another device has its name now; nothing was changed then
     */
    void wipe(NodeDevice device) throws IOException, InterruptedException;

    /**
     * Returns a text that changes when a device other than a logical volume appears, vanishes or
     * changes its size.
     */
    String fingerprint() throws IOException;
}
