package lvms.launcher;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.event.EventRecorder;
import lvms.k8s.health.Check;
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
import lvms.log.Logging;
import lvms.lvm2.LvmException;
import lvms.node.LvmdConfigException;
import lvms.node.LvmdSettings;
import lvms.node.NodeLock;
import lvms.node.TopolvmNode;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code topolvm-node --embed-lvmd}: TopoLVM's node service, with lvmd in it. */
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
        return "TopoLVM's node service, with lvmd in it: volumes of the groups of lvmd.yaml";
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
                                        "work with LVM itself; needed, since an lvmd of its own"
                                                + " cannot be used yet"),
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
        var lvmPath = Optional.of(flags.text(LVM_PATH)).filter(path -> !path.isEmpty());
        var file = new LvmdReload(Path.of(flags.text(LvmdCommand.CONFIG)), lvmPath);
        try (var serving = new Serving(NAME)) {
            file.start();
            serve(serving, flags, settings, file);
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
        if (!flags.on(EMBED)) {
            throw new UsageException(
                    "topolvm-node cannot use an lvmd of its own yet: give --"
                            + EMBED
                            + ", mount lvmd.yaml for --config, and run in the host's process ids");
        }
        return new TopolvmNode.Settings(
                environment.driver(),
                node,
                VersionCommand.version(),
                Path.of(flags.text(SOCKET)),
                flags.on(TopolvmFlags.OWN_SIDECARS.name()));
    }

    private static void serve(
            Serving serving, Flags flags, TopolvmNode.Settings settings, LvmdReload file)
            throws UsageException, IOException, LvmException, InterruptedException {
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
                    List.of(new Check("volumes", ready), new Check("registration", registered)));
        }
        serving.closing(NodeLock.acquire(NodeLock.FILE));
        var events = serving.closing(EventRecorder.open(kube, NAME, settings.nodeName()));
        var lvm = LvmdSession.open(file.inForce(), file.lvmPath());
        var node =
                serving.closing(
                        new TopolvmNode(settings, file.inForce(), kube, lvm, events, metrics));
        node.missing(file.inForce());
        node.start();
        alive.is(node::answers);
        ready.is(node::ready);
        registered.is(node::registered);
        LOG.log(
                INFO,
                () ->
                        NAME
                                + " serves driver="
                                + settings.driver().name()
                                + " node="
                                + settings.nodeName());
        follow(serving, file, node);
    }

    private static void follow(Serving serving, LvmdReload file, TopolvmNode node)
            throws InterruptedException {
        var prefix = file.inForce().commandPrefix();
        while (!serving.endsWithin(LvmdReload.PERIOD)) {
            if (file.renewed(node)) {
                node.take(file.inForce());
                if (!file.inForce().commandPrefix().equals(prefix)) {
                    LOG.log(WARNING, "a new lvm-command-prefix counts from the next start on");
                }
            }
        }
    }
}
