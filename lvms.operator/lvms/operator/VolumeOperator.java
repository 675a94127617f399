package lvms.operator;

import lvms.csi.BuildInfo;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.SideBySide;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.VolumeServices;

import java.io.IOException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/**
 * The volume half of the operator: provisioning, growing, snapshots, capacity, and the CSI sockets,
 * over one VolumeService for each driver.
 *
 * <p>The controllers must run in one process of the cluster only: start it while leading, close it
 * before giving the lease away. The next process finishes what a killed one left half done.
 */
public final class VolumeOperator implements AutoCloseable {
    private final VolumeOperatorSettings settings;
    private final OperatorInformers informers;
    private final SidecarWork work;
    private final DriverGate gate;
    private final ControllerSockets sockets;
    private boolean controllersStarted;
    private boolean closed;

    /**
     * Builds everything; nothing runs and no request is sent yet. The caller closes the client.
     *
     * @param informers what to follow; its drivers are the ones that are served
     */
    public VolumeOperator(
            KubeClient kube,
            OperatorInformers informers,
            VolumeOperatorSettings settings,
            EventRecorder events,
            MetricsRegistry metrics) {
        this.settings = settings;
        BuildInfo.of(settings.version()).show(metrics);
        this.informers = informers;
        var volumes =
                VolumeServices.of(
                        kube,
                        informers,
                        settings.sizes(),
                        settings.defaultDeviceClass(),
                        InstantSource.system());
        this.sockets = new ControllerSockets(informers, volumes, settings.version(), metrics);
        this.work =
                new SidecarWork(
                        kube,
                        informers,
                        volumes,
                        settings.pod(),
                        settings.provisioner(),
                        new SidecarWork.Parts(true, true, settings.nodes()),
                        events,
                        metrics);
        this.gate =
                new DriverGate(
                        kube,
                        informers.drivers(),
                        settings.pod().namespace(),
                        this::startControllers);
    }

    /**
     * Starts everything and returns at once; {@link #ready()} tells when it works.
     *
     * @throws IOException if the CSI socket cannot be served
     */
    public synchronized void start() throws IOException {
        sockets.startInOwnFolders(settings.sockets());
        informers.ofClaims().forEach(Informer::start);
        gate.start();
    }

    private synchronized void startControllers() {
        if (!closed) {
            controllersStarted = true;
            work.start();
        }
    }

    /** Returns whether the informers are filled, so that claims are being served. Never blocks. */
    public boolean ready() {
        return sockets.ready()
                && !gate.failed()
                && informers.ofClaims().stream().allMatch(Informer::following);
    }

    /** Stops everything; the next start continues what nodes are still working on. */
    @Override
    public synchronized void close() {
        closed = true;
        gate.close();
        var parts = new ArrayList<AutoCloseable>(List.of(sockets));
        if (controllersStarted) {
            parts.add(work);
        }
        SideBySide.close(parts);
        informers.ofClaims().forEach(Informer::close);
        informers.ofCalls().forEach(Informer::close);
    }
}
