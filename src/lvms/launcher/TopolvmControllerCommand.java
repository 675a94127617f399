package lvms.launcher;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.health.Check;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.metrics.ProcessMetrics;
import lvms.k8s.object.ObjectKey;
import lvms.launcher.command.Command;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.AllocationFlags;
import lvms.launcher.flag.Environment;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.LogFlags;
import lvms.launcher.flag.NodeFlags;
import lvms.launcher.flag.ProvisionerFlags;
import lvms.launcher.flag.TopolvmFlags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.log.Logging;
import lvms.operator.NodeSettings;
import lvms.operator.ProvisionerSettings;
import lvms.operator.TopolvmController;
import lvms.operator.informer.OperatorInformers;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code topolvm-controller}: TopoLVM's controller, beside the standard sidecars or alone. */
final class TopolvmControllerCommand implements Command {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final String NAME = "topolvm-controller";
    private static final String SOCKET = "csi-socket";
    private static final String SKIP = "skip-node-finalize";
    private static final String CAPACITY = "enable-capacity";
    private static final String SNAPSHOTS = "enable-snapshots";

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "TopoLVM's controller: CSI controller service, deleted Nodes, webhook of pods";
    }

    @Override
    public List<Flag> flags() {
        var flags =
                new ArrayList<>(
                        List.of(
                                TopolvmFlags.VERSION,
                                new Flag(
                                        SOCKET,
                                        Flag.Kind.TEXT,
                                        "/run/topolvm/csi-topolvm.sock",
                                        "socket of the CSI controller service"),
                                Serving.HEALTH,
                                new Flag(
                                        SKIP,
                                        Flag.Kind.SWITCH,
                                        "false",
                                        "leave the claims and volumes of a deleted Node alone"),
                                TopolvmFlags.OWN_SIDECARS,
                                new Flag(
                                        CAPACITY,
                                        Flag.Kind.SWITCH,
                                        "true",
                                        "with --own-sidecars: publish CSIStorageCapacity objects"),
                                new Flag(
                                        SNAPSHOTS,
                                        Flag.Kind.SWITCH,
                                        "true",
                                        "with --own-sidecars: make and remove snapshots")));
        flags.addAll(TopolvmPages.FLAGS);
        flags.addAll(TopolvmWebhook.FLAGS);
        flags.addAll(TopolvmElection.FLAGS);
        flags.addAll(AllocationFlags.flags());
        flags.addAll(ProvisionerFlags.ALL);
        flags.addAll(NodeFlags.ALL);
        flags.addAll(TopolvmFlags.and());
        return flags;
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster(Variable.LEGACY);
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        Logging.start(LogFlags.read(flags));
        TopolvmFlags.warn(flags);
        var settings = settings(flags, Environment.ofProcess().driver());
        var choices = ProvisionerFlags.read(flags);
        var nodes = NodeFlags.read(flags);
        var election = TopolvmElection.of(flags);
        try (var serving = new Serving(NAME)) {
            serve(serving, flags, settings, choices, nodes, election);
            return serving.awaitEnd();
        } catch (IOException e) {
            LOG.log(ERROR, () -> NAME + " cannot serve: " + e.getMessage());
            return 1;
        }
    }

    private static TopolvmController.Settings settings(Flags flags, Driver driver)
            throws UsageException {
        return new TopolvmController.Settings(
                driver,
                AllocationFlags.read(flags),
                VersionCommand.version(),
                Path.of(flags.text(SOCKET)),
                !flags.on(SKIP),
                Optional.empty());
    }

    private static void serve(
            Serving serving,
            Flags flags,
            TopolvmController.Settings given,
            ProvisionerSettings choices,
            NodeSettings nodes,
            TopolvmElection election)
            throws UsageException, IOException, InterruptedException {
        var driver = given.driver();
        var metrics = ProcessMetrics.registry(TopolvmPages.hasMetrics(flags));
        var client = serving.client(NAME, metrics);
        var drivers = new ServedDrivers(client, serving).with(driver);
        if (drivers.isEmpty()) {
            return; // told to end before the cluster could be asked
        }
        boolean ownSidecars = flags.on(TopolvmFlags.OWN_SIDECARS.name());
        var pod = ObjectKey.of(client.namespace(), TopolvmElection.hostName());
        var alone =
                new TopolvmController.Alone(
                        pod, choices, flags.on(CAPACITY), flags.on(SNAPSHOTS), nodes);
        var settings = ownSidecars ? given.with(alone) : given;
        var further = ownSidecars ? TopolvmElection.ofSidecars(driver) : List.<String>of();
        var leases = serving.closingLease(election.leases(client, further));
        var leader = client.guardedBy(leases);
        var controller =
                serving.closing(
                        controller(serving, client, leader, drivers.get(), settings, metrics));
        var webhook =
                TopolvmWebhook.serve(serving, flags, client, controller, driver, drivers.get());
        serving.health(
                flags,
                ownSidecars ? new Check("csi", controller::answers) : Check.PING,
                List.of(
                        new Check("readyz", () -> true),
                        new Check("webhook", webhook),
                        new Check("volumes", controller::ready)));
        TopolvmPages.serve(serving, flags, client, metrics);
        controller.serve();
        LOG.log(INFO, () -> NAME + " serves driver=" + driver.name());
        leases.start(serving, controller::lead);
    }

    private static TopolvmController controller(
            Serving serving,
            KubeClient client,
            KubeClient leader,
            Drivers drivers,
            TopolvmController.Settings settings,
            MetricsRegistry metrics) {
        var writer = settings.alone().isPresent() ? leader : client; // nobody else calls then
        return new TopolvmController(
                writer,
                leader,
                OperatorInformers.of(writer, drivers, client.namespace()),
                settings,
                serving.closing(EventRecorder.open(leader, NAME, TopolvmElection.hostName())),
                metrics);
    }
}
