package lvms.operator;

import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.ObjectKey;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.rawdevice.RawDeviceWork;
import lvms.operator.unit.OtherInstallation;

import java.time.Duration;
import java.util.Optional;

/**
 * Serves claims of raw devices while the CSIDriver of that name is ours: the part of the operator
 * that carries clusters out makes it when raw devices are switched on. Until then it follows
 * nothing but CSIDrivers.
 *
 * <p>As with {@link VolumeOperator}, it must run in one process of the cluster only, and somebody
 * else starts the informers around claims.
 */
public final class RawDeviceOperator implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(RawDeviceOperator.class.getName());
    private static final ObjectKey DRIVER = ObjectKey.cluster(RawDevice.DRIVER.name());
    private static final Duration LOOK_AGAIN = Duration.ofSeconds(15);

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final VolumeOperatorSettings settings;
    private final EventRecorder events;
    private final MetricsRegistry metrics;
    private final OtherInstallation other;
    private final Controller<ObjectKey> gate;
    private Optional<RawDeviceWork> work = Optional.empty(); // the gate's worker alone uses it

    /**
     * Builds it; nothing runs and no request is sent yet.
     *
     * @param informers what to follow; its caches have to keep what concerns raw devices
     */
    public RawDeviceOperator(
            KubeClient kube,
            OperatorInformers informers,
            VolumeOperatorSettings settings,
            EventRecorder events,
            MetricsRegistry metrics) {
        this.kube = kube;
        this.informers = informers;
        this.settings = settings;
        this.events = events;
        this.metrics = metrics;
        this.other = new OtherInstallation(kube, settings.pod().namespace());
        this.gate =
                Controller.named("raw-devices", this::look).watch(informers.csiDrivers()).build();
    }

    public void start() {
        gate.start();
    }

    private Result look(ObjectKey key) throws ApiException, InterruptedException {
        if (!key.equals(DRIVER)) {
            return Result.done();
        }
        var driver = informers.csiDrivers().get(key);
        var foreign = other.of(driver);
        boolean served =
                driver.filter(found -> !found.terminating()).isPresent() && foreign.isEmpty();
        if (served && work.isEmpty()) {
            begin();
        } else if (!served && work.isPresent()) {
            end();
        }
        foreign.ifPresent(
                why ->
                        LOG.log(
                                WARNING,
                                () ->
                                        "claims of raw devices are not served reason=\""
                                                + why
                                                + "\""));
        return foreign.isPresent() ? Result.requeueAfter(LOOK_AGAIN) : Result.done();
    }

    private void begin() {
        var begun =
                new RawDeviceWork(
                        kube,
                        informers,
                        settings.pod(),
                        settings.provisioner().naming(),
                        settings.provisioner().capacityForImmediateBinding(),
                        events,
                        metrics);
        work = Optional.of(begun);
        begun.start();
        LOG.log(INFO, "claims of raw devices are served");
    }

    private void end() {
        work.orElseThrow().close();
        work = Optional.empty();
        LOG.log(INFO, "claims of raw devices are no longer served");
    }

    @Override
    public void close() {
        gate.close();
        work.ifPresent(RawDeviceWork::close);
    }
}
