package lvms.operator;

import static java.lang.System.Logger.Level.WARNING;

import io.grpc.BindableService;

import lvms.csi.CallMetrics;
import lvms.csi.Calls;
import lvms.csi.IdentityService;
import lvms.csi.UnixSocketServer;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.operator.capacity.CapacityPublisher;
import lvms.operator.csi.ApiFailure;
import lvms.operator.csi.ControllerService;
import lvms.operator.informer.Caches;
import lvms.operator.informer.VolumeInformers;
import lvms.operator.provision.Provisioner;
import lvms.operator.resize.Resizer;
import lvms.operator.snapshot.Snapshotter;
import lvms.operator.volume.VolumeService;
import lvms.operator.volume.VolumeSettings;

import java.io.IOException;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;

/**
 * The control side of the driver in one process: provisioning, growing, snapshots, capacity, and
 * the CSI socket, all over one {@link VolumeService}.
 *
 * <p>The controllers must run in one process of the cluster only: start it while leading, close it
 * before giving the lease away. What a killed process left half done, the next one finishes.
 */
public final class VolumeOperator implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(VolumeOperator.class.getName());

    private final VolumeOperatorSettings settings;
    private final MetricsRegistry metrics;
    private final Caches caches;
    private final VolumeService volumes;
    private final Provisioner provisioner;
    private final Resizer resizer;
    private final Snapshotter snapshotter;
    private final CapacityPublisher publisher;
    private final DriverGate gate;
    private UnixSocketServer socket;
    private boolean controllersStarted;
    private boolean closed;

    /** Builds everything; nothing runs and no request is sent yet. The caller closes the client. */
    public VolumeOperator(
            KubeClient kube,
            VolumeOperatorSettings settings,
            EventRecorder events,
            MetricsRegistry metrics) {
        this.settings = settings;
        this.metrics = metrics;
        var driver = settings.driver();
        var clock = InstantSource.system();
        var core = new VolumeSettings(driver, settings.sizes(), settings.defaultDeviceClass());
        this.caches = Caches.of(kube, driver);
        this.volumes = VolumeService.of(kube, core, caches.nodes(), clock);
        this.provisioner = new Provisioner(kube, caches, volumes, driver, events, metrics, clock);
        this.resizer = new Resizer(kube, caches, volumes, driver, events, metrics, clock);
        this.snapshotter =
                new Snapshotter(
                        kube,
                        volumes,
                        driver,
                        events,
                        metrics,
                        clock,
                        provisioner::snapshotReady,
                        this::sweepSnapshots);
        this.publisher =
                new CapacityPublisher(
                        kube, caches, volumes.capacities(), driver, settings.pod(), metrics, clock);
        this.gate = new DriverGate(kube, driver.name(), this::startControllers);
    }

    /** Returns the caches, for others in this process. */
    public VolumeInformers informers() {
        return new VolumeInformers(
                volumes.store().informer(),
                caches.nodes(),
                caches.csiNodes(),
                caches.classes(),
                caches.claims(),
                caches.volumes());
    }

    private void sweepSnapshots() {
        try {
            provisioner.sweepSnapshots();
        } catch (ApiException e) {
            LOG.log(WARNING, "protection of snapshots not looked through, next start tries", e);
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Starts everything and returns at once; {@link #ready()} tells when it works.
     *
     * @throws IOException if the CSI socket cannot be served
     */
    public synchronized void start() throws IOException {
        volumes.store().informer().start();
        caches.nodes().start();
        if (settings.socket().isPresent()) {
            socket = UnixSocketServer.inOwnFolder(settings.socket().get(), services());
            socket.start();
        }
        if (settings.controllers()) {
            caches.start();
            gate.start();
        }
    }

    private synchronized void startControllers() {
        if (!closed) {
            controllersStarted = true;
            provisioner.start();
            resizer.start();
            snapshotter.start();
            publisher.start();
        }
    }

    private List<BindableService> services() {
        var name = settings.driver().name();
        var calls =
                Calls.of("the operator")
                        .withFailures(ApiFailure::codeOf)
                        .withObstacle(this::obstacle);
        return CallMetrics.ofDriver(name, metrics)
                .over(
                        List.of(
                                new IdentityService(name, settings.version(), this::coreReady),
                                new ControllerService(volumes, settings.driver(), calls)));
    }

    private Optional<String> obstacle() {
        return coreReady() ? Optional.empty() : Optional.of("the caches are not filled yet");
    }

    private boolean coreReady() {
        return volumes.store().informer().synced() && caches.nodes().synced();
    }

    /** Returns whether the caches are filled, so that claims are being served. Never blocks. */
    public boolean ready() {
        return coreReady() && (!settings.controllers() || caches.synced());
    }

    /** Stops everything; what is under way at nodes is picked up by the next start. */
    @Override
    public synchronized void close() {
        closed = true;
        gate.close();
        if (socket != null) {
            socket.close();
        }
        if (controllersStarted) {
            publisher.close();
            snapshotter.close();
            resizer.close();
            provisioner.close();
        }
        caches.close();
        volumes.store().informer().close();
    }
}
