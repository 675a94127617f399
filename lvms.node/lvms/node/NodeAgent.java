package lvms.node;

import lvms.api.Drivers;
import lvms.csi.BuildInfo;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.tree.ListTree;
import lvms.lvm2.Lvm;
import lvms.node.capacity.CapacityReporter;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.discovery.Discovery;
import lvms.node.discovery.InventoryMap;
import lvms.node.discovery.Publisher;
import lvms.node.disk.DiskUser;
import lvms.node.disk.Host;
import lvms.node.format.Formats;
import lvms.node.pool.PoolKeeper;
import lvms.node.rawdevice.RawDevices;
import lvms.node.vgmanager.ObstacleReport;
import lvms.node.vgmanager.VolumeGroupManager;
import lvms.node.volume.GroupLedgers;

import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * The agent of one node: it makes volume groups from the node's disks, makes the volumes that
 * objects ask for, publishes them to pods, and reports the capacity that is left.
 *
 * <p>Take {@link NodeLock} first. Threads: any thread may ask whether a part is ready; the rest
 * belongs to one thread.
 */
public final class NodeAgent implements AutoCloseable {
    private final NodeAgentSettings settings;
    private final KubeClient kube;
    private final EventRecorder events;
    private final MetricsRegistry metrics;
    private final CsiFront front;
    private Optional<ObstacleReport> obstacles = Optional.empty();
    private volatile Optional<Parts> running = Optional.empty();
    private Consumer<Map<String, String>> logWishes = _ -> {};

    /**
     * The parts that run once there is LVM; lvmd's socket is served only if the settings name one.
     */
    private record Parts(
            Lvm lvm,
            CapacityReporter capacity,
            CsiNode csi,
            OldDriver old,
            VolumeGroupManager groups,
            PoolKeeper pools,
            Optional<UserClassWatch> users,
            Optional<Lvmd> lvmd,
            Optional<RawDeviceNode> rawDevices)
            implements AutoCloseable {
        void start() throws IOException {
            capacity.start();
            csi.start();
            groups.start();
            pools.start();
            users.ifPresent(UserClassWatch::start);
            if (lvmd.isPresent()) {
                lvmd.get().start();
            }
            if (rawDevices.isPresent()) {
                rawDevices.get().start();
            }
            old.start();
        }

        @Override
        public void close() {
            old.close();
            rawDevices.ifPresent(RawDeviceNode::close);
            lvmd.ifPresent(Lvmd::close);
            users.ifPresent(UserClassWatch::close);
            pools.close();
            groups.close();
            csi.close();
            capacity.close();
            lvm.close();
        }
    }

    /** Keeps what the agent will need; nothing is read and nothing is started yet. */
    public NodeAgent(
            NodeAgentSettings settings,
            KubeClient kube,
            EventRecorder events,
            MetricsRegistry metrics) {
        this.settings = settings;
        this.kube = kube;
        this.events = events;
        this.metrics = metrics;
        var formats = Formats.notedIn(settings.csi().formatNotes());
        front = new CsiFront(settings.csi(), formats, metrics);
        BuildInfo.of(settings.version()).show(metrics);
        metrics.gauge(
                        "lvms_kubelet_registered",
                        "Whether the driver is registered with kubelet: 1 if it is.",
                        "node")
                .with(settings.nodeName())
                .from(() -> registered() ? 1 : 0);
    }

    /**
     * Tells the listener what the status of this node says about logs. Call it before the start.
     */
    public void onLogWishes(Consumer<Map<String, String>> listener) {
        logWishes = listener;
    }

    /**
     * Offers the driver to kubelet, if that is wanted before there is LVM. After a boot kubelet
     * asks for volumes at once, and doubles its pause while there is no driver; a call that reaches
     * us waits until the start, but not forever.
     *
     * @throws IOException if a socket cannot be served
     */
    public void announce() throws IOException {
        front.open();
    }

    /**
     * Says why the agent cannot start: in the log, in the node status and in Events. Call it again
     * while the obstacle lasts, since groups and the status object may come later.
     */
    public void blocked(String obstacle) throws InterruptedException {
        front.lacksLvm(obstacle);
        if (obstacles.isEmpty()) {
            obstacles = Optional.of(new ObstacleReport(kube, settings.volumeGroups(), events));
        }
        obstacles.get().tell(obstacle);
    }

    /**
     * Starts working; returns once the sockets are served.
     *
     * @param lvm the LVM of this node; closed with the agent
     * @throws IOException if a socket cannot be served
     */
    public void start(Lvm lvm) throws IOException {
        start(lvm, settings.volumeGroups().host());
    }

    /**
     * The same with other block devices than those of this machine.
     *
     * @param host where disks for volume groups are looked for
     */
    void start(Lvm lvm, Host host) throws IOException {
        endObstacles();
        var started = assemble(lvm, host);
        running = Optional.of(started);
        started.start();
    }

    private Parts assemble(Lvm lvm, Host host) {
        var node = settings.nodeName();
        var classes = new LiveDeviceClasses();
        var foreign = new Listeners();
        var formats = front.behind().formats();
        var parts =
                GroupParts.of(lvm, kube, Drivers.DEFAULT, classes, node, formats, foreign, metrics);
        var groups = parts.groups();
        var capacity = parts.capacity();
        var refusals = parts.refusals();
        var others = new Listeners();
        var changed = new Listeners().then(capacity::changed).then(others);
        var lvmd = settings.lvmdSocket().map(socket -> lvmd(socket, classes, groups, capacity));
        lvmd.ifPresent(served -> others.then(served::changed));
        Consumer<String> groupChanged =
                vg -> {
                    capacity.changed(vg);
                    others.run();
                };
        var csi = new CsiNode(front, kube, groups, classes, groupChanged, events, metrics);
        csi.probedBy(NodeCheck.of(lvm).then(csi::away));
        csi.moreToCome(true);
        var old =
                new OldDriver(
                        () -> Drivers.servedByAgent(kube),
                        csi::alsoServe,
                        capacity::serve,
                        () -> csi.moreToCome(false));
        var rawDevices = rawDevices();
        var manager =
                new VolumeGroupManager(
                        kube,
                        lvm,
                        settings.volumeGroups(),
                        metrics,
                        events,
                        classes,
                        changed,
                        refusals,
                        others(rawDevices),
                        host);
        var pools =
                new PoolKeeper(
                        classes,
                        groups,
                        manager,
                        refusals,
                        parts.host(),
                        metrics,
                        node,
                        settings.kubelet());
        manager.onVolumeEvent(pools::look);
        manager.onLogWishes(logWishes);
        manager.onNode(capacity::nodeSeen);
        manager.signWith(BuildInfo.of(settings.version()).text(), lvm.watchdogObstacle());
        csi.check().ifPresent(manager::compareWith);
        others.then(pools::groupChanged);
        foreign.then(groups::forget).then(changed).then(manager::lvmChanged);
        var users = settings.userClasses().map(place -> users(place, manager, groups, changed));
        users.ifPresent(watch -> foreign.then(watch::groupsChanged));
        var rawDeviceNode =
                rawDevices
                        .filter(_ -> settings.nativestor().rawDevices())
                        .map(devices -> new RawDeviceNode(settings.rawDevices(), devices, metrics));
        return new Parts(lvm, capacity, csi, old, manager, pools, users, lvmd, rawDeviceNode);
    }

    /** Who has to do with the disks beside the volume groups. */
    private DiskUser others(Optional<RawDevices> rawDevices) {
        if (rawDevices.isEmpty()) {
            return DiskUser.NONE;
        }
        var wanted = settings.nativestor();
        var publishers = new ArrayList<Publisher>(List.of(rawDevices.get()));
        if (wanted.inventory()) {
            publishers.add(new InventoryMap(kube, settings.namespace(), settings.nodeName()));
        }
        return new Discovery(wanted.loops(), wanted.excluded(), publishers, InstantSource.system());
    }

    private Optional<RawDevices> rawDevices() {
        var wanted = settings.nativestor();
        return wanted.inventory() || wanted.rawDevices()
                ? Optional.of(new RawDevices(kube, settings.nodeName(), wanted.rawDevices()))
                : Optional.empty();
    }

    private UserClassWatch users(
            Path place, VolumeGroupManager manager, GroupLedgers groups, Runnable changed) {
        return new UserClassWatch(
                new UserClassFile(place, settings.nodeName()),
                manager,
                new MissingGroups(classes -> Lvmd.missing(classes, groups), changed));
    }

    private Lvmd lvmd(
            Path socket,
            LiveDeviceClasses classes,
            GroupLedgers groups,
            CapacityReporter capacity) {
        return new Lvmd(socket, classes, groups, true, capacity::changed, metrics);
    }

    /** Who has to hear of a change; each must return at once. */
    private static final class Listeners implements Runnable {
        private final List<Runnable> all = new CopyOnWriteArrayList<>();

        Listeners then(Runnable next) {
            all.add(next);
            return this;
        }

        @Override
        public void run() {
            all.forEach(Runnable::run);
        }
    }

    /** Returns whether the volume groups of this node are known, and served if there are any. */
    public boolean groupsReady() {
        return ready(p -> p.groups().ready());
    }

    /** Returns whether volumes can be served: their objects are known. */
    public boolean volumesReady() {
        return ready(p -> p.csi().ready());
    }

    /** Returns whether kubelet's last answer was that the driver is registered. */
    public boolean registered() {
        return front.registered();
    }

    /** Returns how full the pools were during the last day, for {@code HistorySocket}. */
    public ListTree poolHistory() {
        return running.map(parts -> parts.pools().history().json()).orElse(ListTree.EMPTY);
    }

    private boolean ready(Predicate<Parts> part) {
        return running.filter(part).isPresent();
    }

    private void endObstacles() {
        obstacles.ifPresent(ObstacleReport::close);
        obstacles = Optional.empty();
    }

    /** Ends the work; LVM finishes a running step, and the next start goes on from there. */
    @Override
    public void close() {
        endObstacles();
        running.ifPresentOrElse(Parts::close, front::close);
    }
}
