package lvms.launcher;

import static java.lang.System.Logger.Level.ERROR;
import static java.lang.System.Logger.Level.INFO;

import lvms.api.Names;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.health.Check;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.node.CsiNode;
import lvms.node.CsiNodeSettings;
import lvms.node.NodeLock;
import lvms.node.capacity.CapacityReporter;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.lvmd.Lvmd;
import lvms.node.vgmanager.ObstacleReport;
import lvms.node.vgmanager.VolumeGroupManager;
import lvms.node.vgmanager.VolumeGroupSettings;
import lvms.node.volume.VolumeGroups;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;

/** {@code lvms vgmanager}: the node agent. */
final class VgManagerCommand implements Command {
    private static final System.Logger LOG = System.getLogger("lvms");
    private static final String METRICS = "diagnosticsAddr";
    private static final String LOCK = "lock-file";
    private static final String LVMD = "lvmd-config";
    private static final String KUBELET = "kubelet-root";
    private static final String LVMD_SOCKET = "lvmd-socket";

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
        return List.of(
                Serving.HEALTH,
                Serving.metricsFlag(METRICS),
                file(
                        LOCK,
                        VolumeGroupSettings.LOCK_FILE,
                        "lock that lets one agent at a time work"),
                file(LVMD, VolumeGroupSettings.LVMD_CONFIG, "file that keeps the device classes"),
                file(KUBELET, Path.of("/var/lib/kubelet"), "kubelet's folder on this node"),
                new Flag(
                        LVMD_SOCKET,
                        Flag.Kind.TEXT,
                        "",
                        "socket to serve lvmd's gRPC on as well, such as /run/topolvm/lvmd.sock"));
    }

    private static Flag file(String name, Path fallback, String meaning) {
        return new Flag(name, Flag.Kind.TEXT, fallback.toString(), meaning);
    }

    @Override
    public List<Variable> variables() {
        return Variable.andCluster(Variable.NODE, Variable.NAMESPACE);
    }

    @Override
    public int run(Flags flags) throws UsageException, InterruptedException {
        var environment = Environment.ofProcess();
        var node = environment.required(Variable.NODE);
        var namespace = environment.required(Variable.NAMESPACE);
        try (var serving = new Serving(name())) {
            serve(serving, flags, node, namespace);
            return serving.awaitEnd();
        } catch (IOException | LvmException e) {
            LOG.log(ERROR, () -> "node agent cannot work error=" + e.getMessage());
            return 1;
        }
    }

    /** What readiness asks, once it is there. */
    private record Work(VolumeGroupManager groups, CsiNode csi) {}

    private static void serve(Serving serving, Flags flags, String node, String namespace)
            throws UsageException, InterruptedException, IOException, LvmException {
        var metrics = new MetricsRegistry();
        var kube = serving.client(Names.VG_MANAGER, metrics);
        serving.closing(NodeLock.acquire(Path.of(flags.text(LOCK))));
        var work = new AtomicReference<Work>();
        serving.health(
                flags,
                check(work, "groups", w -> w.groups().ready()),
                check(work, "volumes", w -> w.csi().ready()),
                check(work, "registration", w -> w.csi().registered()));
        serving.metrics(flags.address(METRICS), metrics);
        var events = serving.closing(EventRecorder.open(kube, Names.VG_MANAGER, node));
        var settings =
                new VolumeGroupSettings(
                        node, namespace, Path.of(flags.text(LVMD)), true, _ -> true);
        Optional<Lvm> found;
        try (var report = new ObstacleReport(kube, settings, events)) {
            found = new LvmSearch(report::tell, serving::endsWithin, settings.lvmdConfig()).find();
        }
        if (found.isEmpty()) {
            return; // told to end before there was one
        }
        var lvm = serving.closing(found.get());
        var classes = new LiveDeviceClasses();
        var volumeGroups = new VolumeGroups(lvm);
        var capacity = serving.closing(new CapacityReporter(kube, lvm, classes, node));
        var lvmd = lvmd(flags, classes, volumeGroups, capacity::changed, metrics);
        Runnable changed =
                () -> {
                    capacity.changed();
                    lvmd.ifPresent(Lvmd::changed);
                };
        var csi =
                serving.closing(
                        new CsiNode(
                                CsiNodeSettings.below(
                                        Path.of(flags.text(KUBELET)),
                                        node,
                                        VersionCommand.version()),
                                kube,
                                volumeGroups,
                                classes,
                                changed,
                                metrics));
        var groups =
                serving.closing(
                        new VolumeGroupManager(
                                kube, lvm, settings, metrics, events, classes, changed));
        capacity.start();
        csi.start();
        groups.start();
        if (lvmd.isPresent()) {
            serving.closing(lvmd.get()).start();
        }
        work.set(new Work(groups, csi));
        LOG.log(INFO, () -> "node agent serves node=" + node + " namespace=" + namespace);
    }

    /** Off unless asked for: our own parts need no socket for it, and others seldom. */
    private static Optional<Lvmd> lvmd(
            Flags flags,
            LiveDeviceClasses classes,
            VolumeGroups groups,
            Runnable changed,
            MetricsRegistry metrics)
            throws UsageException {
        var socket = flags.text(LVMD_SOCKET);
        if (socket.isEmpty()) {
            return Optional.empty();
        }
        if (!socket.startsWith("/")) {
            throw new UsageException(
                    "flag --" + LVMD_SOCKET + "=" + socket + ": must be an absolute path");
        }
        return Optional.of(new Lvmd(Path.of(socket), classes, groups, true, changed, metrics));
    }

    private static Check check(AtomicReference<Work> work, String name, Predicate<Work> ready) {
        return new Check(name, () -> Optional.ofNullable(work.get()).filter(ready).isPresent());
    }
}
