package lvms.node;

import lvms.api.LogicalVolume;
import lvms.api.VolumeException;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.node.csi.NodeService.Offer;
import lvms.node.csi.VolumeCalls;
import lvms.node.csi.VolumeDevices;
import lvms.node.csi.VolumeId;
import lvms.node.format.Formats;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * What kubelet sees of a node's own driver: its door, which may be open before the node has LVM.
 * Who the node is, is answered at once; calls for volumes wait for those who serve them.
 *
 * <p>Threads: {@link #open} and {@link #close} belong to one thread, the rest to any.
 */
final class CsiFront implements AutoCloseable {
    private final CsiNodeSettings settings;
    private final VolumeCalls calls = VolumeCalls.ofKubelet();
    private final LateVolumeDevices devices = new LateVolumeDevices();
    private final CsiDoor.Behind behind;
    private volatile CsiDoor door;
    private volatile boolean open;
    private volatile Optional<Servants> servants = Optional.empty();

    /** Who serves the volumes. */
    interface Servants {
        /** Hears that a volume left a target. */
        void left(VolumeId volume);

        /** Hears what is wrong with a volume, or that nothing is. */
        void observed(VolumeId volume, Optional<String> trouble);

        /** Returns whether volumes can be served. */
        boolean ready() throws VolumeException;
    }

    /**
     * Prepares the door; nothing is opened yet.
     *
     * @param formats where filesystems are made, shared with all that copies volumes
     */
    CsiFront(CsiNodeSettings settings, Formats formats, MetricsRegistry metrics) {
        this.settings = settings;
        behind =
                new CsiDoor.Behind(
                        Offer.ALL,
                        devices,
                        calls,
                        formats,
                        volume -> tell(now -> now.left(volume)),
                        (volume, trouble) -> tell(now -> now.observed(volume, trouble)),
                        this::ready,
                        metrics);
        door = new CsiDoor(settings, behind);
    }

    private void tell(Consumer<Servants> what) {
        servants.ifPresent(what);
    }

    private boolean ready() throws VolumeException {
        var now = servants;
        return now.isPresent() && now.get().ready();
    }

    CsiNodeSettings settings() {
        return settings;
    }

    /** What is behind this door, and those of other drivers of its group. */
    CsiDoor.Behind behind() {
        return behind;
    }

    /**
     * Serves, and offers the driver to kubelet, unless it was done before.
     *
     * @throws IOException if a socket cannot be served; may be tried again
     */
    void open() throws IOException {
        if (open) {
            return;
        }
        try {
            door.open();
            open = true;
        } catch (IOException e) {
            door.close();
            door = new CsiDoor(settings, behind);
            throw e;
        }
    }

    /** Has calls for volumes say why there is no LVM. */
    void lacksLvm(String obstacle) {
        devices.lack(obstacle);
    }

    /** Lets the calls pass that wait, and those to come. */
    void serve(VolumeDevices found, Servants by) {
        servants = Optional.of(by);
        devices.are(found);
    }

    /** Removes what kubelet left of a volume that is gone from the disk. */
    void removed(LogicalVolume volume) {
        door.removed(volume);
    }

    /** Returns whether kubelet's last answer was that the driver is registered. */
    boolean registered() {
        return door.registered();
    }

    Path socket() {
        return door.socket();
    }

    /** Withdraws the driver from kubelet, then stops serving; running calls get five seconds. */
    @Override
    public void close() {
        door.close();
        calls.close();
    }
}
