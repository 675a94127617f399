package lvms.node;

import lvms.api.Drivers;
import lvms.csi.BuildInfo;
import lvms.csi.SelfCheck;
import lvms.csi.SocketProbe;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.capacity.LvmdCapacity;
import lvms.node.client.LvmdConnection;
import lvms.node.client.LvmdWatch;
import lvms.node.client.storage.LvmdStorage;
import lvms.node.csi.LvmdVolumeDevices;
import lvms.node.format.Formats;
import lvms.node.volume.VolumeController;

import java.io.IOException;
import java.nio.file.Path;

/**
 * TopoLVM's node service beside the lvmd of another process, which runs LVM for it. Registering
 * with kubelet is a sidecar's work, or its own where there is none.
 *
 * <p>Threads: any may ask whether it is ready; the rest belongs to one thread.
 */
public final class LvmdNode implements AutoCloseable {
    private final TopolvmNode.Settings settings;
    private final KubeClient kube;
    private final LvmdConnection lvmd;
    private final LvmdWatch watch;
    private final LvmdCapacity capacity;
    private final CsiNode csi;
    private final OldDriver old;

    /**
     * Puts the parts together; nothing is started yet.
     *
     * @param socket of lvmd; nobody needs to listen on it yet
     */
    public LvmdNode(
            TopolvmNode.Settings settings,
            Path socket,
            KubeClient kube,
            EventRecorder events,
            MetricsRegistry metrics) {
        this.settings = settings;
        this.kube = kube;
        lvmd = new LvmdConnection(socket);
        watch = new LvmdWatch(lvmd);
        BuildInfo.of(settings.version()).show(metrics);
        var driver = settings.driver();
        var node = settings.nodeName();
        capacity = new LvmdCapacity(kube, Drivers.of(driver), watch, node, metrics);
        var places =
                CsiNodeSettings.at(
                        settings.socket(), settings.registers(), driver, node, settings.version());
        var formats = Formats.notedIn(places.formatNotes());
        csi =
                new CsiNode(
                        new CsiFront(places, formats, metrics),
                        removed ->
                                new VolumeController(
                                        kube,
                                        driver,
                                        node,
                                        watch,
                                        objects ->
                                                new LvmdStorage(
                                                        lvmd,
                                                        watch::classes,
                                                        formats,
                                                        kube,
                                                        node,
                                                        objects),
                                        removed,
                                        events,
                                        metrics),
                        known -> new LvmdVolumeDevices(known, lvmd, formats, DeviceMapper.system()),
                        events);
        old =
                new OldDriver(
                        () -> Drivers.servedWith(kube, driver),
                        csi::alsoServe,
                        capacity::serve,
                        () -> {});
    }

    /**
     * Starts working; returns once the socket is served. Volumes are made as soon as lvmd has told
     * its state.
     *
     * @throws IOException if the socket cannot be served
     */
    public void start() throws IOException {
        SelfCheck.Look served = lvmd::trouble;
        csi.probedBy(served.then(SelfCheck.ofDriver(kube, settings.driver())));
        watch.onState(csi::lookAgain);
        capacity.start();
        watch.start();
        csi.start();
        old.start();
    }

    /** Returns whether volumes can be served: their objects are known. */
    public boolean ready() {
        return csi.ready();
    }

    /** Returns whether the socket is answered; it may take three seconds. */
    public boolean answers() {
        return SocketProbe.answers(settings.socket());
    }

    /** Returns whether kubelet's last answer was that the driver is registered. */
    public boolean registered() {
        return csi.registered();
    }

    @Override
    public void close() {
        old.close();
        csi.close();
        capacity.close();
        watch.close();
        lvmd.close();
    }
}
