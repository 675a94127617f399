package lvms.node.vgmanager;

import static java.lang.System.Logger.Level.WARNING;

import lvms.api.Names;
import lvms.api.ThinPoolConfig;
import lvms.api.UnclaimedVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.ChangeFilter;
import lvms.k8s.controller.Controller;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmException;
import lvms.lvm2.device.BlockDevices;
import lvms.node.deviceclass.DeviceClassStore;
import lvms.node.deviceclass.FirstRound;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.LvmdConfigFile;
import lvms.node.deviceclass.SharedClasses;
import lvms.node.deviceclass.UserClasses;
import lvms.node.disk.DeviceWatch;
import lvms.node.disk.DiskUser;
import lvms.node.disk.Host;
import lvms.node.disk.InventoryReader;
import lvms.node.loop.HostFiles;
import lvms.node.loop.LoopKeeper;
import lvms.node.loop.LoopNames;
import lvms.node.pool.PoolOwner;
import lvms.node.pool.PoolRefusals;
import lvms.node.survey.DiskReport;
import lvms.node.survey.NodeSurvey;
import lvms.node.vgmanager.plan.EventReason;
import lvms.node.vgmanager.plan.MissingDevices;
import lvms.node.volume.VolumeCheck;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Makes and keeps the volume groups of this node: for each LVMVolumeGroup whose node selector
 * matches, it finds usable devices, makes or extends the volume group and its thin pool, writes
 * lvmd.yaml and the node status, and cleans up when the object is deleted.
 *
 * <p>One agent at a time may work on a node. {@link #start()} returns at once; passes run one after
 * the other on a thread of their own. An idle manager starts no process.
 */
public final class VolumeGroupManager implements PoolOwner, SharedClasses, AutoCloseable {
    private static final System.Logger LOG = System.getLogger(VolumeGroupManager.class.getName());

    /**
     * The key of a pass without a group, in which a node learns that there are no groups, and tells
     * which disks it has.
     */
    private static final ObjectKey NO_GROUP = ObjectKey.of("", "");

    private final LiveDeviceClasses live;
    private final Runnable changed;
    private final DeviceClassStore classes;
    private final NodeCaches caches;
    private final GroupObjects objects;
    private final InventoryReader inventory;
    private final Controller<ObjectKey> controller;
    private final DeviceWatch watch;
    private final DiskUser others;
    private final VolumeEvents volumeEvents;
    private final VolumeGroupEvents groupEvents;
    private final PoolRefusals pools;
    private volatile Runnable onVolumeEvent = () -> {};
    private volatile Consumer<KubeObject> onNode = _ -> {};
    private volatile String build = "";
    private volatile Optional<String> watchdogObstacle = Optional.empty();
    private volatile Function<String, List<UnclaimedVolume>> unclaimed = _ -> List.of();

    /**
     * Puts the parts together; nothing is read yet.
     *
     * @param live gets the device classes that this node serves
     * @param changed called after each LVM change, such as the capacity reporter's {@code changed}
     * @param pools the pools that get no new volumes
     * @param others who else has to do with the disks; closed with the manager
     */
    public VolumeGroupManager(
            KubeClient kube,
            Lvm lvm,
            VolumeGroupSettings settings,
            MetricsRegistry metrics,
            EventRecorder events,
            LiveDeviceClasses live,
            Runnable changed,
            PoolRefusals pools,
            DiskUser others) {
        this(kube, lvm, settings, metrics, events, live, changed, pools, others, settings.host());
    }

    /**
     * The same for other block devices than those of this machine.
     *
     * @param machine the block devices
     */
    public VolumeGroupManager(
            KubeClient kube,
            Lvm lvm,
            VolumeGroupSettings settings,
            MetricsRegistry metrics,
            EventRecorder events,
            LiveDeviceClasses live,
            Runnable changed,
            PoolRefusals pools,
            DiskUser others,
            Host machine) {
        this.pools = pools;
        this.others = others;
        this.live = live;
        this.changed = changed;
        caches = NodeCaches.of(kube, settings);
        var host = others.over(machine);
        inventory = new InventoryReader(host, lvm);
        volumeEvents = new VolumeEvents(this::volumeEvent);
        var file = new LvmdConfigFile(settings.lvmdConfig());
        classes = new DeviceClassStore(file, live, settings.userClasses());
        objects = caches.objects(settings);
        var status = caches.status(kube, settings, name -> unclaimed.apply(name));
        groupEvents = new VolumeGroupEvents(events, status);
        var keeper =
                new LoopKeeper(
                        new LoopNames(settings.nodeName()),
                        new HostFiles(settings.hostRoot()),
                        BlockDevices.system());
        var loops = new GroupLoops(status, keeper, inventory, host);
        var reader =
                new SituationReader(
                        host,
                        lvm,
                        inventory,
                        loops::selected,
                        settings.deviceMapper(),
                        settings.nodeName());
        var reconciler =
                reconciler(
                        lvm,
                        host,
                        reader,
                        loops,
                        new VolumeNames(kube, settings.nodeName()),
                        status,
                        new RaidMetrics(metrics, settings.nodeName()));
        var report =
                new DiskReport(
                        new NodeSurvey(inventory, host),
                        new DiskReporting.Board(status),
                        InstantSource.system());
        controller =
                Controller.named(
                                Names.VG_MANAGER,
                                new DiskReporting(
                                        reconciler,
                                        NO_GROUP,
                                        () -> sign(status),
                                        report,
                                        () -> passOfOthers(machine, reader)))
                        .watch(caches.groups())
                        .filter(specOrMarksChanged())
                        .watch(caches.statuses(), _ -> allKeys())
                        .filter(ChangeFilter.changedAt("metadata", "uid"))
                        .watch(caches.nodes(), _ -> keys())
                        .filter(ChangeFilter.changedAt("metadata", "labels"))
                        .metrics(metrics)
                        .build();
        watch = new DeviceWatch(host, file::fingerprint, DeviceWatch.UEVENTS, this::wake);
    }

    private VolumeGroupReconciler reconciler(
            Lvm lvm,
            Host host,
            SituationReader reader,
            GroupLoops loops,
            VolumeNames volumes,
            NodeStatus status,
            RaidMetrics raid) {
        var runner = new StepRunner(lvm, host);
        var reporter = new GroupReporter(status, groupEvents, changed);
        var retirement = new Retirement(status, inventory, runner);
        var failed = new FailedSteps();
        var steps =
                new GroupSteps(
                        runner, inventory, retirement, failed, reporter, changed, this::wake);
        var outcome =
                new GroupOutcome(
                        classes, raid, failed, reporter, inventory, volumeEvents::heard, pools);
        return new VolumeGroupReconciler(
                objects,
                status,
                new FirstRound(this::keys, classes),
                new GroupConvergence(
                        reader,
                        loops,
                        retirement,
                        new ForceWipe(objects, volumes, status, reader, inventory, host, lvm),
                        new MissingDevices(InstantSource.system()),
                        steps,
                        outcome),
                new GroupRemoval(reader, loops, inventory, retirement, steps, outcome));
    }

    private void sign(NodeStatus status) throws ApiException, InterruptedException {
        if (!build.isEmpty()) {
            status.putAgent(build, watchdogObstacle);
        }
    }

    private Optional<Duration> passOfOthers(Host machine, SituationReader reader)
            throws IOException, LvmException, ApiException, InterruptedException {
        if (others == DiskUser.NONE) {
            return Optional.empty();
        }
        var found = inventory.read();
        return others.pass(machine, found, reader.claims(objects.contenders(), found));
    }

    /** A class that appears, changes or goes also affects which devices the others may have. */
    private static ChangeFilter specOrMarksChanged() {
        return ChangeFilter.generationChanged()
                .or(ChangeFilter.changedAt("metadata", "finalizers"))
                .or(ChangeFilter.changedAt("metadata", "annotations"));
    }

    /** Starts working. */
    public void start() {
        try {
            classes.load();
        } catch (IOException e) {
            // Each pass reads it again and reports the failure in the node status.
            LOG.log(WARNING, () -> "cannot load lvmd.yaml: " + e.getMessage());
        }
        caches.groups().addHandler(this::wakeOthers);
        caches.nodes().addHandler((_, after) -> after.ifPresent(node -> onNode.accept(node)));
        controller.start();
        controller.enqueue(NO_GROUP);
        others.start(() -> controller.enqueue(NO_GROUP));
        watch.start();
        volumeEvents.start();
    }

    /** Which devices a class may have depends on the device selectors of all classes. */
    private void wakeOthers(Optional<KubeObject> before, Optional<KubeObject> after) {
        boolean same =
                before.isPresent()
                        && after.isPresent()
                        && before.get().sameAt(after.get(), "spec")
                        && before.get().terminating() == after.get().terminating();
        if (!same) {
            wake();
        }
    }

    private void wake() {
        allKeys().forEach(controller::enqueue);
    }

    private List<ObjectKey> allKeys() {
        return Stream.concat(keys().stream(), Stream.of(NO_GROUP)).toList();
    }

    private List<ObjectKey> keys() {
        return caches.groups().list().stream().map(KubeObject::key).toList();
    }

    /** Also calls {@code listener} after an event of the device-mapper; it must return at once. */
    public void onVolumeEvent(Runnable listener) {
        onVolumeEvent = listener;
    }

    /** Shows the listener this node's Node when it changes; call it before the start. */
    public void onNode(Consumer<KubeObject> listener) {
        onNode = listener;
    }

    /**
     * Has the node status say which build the agent is, and what it cannot do.
     *
     * @param text version and commit
     * @param obstacle what keeps its watchdog from outliving it
     */
    public void signWith(String text, Optional<String> obstacle) {
        build = text;
        watchdogObstacle = obstacle;
    }

    /** Tells the listener what this node's status says about logs, now and when it changes. */
    public void onLogWishes(Consumer<Map<String, String>> listener) {
        caches.statuses()
                .addHandler(
                        (_, after) ->
                                listener.accept(after.map(Names::logAnnotations).orElse(Map.of())));
    }

    /** Shows in the status, and in Events, what the comparison of disk and objects finds. */
    public void compareWith(VolumeCheck check) {
        unclaimed = check::unclaimed;
        check.onChange(this::unclaimedChanged);
    }

    private void unclaimedChanged(String deviceClass) {
        var volumes = unclaimed.apply(deviceClass);
        if (!volumes.isEmpty()) {
            var names = volumes.stream().map(UnclaimedVolume::name).toList();
            var note =
                    "no LogicalVolume names these volumes, they are kept: "
                            + String.join(", ", names)
                            + "; lvms volumes --adopt=VOLUME gives one an object again";
            objects.rivals()
                    .ofClass(deviceClass)
                    .ifPresent(g -> groupEvents.record(g, EventReason.UNCLAIMED_VOLUMES, note));
        }
        wake();
    }

    private void volumeEvent() {
        onVolumeEvent.run();
        lvmChanged();
    }

    @Override
    public Optional<ThinPoolConfig> wanted(LvName pool) {
        return objects.rivals()
                .ofVolumeGroup(pool.vg())
                .flatMap(group -> group.spec().group().thinPool())
                .filter(config -> config.name().equals(pool.lv()));
    }

    @Override
    public void refusalChanged(LvName pool) {
        changed.run();
        wake();
    }

    @Override
    public void grew(LvName pool, String note) {
        lvmChanged();
        changed.run();
        objects.rivals()
                .ofVolumeGroup(pool.vg())
                .ifPresent(group -> groupEvents.record(group, EventReason.POOL_GREW, note));
    }

    /**
     * Makes the next passes read LVM's state again, for example after an event of the
     * device-mapper.
     */
    public void lvmChanged() {
        inventory.invalidate();
        wake();
    }

    @Override
    public boolean ownKnown() {
        return classes.ownKnown();
    }

    /** A group that had no place may have one now. */
    @Override
    public Optional<String> join(UserClasses users) throws IOException {
        var refusal = classes.join(users);
        wake();
        return refusal;
    }

    @Override
    public void joinNone() throws IOException {
        classes.joinNone();
    }

    /**
     * Returns whether the caches are filled and a device class is served, if there is one for this
     * node. A rollout must not wait for the agent of a node that has nothing to do.
     */
    public boolean ready() {
        return caches.synced() && (classes.servesOwn() || nothingToServe());
    }

    private boolean nothingToServe() {
        return live.known() && objects.contenders().isEmpty();
    }

    /** Ends the work; LVM finishes a running step, and the next start goes on from there. */
    @Override
    public void close() {
        watch.close();
        volumeEvents.close();
        controller.close();
        others.close();
        caches.close();
    }
}
