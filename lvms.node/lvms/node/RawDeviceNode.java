package lvms.node;

import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.device.BlockDevices;
import lvms.node.csi.NodeService.Offer;
import lvms.node.csi.VolumeCalls;
import lvms.node.format.Formats;
import lvms.node.rawdevice.RawDevices;
import lvms.node.rawdevice.RawVolumeDevices;

import java.io.IOException;
import java.nio.file.Path;

/** The driver of raw devices on this node, for kubelet. The RawDevices belong to the caller. */
final class RawDeviceNode implements AutoCloseable {
    private final VolumeCalls calls = VolumeCalls.ofKubelet();
    private final CsiDoor door;

    /** Puts the parts together; nothing is opened yet. */
    RawDeviceNode(CsiNodeSettings settings, RawDevices devices, MetricsRegistry metrics) {
        door =
                new CsiDoor(
                        settings,
                        new CsiDoor.Behind(
                                Offer.DEVICES,
                                new RawVolumeDevices(devices, BlockDevices.system()),
                                calls,
                                Formats.none(),
                                _ -> {},
                                (_, _) -> {},
                                devices::synced,
                                metrics));
    }

    /**
     * Serves, and offers the driver to kubelet.
     *
     * @throws IOException if a socket cannot be served
     */
    void start() throws IOException {
        door.open();
    }

    Path socket() {
        return door.socket();
    }

    @Override
    public void close() {
        door.close();
        calls.close();
    }
}
