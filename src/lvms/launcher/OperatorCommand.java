package lvms.launcher;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;

import lvms.api.Driver;
import lvms.api.Names;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.controller.SideBySide;
import lvms.k8s.election.LeaderElector;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.health.Check;
import lvms.k8s.health.HealthServer;
import lvms.k8s.metrics.ProcessMetrics;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.serving.HttpHandler;
import lvms.launcher.command.Command;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.AgentFlags;
import lvms.launcher.flag.Environment;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.LogFlags;
import lvms.launcher.flag.NativestorFlags;
import lvms.launcher.flag.NodeFlags;
import lvms.launcher.flag.ProvisionerFlags;
import lvms.launcher.flag.TlsFlags;
import lvms.launcher.flag.TopolvmFlags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.log.Logging;
import lvms.operator.ClusterOperator;
import lvms.operator.RawDeviceOperator;
import lvms.operator.VolumeOperator;
import lvms.operator.VolumeOperatorSettings;
import lvms.operator.certificate.MetricsCertificates;
import lvms.operator.cluster.ClusterSettings;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.page.CachedReport;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** {@code lvms operator}: the control side. */
final class OperatorCommand implements Command {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final MetricsFlags METRICS = new MetricsFlags("diagnostics-address");
    private static final String ELECT = "leader-elect";
    private static final String SOCKET = "csi-socket";
    private static final String SKIP = "skip-node-finalize";
    private static final String NATIVE_STOR = "nativestor";

    @Override
    public String name() {
        return "operator";
    }

    @Override
    public String summary() {
        return "the control side: LVMCluster controller, provisioning, snapshots, capacity";
    }

    @Override
    public List<Flag> flags() {
        var flags = new ArrayList<>(List.of(Serving.HEALTH));
        flags.addAll(METRICS.flags());
        flags.addAll(WebhookFlags.ALL);
        flags.addAll(ProvisionerFlags.ALL);
        flags.addAll(NodeFlags.ALL);
        flags.addAll(TlsFlags.ALL);
        flags.addAll(TopolvmFlags.and());
        flags.addAll(
                List.of(
                        new Flag(
                                ELECT,
                                Flag.Kind.SWITCH,
                                "false",
                                "work only while this process holds the lease"),
                        new Flag(
                                SOCKET,
                                Flag.Kind.TEXT,
                                "/run/topolvm/csi-topolvm.sock",
                                "socket of the CSI controller service"),
                        new Flag(
                                SKIP,
                                Flag.Kind.SWITCH,
                                "false",
                                "leave the claims and volumes of a deleted Node alone"),
                        new Flag(
                                NATIVE_STOR,
                                Flag.Kind.SWITCH,
                                "false",
                                "carry TopolvmClusters out and obey NativeStor's settings, in"
                                        + " ConfigMap nativestor-setting or in variables of the"
                                        + " same names; see docs/nativestor.md")));
        flags.addAll(AgentFlags.flags());
        return flags;
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster(
                Variable.NAMESPACE, Variable.POD, Variable.NATIVE_STOR, NativestorFlags.BLACKLIST);
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        var environment = Environment.ofProcess();
        var pod =
                ObjectKey.of(
                        environment.required(Variable.NAMESPACE),
                        environment.required(Variable.POD));
        try (var serving = new Serving(name())) {
            serve(serving, flags, environment, pod);
            return serving.awaitEnd();
        } catch (IOException e) {
            LOG.log(ERROR, () -> "operator cannot work error=" + e.getMessage());
            return 1;
        }
    }

    private static void serve(Serving serving, Flags flags, Environment environment, ObjectKey pod)
            throws UsageException, IOException, InterruptedException {
        TopolvmFlags.warn(flags);
        var logging = Logging.start(LogFlags.read(flags));
        var page = METRICS.read(flags);
        var agents = AgentFlags.read(flags, environment).tls(TlsFlags.given(flags));
        var metrics = ProcessMetrics.registry(page.isPresent());
        var client = serving.client(Names.OPERATOR, metrics);
        var volumesReady = new LateCheck();
        var clustersReady = new LateCheck();
        serving.health(
                flags, new Check("volumes", volumesReady), new Check("clusters", clustersReady));
        var elector = Optional.<LeaderElector>empty();
        if (flags.on(ELECT)) {
            elector = new Candidacy(client, pod, serving::endsWithin).elector();
            if (elector.isEmpty()) {
                return; // told to end before the cluster could be asked
            }
        }
        elector.ifPresent(
                serving::closingLease); // after the work, since closing releases the lease
        var served = new ServedDrivers(client, serving);
        var drivers =
                flags.on(NATIVE_STOR) ? served.afterNativeStor() : served.with(Driver.TOPOLVM);
        if (drivers.isEmpty()) {
            return; // the same
        }
        var kube = elector.map(client::guardedBy).orElse(client);
        var events = serving.closing(EventRecorder.open(kube, Names.OPERATOR, pod.name()));
        boolean raw = flags.on(NATIVE_STOR) || agents.features().rawDevices();
        var informers =
                OperatorInformers.of(
                        kube,
                        drivers.get(),
                        raw ? drivers.get().and(RawDevice.DRIVER) : drivers.get(),
                        pod.namespace());
        var settings =
                VolumeOperatorSettings.of(
                                pod, VersionCommand.version(), Path.of(flags.text(SOCKET)))
                        .provisioner(ProvisionerFlags.read(flags))
                        .nodes(NodeFlags.read(flags));
        var tls = PortTls.of(flags, informers.tls());
        serving.profiling(METRICS.profiling(flags), client, tls);
        var volumes = new VolumeOperator(kube, informers, settings, events, metrics);
        var devices =
                raw
                        ? Optional.of(
                                new RawDeviceOperator(kube, informers, settings, events, metrics))
                        : Optional.<RawDeviceOperator>empty();
        var clusters =
                new ClusterOperator(
                        kube,
                        clusterSettings(flags, environment, pod).agents(agents),
                        informers,
                        metrics);
        clusters.onLogWishes(logging::follow);
        clusters.onForeignDriver(() -> serving.end(1)); // the next one begins without that driver
        var parts = new ArrayList<AutoCloseable>(List.of(volumes, clusters));
        devices.ifPresent(parts::add);
        serving.closing(() -> SideBySide.close(parts));
        // A rolling update waits for the new pod, which leads only when the old one is gone.
        var candidate = elector;
        BooleanSupplier standingBy = () -> candidate.map(LeaderElector::standingBy).orElse(false);
        volumesReady.is(() -> volumes.ready() || standingBy.getAsBoolean());
        clustersReady.is(() -> clusters.ready() || standingBy.getAsBoolean());
        var metricsPage = HealthServer.metricsPage(metrics);
        boolean gated = page.filter(PagePort.Secured.class::isInstance).isPresent();
        var pages = gated ? withReport(metricsPage, informers, pod.namespace()) : metricsPage;
        serving.pages(page, client, pages, tls);
        WebhookFlags.serve(serving, flags, client, tls, pod.namespace());
        var certificates =
                page.flatMap(PagePort::certificates)
                        .map(
                                folder ->
                                        serving.closing(
                                                new MetricsCertificates(
                                                        kube, pod.namespace(), folder)));
        Runnable work =
                () -> {
                    start(serving, volumes, clusters);
                    devices.ifPresent(RawDeviceOperator::start);
                    certificates.ifPresent(MetricsCertificates::start);
                };
        elector.ifPresentOrElse(e -> e.start(serving.leading(work, e.margin())), work);
    }

    /** Not in plain text, where nobody says who may read it: the report has names of claims. */
    private static HttpHandler withReport(
            HttpHandler metrics, OperatorInformers informers, String namespace) {
        var source = "the operator of lvms " + VersionCommand.version();
        var report = new CachedReport(informers, namespace, source, InstantSource.system());
        return request ->
                request.path().equals(CachedReport.PATH)
                        ? report.answer(request)
                        : metrics.answer(request);
    }

    private static ClusterSettings clusterSettings(
            Flags flags, Environment environment, ObjectKey pod) {
        var usual = ClusterSettings.of(pod.namespace(), pod.name());
        var settings = flags.on(SKIP) ? usual.keepingAfterNodes() : usual;
        return flags.on(NATIVE_STOR) ? settings.nativeStor(environment.variables()) : settings;
    }

    private static void start(Serving serving, VolumeOperator volumes, ClusterOperator clusters) {
        try {
            volumes.start();
            clusters.start();
            LOG.log(INFO, "operator serves");
        } catch (IOException e) {
            LOG.log(ERROR, () -> "operator cannot serve error=" + e.getMessage());
            serving.end(1);
        }
    }
}
