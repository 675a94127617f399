package lvms.node;

import lvms.api.LogicalVolume;
import lvms.csi.CallMetrics;
import lvms.csi.IdentityService;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.node.csi.KubeletFolders;
import lvms.node.csi.NodeService;
import lvms.node.csi.NodeService.Offer;
import lvms.node.csi.VolumeCalls;
import lvms.node.csi.VolumeDevices;
import lvms.node.csi.VolumeId;
import lvms.node.format.Formats;
import lvms.node.kubelet.PluginRegistration;
import lvms.node.socket.SocketKeeper;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * One driver as kubelet knows it: a socket, a registration and a folder for its volumes. Several
 * drivers whose LogicalVolumes are in one group share everything behind it.
 */
final class CsiDoor implements AutoCloseable {
    private final KubeletFolders kubelet;
    private final SocketKeeper socket;
    private final Optional<PluginRegistration> registration;

    /**
     * What is behind every door of a node.
     *
     * @param offer what pods can have of the volumes
     * @param calls running calls, so that a volume is not worked on through two doors at once
     * @param formats where filesystems are made, so that no copy is taken meanwhile
     * @param left told of a volume that left a target
     * @param conditions told what is wrong with a volume, or that nothing is
     */
    record Behind(
            Offer offer,
            VolumeDevices devices,
            VolumeCalls calls,
            Formats formats,
            Consumer<VolumeId> left,
            BiConsumer<VolumeId, Optional<String>> conditions,
            IdentityService.Readiness probe,
            MetricsRegistry metrics) {}

    /** Prepares the door; nothing is opened yet. */
    CsiDoor(CsiNodeSettings settings, Behind behind) {
        var driver = settings.driver();
        kubelet = new KubeletFolders(settings.kubeletFolder(), driver.name());
        var node =
                new NodeService(
                        new NodeService.NodeIdentity(
                                settings.nodeName(), driver.topologyKey(), behind.offer()),
                        behind.devices(),
                        behind.calls(),
                        behind.formats(),
                        kubelet,
                        behind.left(),
                        behind.conditions());
        var identity = identity(driver.name(), settings.version(), behind);
        var services =
                CallMetrics.ofDriver(driver.name(), behind.metrics()).over(List.of(identity, node));
        registration =
                settings.registrationFolder()
                        .map(
                                folder ->
                                        new PluginRegistration(
                                                folder,
                                                driver.name(),
                                                settings.hostSocket().toString()));
        socket =
                settings.ownsFolder()
                        ? SocketKeeper.inOwnFolder(settings.socket(), services)
                        : SocketKeeper.inSharedFolder(settings.socket(), services);
    }

    private static IdentityService identity(String driver, String version, Behind behind) {
        return switch (behind.offer()) {
            case ALL -> new IdentityService(driver, version, behind.probe());
            case DEVICES -> IdentityService.ofDevices(driver, version, behind.probe());
        };
    }

    /**
     * Serves, and offers the driver to kubelet.
     *
     * @throws IOException if a socket cannot be served
     */
    void open() throws IOException {
        kubelet.tidy();
        socket.start();
        if (registration.isPresent()) {
            registration.get().start(); // kubelet calls back at once, so this comes last
        }
    }

    /** Removes what kubelet left of a volume that is gone from the disk. */
    void removed(LogicalVolume volume) {
        kubelet.removed(volume.name(), volume.status().volumeId());
    }

    /** Returns whether kubelet's last answer was that the driver is registered. */
    boolean registered() {
        return registration.filter(PluginRegistration::registered).isPresent();
    }

    Path socket() {
        return socket.socket();
    }

    /** Withdraws the driver from kubelet, then stops serving; running calls get five seconds. */
    @Override
    public void close() {
        registration.ifPresent(PluginRegistration::close);
        socket.close();
    }
}
