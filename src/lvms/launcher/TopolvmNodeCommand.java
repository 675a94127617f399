package lvms.launcher;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.health.Check;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.metrics.ProcessMetrics;
import lvms.launcher.command.Command;
import lvms.launcher.command.VersionCommand;
import lvms.launcher.flag.Environment;
import lvms.launcher.flag.Flag;
import lvms.launcher.flag.Flags;
import lvms.launcher.flag.LogFlags;
import lvms.launcher.flag.TopolvmFlags;
import lvms.launcher.flag.UsageException;
import lvms.launcher.flag.Variable;
import lvms.launcher.lvm.LvmSearch;
import lvms.log.Logging;
import lvms.lvm2.LvmException;
import lvms.node.LvmdConfigException;
import lvms.node.LvmdNode;
import lvms.node.LvmdSettings;
import lvms.node.NodeLock;
import lvms.node.TopolvmNode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** {@code topolvm-node}: TopoLVM's node service, with lvmd in it or beside one. */
final class TopolvmNodeCommand implements Command {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final String NAME = "topolvm-node";
    private static final String SOCKET = "csi-socket";
    private static final String LVMD = "lvmd-socket";
    private static final String NODE = "nodename";
    private static final String EMBED = "embed-lvmd";
    private static final String LVM_PATH = "lvm-path";
    private static final Variable NODE_NAME =
            new Variable(Variable.NODE.name(), false, "name of the node, if the flag is not given");

    @Override
    public String name() {
        return NAME;
    }

    @Override
    public String summary() {
        return "TopoLVM's node service, with lvmd in it or beside one: volumes of the groups of"
                + " lvmd.yaml";
    }

    @Override
    public List<Flag> flags() {
        var flags =
                new ArrayList<>(
                        List.of(
                                TopolvmFlags.VERSION,
                                Flag.ofText(
                                        SOCKET,
                                        "/run/topolvm/csi-topolvm.sock",
                                        "socket of the CSI node service"),
                                Flag.ofText(
                                        LVMD,
                                        LvmdSettings.SOCKET.toString(),
                                        "socket of an lvmd; not used with --" + EMBED),
                                Flag.ofText(NODE, "", "name of this node's Node object"),
                                new Flag(
                                        EMBED,
                                        Flag.Kind.SWITCH,
                                        "false",
                                        "work with LVM itself, as --config says"),
                                Flag.ofText(LVM_PATH, "", "path of the lvm program (deprecated)"),
                                LvmdCommand.configFlag(),
                                TopolvmFlags.OWN_SIDECARS,
                                new Flag(
                                        Serving.HEALTH.name(),
                                        Flag.Kind.ADDRESS,
                                        ":9808",
                                        "with --own-sidecars, " + Serving.HEALTH.meaning())));
        flags.addAll(TopolvmPages.FLAGS);
        flags.addAll(TopolvmFlags.and());
        return flags;
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster(NODE_NAME, Variable.LEGACY);
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        Logging.start(LogFlags.read(flags));
        TopolvmFlags.warn(flags);
        var settings = settings(flags, Environment.ofProcess());
        try (var serving = new Serving(NAME)) {
            if (flags.on(EMBED)) {
                LvmSearch.resumeSuspended();
                embed(serving, flags, settings);
            } else {
                beside(serving, flags, settings);
            }
            return serving.awaitEnd();
        } catch (LvmdConfigException | IOException | LvmException e) {
            LOG.log(ERROR, () -> NAME + " cannot serve: " + e.getMessage());
            return 1;
        }
    }

    static TopolvmNode.Settings settings(Flags flags, Environment environment)
            throws UsageException {
        var node = flags.text(NODE);
        if (node.isEmpty()) {
            node = environment.variables().getOrDefault(NODE_NAME.name(), "");
        }
        if (node.isEmpty()) {
            throw new UsageException(
                    "the node has no name: give --" + NODE + " or set " + NODE_NAME.name());
        }
        return new TopolvmNode.Settings(
                environment.driver(),
                node,
                VersionCommand.version(),
                Path.of(flags.text(SOCKET)),
                flags.on(TopolvmFlags.OWN_SIDECARS.name()));
    }

    /** What both ways have: the cluster, the pages, the probes, and the lock of the node. */
    private record Surroundings(
            KubeClient kube,
            EventRecorder events,
            MetricsRegistry metrics,
            LateCheck alive,
            LateCheck ready,
            LateCheck registered) {
        static Surroundings of(Serving serving, Flags flags, TopolvmNode.Settings settings)
                throws UsageException, IOException, InterruptedException {
            var metrics = ProcessMetrics.registry(TopolvmPages.hasMetrics(flags));
            var kube = serving.client(NAME, metrics);
            TopolvmPages.serve(serving, flags, kube, metrics);
            var alive = new LateCheck();
            var ready = new LateCheck();
            var registered = new LateCheck();
            alive.is(() -> true); // the node service before this one may take its time
            if (settings.registers()) {
                serving.health(
                        flags,
                        new Check("csi", alive),
                        List.of(
                                new Check("volumes", ready),
                                new Check("registration", registered)));
            }
            serving.closing(NodeLock.acquire(NodeLock.FILE));
            var events = serving.closing(EventRecorder.open(kube, NAME, settings.nodeName()));
            serving.closing(GuardNotice.start(kube, NAME, settings.nodeName()));
            return new Surroundings(kube, events, metrics, alive, ready, registered);
        }

        void probed(BooleanSupplier answers, BooleanSupplier serves, BooleanSupplier known) {
            alive.is(answers);
            ready.is(serves);
            registered.is(known);
        }
    }

    private static void embed(Serving serving, Flags flags, TopolvmNode.Settings settings)
            throws UsageException,
                    LvmdConfigException,
                    IOException,
                    LvmException,
                    InterruptedException {
        var lvmPath = Optional.of(flags.text(LVM_PATH)).filter(path -> !path.isEmpty());
        var file =
                new LvmdReload(
                        Path.of(flags.text(LvmdCommand.CONFIG)), LvmdSettings::read, lvmPath);
        file.start();
        var around = Surroundings.of(serving, flags, settings);
        var lvm = LvmdSession.open(file.inForce(), file.lvmPath());
        var node =
                serving.closing(
                        new TopolvmNode(
                                settings,
                                file.inForce(),
                                around.kube(),
                                lvm,
                                around.events(),
                                around.metrics()));
        node.look();
        node.start();
        serving.history(node::poolHistory);
        around.probed(node::answers, node::ready, node::registered);
        tell(settings, "");
        follow(serving, file, node);
    }

    private static void beside(Serving serving, Flags flags, TopolvmNode.Settings settings)
            throws UsageException, IOException, InterruptedException {
        var socket = socket(flags);
        var around = Surroundings.of(serving, flags, settings);
        var node =
                serving.closing(
                        new LvmdNode(
                                settings,
                                socket,
                                around.kube(),
                                around.events(),
                                around.metrics()));
        node.start();
        around.probed(node::answers, node::ready, node::registered);
        tell(settings, " lvmd=" + socket);
    }

    private static Path socket(Flags flags) throws UsageException {
        var socket = flags.text(LVMD);
        if (!socket.startsWith("/")) {
            throw new UsageException(
                    "flag --" + LVMD + "=" + socket + ": must be an absolute path");
        }
        return Path.of(socket);
    }

    private static void tell(TopolvmNode.Settings settings, String more) {
        LOG.log(
                INFO,
                () ->
                        NAME
                                + " serves driver="
                                + settings.driver().name()
                                + " node="
                                + settings.nodeName()
                                + more);
    }

    private static void follow(Serving serving, LvmdReload file, TopolvmNode node)
            throws InterruptedException {
        var prefix = file.inForce().commandPrefix();
        while (!serving.endsWithin(LvmdReload.PERIOD)) {
            node.look();
            if (file.renewed(node)) {
                node.take(file.inForce());
                if (!file.inForce().commandPrefix().equals(prefix)) {
                    LOG.log(WARNING, "a new lvm-command-prefix counts from the next start on");
                }
            }
        }
    }
}
