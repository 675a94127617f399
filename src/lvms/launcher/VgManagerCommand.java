package lvms.launcher;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;

import lvms.api.Names;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.health.Check;
import lvms.k8s.metrics.ProcessMetrics;
import lvms.launcher.command.Command;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.Environment;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.LogFlags;
import lvms.launcher.flag.NativestorFlags;
import lvms.launcher.flag.TlsFlags;
import lvms.launcher.flag.TopolvmFlags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.launcher.lvm.LvmSearch;
import lvms.log.Logging;
import lvms.lvm2.LvmException;
import lvms.node.NativestorSettings;
import lvms.node.NodeAgent;
import lvms.node.NodeAgentSettings;
import lvms.node.NodeLock;
import lvms.node.deviceclass.LvmdConfigFile;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code lvms vgmanager}: the node agent. */
final class VgManagerCommand implements Command {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final MetricsFlags METRICS = new MetricsFlags("diagnosticsAddr");
    private static final String LOCK = "lock-file";
    private static final String LVMD = "lvmd-config";
    private static final String KUBELET = "kubelet-root";
    private static final String LVMD_SOCKET = "lvmd-socket";
    private static final String USERS = "user-device-classes";
    private static final String GUARD = "require-guard";

    @Override
    public String name() {
        return "vgmanager";
    }

    @Override
    public String summary() {
        return "the node agent: volume groups, logical volumes, CSI node service";
    }

    @Override
    public List<Flag> flags() {
        var flags = new ArrayList<>(List.of(Serving.HEALTH));
        flags.addAll(METRICS.flags());
        flags.addAll(TlsFlags.ALL);
        flags.addAll(TopolvmFlags.and());
        flags.addAll(NativestorFlags.ALL);
        flags.addAll(
                List.of(
                        file(LOCK, NodeLock.FILE, "lock that lets one agent at a time work"),
                        file(LVMD, LvmdConfigFile.PATH, "file that keeps the device classes"),
                        file(KUBELET, NodeAgentSettings.KUBELET, "kubelet's folder on this node"),
                        Flag.ofText(
                                USERS,
                                "",
                                "lvmd.yaml of volume groups that people made, or a folder with"
                                        + " NODE.yaml or default.yaml"),
                        new Flag(
                                GUARD,
                                Flag.Kind.SWITCH,
                                "false",
                                "work only where a policy keeps this agent to its own node"),
                        new Flag(
                                LVMD_SOCKET,
                                Flag.Kind.TEXT,
                                "",
                                "socket to serve lvmd's gRPC on as well, such as"
                                        + " /run/topolvm/lvmd.sock")));
        return flags;
    }

    private static Flag file(String name, Path fallback, String meaning) {
        return new Flag(name, Flag.Kind.TEXT, fallback.toString(), meaning);
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster(Variable.NODE, Variable.NAMESPACE, NativestorFlags.BLACKLIST);
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        var environment = Environment.ofProcess();
        var node = environment.required(Variable.NODE);
        var namespace = environment.required(Variable.NAMESPACE);
        try (var serving = new Serving(name())) {
            serve(serving, flags, NativestorFlags.read(flags, environment), node, namespace);
            return serving.awaitEnd();
        } catch (IOException | LvmException e) {
            LOG.log(ERROR, () -> "node agent cannot work error=" + e.getMessage());
            return 1;
        }
    }

    private static void serve(
            Serving serving,
            Flags flags,
            NativestorSettings nativestor,
            String node,
            String namespace)
            throws UsageException, InterruptedException, IOException, LvmException {
        TopolvmFlags.warn(flags);
        var logging = Logging.start(LogFlags.read(flags));
        LvmSearch.resumeSuspended();
        var page = METRICS.read(flags);
        var tls = PortTls.of(flags);
        var metrics = ProcessMetrics.registry(page.isPresent());
        var settings =
                new NodeAgentSettings(
                        node,
                        namespace,
                        VersionCommand.version(),
                        Path.of(flags.text(LVMD)),
                        Path.of(flags.text(KUBELET)),
                        absolute(flags, USERS),
                        absolute(flags, LVMD_SOCKET),
                        nativestor);
        var kube = serving.client(Names.VG_MANAGER, metrics);
        serving.profiling(METRICS.profiling(flags), kube, tls);
        var events = serving.closing(EventRecorder.open(kube, Names.VG_MANAGER, node));
        var agent = new NodeAgent(settings, kube, events, metrics);
        agent.onLogWishes(logging::follow);
        serving.health(
                flags,
                new Check("groups", agent::groupsReady),
                new Check("volumes", agent::volumesReady),
                new Check("registration", agent::registered));
        // A probe is answered meanwhile: an agent of another pod may take its time.
        serving.closing(NodeLock.acquire(Path.of(flags.text(LOCK))));
        serving.closing(agent);
        agent.announce(); // first, since after a boot kubelet's pauses double until it is there
        serving.metrics(page, kube, metrics, tls);
        var guard = new Guard(kube, node, agent::blocked, serving::endsWithin);
        if (flags.on(GUARD) && !guard.await()) {
            return; // told to end before the cluster was guarded
        }
        var lvm = new LvmSearch(agent::blocked, serving::endsWithin, settings.lvmdConfig()).find();
        if (lvm.isEmpty()) {
            return; // told to end before there was LVM
        }
        agent.start(lvm.get());
        serving.history(agent::poolHistory);
        LOG.log(INFO, () -> "node agent serves node=" + node + " namespace=" + namespace);
    }

    /** Off unless asked for. */
    private static Optional<Path> absolute(Flags flags, String name) throws UsageException {
        var path = flags.text(name);
        if (!path.isEmpty() && !path.startsWith("/")) {
            throw new UsageException("flag --" + name + "=" + path + ": must be an absolute path");
        }
        return Optional.of(path).filter(text -> !text.isEmpty()).map(Path::of);
    }
}
