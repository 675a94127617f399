package lvms.node;

import lvms.api.VolumeException;
import lvms.csi.CallMetrics;
import lvms.csi.IdentityService;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.csi.ConditionEvents;
import lvms.node.csi.KnownVolumes;
import lvms.node.csi.KubeletFolders;
import lvms.node.csi.LvmVolumeDevices;
import lvms.node.csi.NodeService;
import lvms.node.csi.VolumeCalls;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.kubelet.PluginRegistration;
import lvms.node.socket.SocketKeeper;
import lvms.node.volume.GroupLedgers;
import lvms.node.volume.NodeVolumes;
import lvms.node.volume.VolumeCheck;
import lvms.node.volume.VolumeController;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * All of a node's work on volumes: it makes and removes the volumes that LogicalVolume objects ask
 * for, publishes them to pods for kubelet, and keeps the driver registered with kubelet.
 *
 * <p>Threads: {@link #start} and {@link #close} belong to one thread, the rest to any.
 */
final class CsiNode implements AutoCloseable {
    /** Kubelet waits two minutes for a call. After half of that, we tell it to repeat the call. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final VolumeController volumes;
    private final KubeletFolders kubelet;
    private final VolumeCalls calls = new VolumeCalls(PATIENCE);
    private final SocketKeeper socket;
    private final Optional<PluginRegistration> registration;
    private volatile IdentityService.Readiness health = () -> true;

    /**
     * Puts the parts together; nothing is started yet.
     *
     * @param groups reservations in the volume groups, shared with every other part that makes
     *     volumes
     * @param classes the device classes of this node
     * @param groupChanged called with a group after each change in it; it must return at once
     */
    CsiNode(
            CsiNodeSettings settings,
            KubeClient kube,
            GroupLedgers groups,
            LiveDeviceClasses classes,
            Consumer<String> groupChanged,
            EventRecorder events,
            MetricsRegistry metrics) {
        var driver = settings.driver();
        kubelet = new KubeletFolders(settings.kubeletFolder(), driver.name());
        volumes =
                new VolumeController(
                        kube,
                        driver,
                        settings.nodeName(),
                        classes,
                        groups,
                        groupChanged,
                        volume -> kubelet.removed(volume.name(), volume.status().volumeId()),
                        events,
                        metrics);
        var devices =
                new LvmVolumeDevices(
                        KnownVolumes.of(volumes::volumes),
                        classes::current,
                        groups,
                        DeviceMapper.system());
        var conditions =
                new ConditionEvents(
                        id -> volumes.volumes().flatMap(known -> known.byVolumeId(id)), events);
        var node =
                new NodeService(
                        new NodeService.NodeIdentity(settings.nodeName(), driver.topologyKey()),
                        devices,
                        calls,
                        kubelet,
                        volume -> {
                            conditions.forget(volume);
                            volumes.released(volume.text());
                        },
                        conditions::observe);
        var identity = new IdentityService(driver.name(), settings.version(), this::probe);
        var services = CallMetrics.ofDriver(driver.name(), metrics).over(List.of(identity, node));
        registration =
                settings.registrationFolder()
                        .map(
                                folder ->
                                        new PluginRegistration(
                                                folder,
                                                driver.name(),
                                                settings.hostSocket().toString()));
        socket =
                registration.isPresent()
                        ? SocketKeeper.inOwnFolder(settings.socket(), services)
                        : SocketKeeper.inSharedFolder(settings.socket(), services);
    }

    /** Has the call Probe say what this says, too. Call it before the start. */
    void probedBy(IdentityService.Readiness check) {
        health = check;
    }

    private boolean probe() throws VolumeException {
        return health.ready() && ready();
    }

    /**
     * Starts serving. Reads the objects of this node in the background. Until they are known, calls
     * for volumes get ABORTED, and kubelet repeats them.
     *
     * @throws IOException if a socket cannot be served
     */
    void start() throws IOException {
        volumes.start();
        kubelet.tidy();
        socket.start();
        if (registration.isPresent()) {
            registration.get().start(); // kubelet calls back at once, so this comes last
        }
    }

    /** Returns whether volumes can be served: their objects are known. */
    boolean ready() {
        return volumes.volumes().filter(NodeVolumes::synced).isPresent();
    }

    /** Returns the comparison of disk and objects. */
    VolumeCheck check() {
        return volumes.check();
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
        calls.close();
        volumes.close();
    }
}
