package lvms.node.volume;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.ChangeFilter;
import lvms.k8s.controller.Controller;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.queue.Backoff;
import lvms.lvm2.LvName;
import lvms.node.deviceclass.ClassNews;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.erasure.QuarantineWatch;
import lvms.node.mending.UnfinishedDevices;
import lvms.node.snapshot.SnapshotMetrics;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Runs the passes for the LogicalVolumes of this node. Nothing happens before the device classes
 * are known, since a volume must not fail merely because its class has not been read yet. Any
 * thread may call.
 */
public final class VolumeController implements AutoCloseable {
    private static final Logger LOG = System.getLogger(VolumeController.class.getName());
    private static final String NAME = "logicalvolume";

    /**
     * How many volumes are worked on at once. LVM handles one after the other; the others write
     * their objects or wait for LVM, on virtual threads, so a large number costs nothing and keeps
     * LVM busy.
     */
    private static final int WORKERS = 128;

    private static final Backoff RETRY =
            new Backoff(Duration.ofMillis(250), Duration.ofSeconds(10), 0.1);

    private final String name;
    private final KubeClient kube;
    private final Driver driver;
    private final String node;
    private final ClassNews classes;
    private final NodeStorage.Factory storage;
    private final Consumer<String> groupChanged;
    private final Consumer<LogicalVolume> removed;
    private final EventRecorder events;
    private final MetricsRegistry metrics;
    private final VolumeMetrics ofVolumes;
    private final AtomicReference<Running> running = new AtomicReference<>();
    private final Optional<Keepers> keepers;
    private final List<VolumeController> besides = new CopyOnWriteArrayList<>();
    private volatile boolean moreToCome;
    private final Thread starter;

    /** Made once the device classes are known and the server has answered. */
    private record Running(NodeVolumes volumes, Controller<ObjectKey> controller) {}

    /** What looks after the volumes in this process's LVM beside the passes. */
    private record Keepers(
            UnfinishedDevices unfinished,
            VolumeCheck check,
            QuarantineWatch quarantine,
            GroupLedgers groups)
            implements AutoCloseable {
        void start() {
            unfinished.start();
            check.start();
            quarantine.start();
        }

        @Override
        public void close() {
            unfinished.close();
            check.close();
            quarantine.close();
            groups.erasures().close();
            groups.snapshots().close();
        }
    }

    /**
     * Prepares the controller for volumes in this process's LVM; nothing is started yet.
     *
     * @param driver driver whose volumes these are
     * @param node name of this node
     * @param groupChanged called with a group after each change in it; it must return at once
     * @param removed called after a volume is gone from the disk, before its object may go
     */
    public VolumeController(
            KubeClient kube,
            Driver driver,
            String node,
            LiveDeviceClasses classes,
            GroupLedgers groups,
            Consumer<String> groupChanged,
            Consumer<LogicalVolume> removed,
            EventRecorder events,
            MetricsRegistry metrics) {
        name = NAME;
        this.kube = kube;
        this.driver = driver;
        this.node = node;
        this.classes = classes;
        this.groupChanged = groupChanged;
        this.removed = removed;
        this.events = events;
        this.metrics = metrics;
        storage = objects -> inLvm(objects, classes, groups);
        ofVolumes = new VolumeMetrics(metrics, node);
        ofVolumes.count(metrics, this::every, classes::current);
        keepers =
                Optional.of(
                        new Keepers(
                                new UnfinishedDevices(
                                        classes,
                                        vg -> groups.mend(vg, classes.current().pools(vg)),
                                        UnfinishedDevices.PERIOD),
                                new VolumeCheck(this::all, classes, groups, ofVolumes),
                                new QuarantineWatch(classes, groups, groups.erasures()),
                                groups));
        groups.erasures().onEnd(this::erased);
        groups.snapshots().measuredBy(new SnapshotMetrics(metrics, node));
        groups.snapshots().onLost(this::enqueue);
        starter = starter();
    }

    /**
     * Prepares the controller for volumes that somebody else keeps, who also looks after them;
     * nothing is started yet.
     *
     * @param driver driver whose volumes these are
     * @param node name of this node
     * @param removed called after a volume is gone from the disk, before its object may go
     */
    public VolumeController(
            KubeClient kube,
            Driver driver,
            String node,
            ClassNews classes,
            NodeStorage.Factory storage,
            Consumer<LogicalVolume> removed,
            EventRecorder events,
            MetricsRegistry metrics) {
        name = NAME;
        this.kube = kube;
        this.driver = driver;
        this.node = node;
        this.classes = classes;
        this.storage = storage;
        this.removed = removed;
        this.events = events;
        this.metrics = metrics;
        groupChanged = _ -> {};
        ofVolumes = new VolumeMetrics(metrics, node);
        keepers = Optional.empty();
        starter = starter();
    }

    private VolumeController(
            VolumeController first, Driver driver, Consumer<LogicalVolume> removed) {
        name = NAME + "-" + driver.group();
        kube = first.kube;
        this.driver = driver;
        node = first.node;
        classes = first.classes;
        storage = first.storage;
        groupChanged = first.groupChanged;
        this.removed = removed;
        events = first.events;
        metrics = first.metrics;
        ofVolumes = first.ofVolumes;
        keepers = Optional.empty();
        starter = starter();
    }

    /**
     * Prepares a controller for the LogicalVolumes of a further group, whose volumes are in the
     * same LVM. This one, which looks after LVM, looks after those volumes, too.
     *
     * @param removed called after a volume of that group is gone from the disk
     */
    public VolumeController beside(Driver other, Consumer<LogicalVolume> removed) {
        var next = new VolumeController(this, other, removed);
        besides.add(next);
        keepers.map(Keepers::groups)
                .ifPresent(
                        groups -> {
                            groups.erasures().onEnd(next::enqueue);
                            groups.snapshots().onLost(next::enqueue);
                        });
        return next;
    }

    /**
     * Says whether a further group may still be found. Until then nothing on the disks counts as
     * nobody's.
     */
    public void moreToCome(boolean may) {
        moreToCome = may;
    }

    private Thread starter() {
        return Thread.ofVirtual().name("logicalvolume-starter").unstarted(this::begin);
    }

    private NodeStorage inLvm(NodeVolumes objects, LiveDeviceClasses classes, GroupLedgers groups) {
        return new LvmStorage(
                classes::current,
                groups,
                new VolumeOperations(groups),
                FormerVolumes.of(kube, objects, new FormerVolumes.Groups(groups)),
                new VolumeHomes(kube, node, groups),
                groupChanged);
    }

    /** Starts in the background and goes on until {@link #close}. */
    public void start() {
        keepers.ifPresent(Keepers::start);
        starter.start();
    }

    /** Returns the objects of this node; empty until the server has answered. */
    public Optional<NodeVolumes> volumes() {
        return Optional.ofNullable(running.get()).map(Running::volumes);
    }

    private List<Optional<NodeVolumes>> each() {
        return Stream.concat(Stream.of(this), besides.stream())
                .map(VolumeController::volumes)
                .toList();
    }

    /** Returns the objects of every group; empty until all of them are known. */
    private Optional<List<NodeVolumes>> all() {
        var each = each();
        boolean known =
                !moreToCome
                        && each.stream().allMatch(v -> v.filter(NodeVolumes::synced).isPresent());
        return known
                ? Optional.of(each.stream().flatMap(Optional::stream).toList())
                : Optional.empty();
    }

    /** Returns all objects that are known. */
    private List<LogicalVolume> every() {
        return each().stream()
                .flatMap(Optional::stream)
                .flatMap(volumes -> volumes.all().stream())
                .toList();
    }

    /** Returns the comparison of disk and objects; empty if somebody else keeps the volumes. */
    public Optional<VolumeCheck> check() {
        return keepers.map(Keepers::check);
    }

    private void begin() {
        try {
            awaitClasses();
            var volumes = open();
            var controller = build(volumes);
            volumes.informer().addHandler((before, now) -> seen(volumes, before, now));
            volumes.informer().start();
            running.set(new Running(volumes, controller));
            controller.start();
            classes.onChange(this::retryUnfinished);
        } catch (InterruptedException _) {
            LOG.log(Level.DEBUG, "volume controller ended before it began"); // by close()
        }
    }

    /** The first list tells of objects that others have seen before us. */
    private void seen(NodeVolumes volumes, Optional<KubeObject> before, Optional<KubeObject> now) {
        if (before.isEmpty() && volumes.informer().synced()) {
            now.flatMap(KubeObject::creationTimestamp)
                    .ifPresent(created -> ofVolumes.seen(created, Instant.now()));
        }
    }

    private void awaitClasses() throws InterruptedException {
        var news = new Semaphore(0);
        classes.onChange(news::release);
        while (!classes.known()) {
            news.acquire();
        }
    }

    /** A volume may be waiting for a class to appear or to go. */
    private void retryUnfinished() {
        var now = running.get();
        if (now != null) {
            now.volumes().informer().list().stream()
                    .filter(o -> o.terminating() || o.text("status", "volumeID").isEmpty())
                    .forEach(o -> now.controller().enqueue(o.key()));
        }
    }

    private NodeVolumes open() throws InterruptedException {
        for (int failures = 1; ; failures++) {
            try {
                return NodeVolumes.of(kube, driver, node);
            } catch (ApiException e) {
                LOG.log(
                        Level.WARNING,
                        () -> "cannot read the LogicalVolumes, will retry: " + e.getMessage());
                Thread.sleep(RETRY.after(failures));
            }
        }
    }

    private Controller<ObjectKey> build(NodeVolumes volumes) {
        var reconciler =
                new LogicalVolumeReconciler(
                        node,
                        kube,
                        volumes,
                        storage.of(volumes),
                        groupChanged,
                        removed,
                        events,
                        ofVolumes,
                        InstantSource.system());
        return Controller.named(name, reconciler)
                .watch(volumes.informer())
                .filter(worthAPass())
                .watch(volumes.informer(), VolumeController::source)
                .filter((_, after) -> after.isEmpty())
                .workers(WORKERS)
                .metrics(metrics)
                .build();
    }

    /** A thick volume may be waiting to be removed until its last snapshot is gone. */
    private static List<ObjectKey> source(KubeObject gone) {
        return gone.text("spec", "source").map(ObjectKey::cluster).stream().toList();
    }

    /** Our own status writes start no pass; a request to grow, to adopt or to adjust does. */
    private ChangeFilter worthAPass() {
        return ChangeFilter.generationChanged()
                .or(ChangeFilter.changedAt("metadata", "finalizers"))
                .or(ChangeFilter.changedAt("metadata", "labels", Names.CREATED_BY_LABEL))
                .or(
                        ChangeFilter.changedAt(
                                "metadata", "annotations", driver.resizeRequestedAnnotation()))
                .or(ChangeFilter.changedAt("metadata", "annotations", driver.volumeIdAnnotation()))
                .or(
                        ChangeFilter.changedAt(
                                "metadata", "annotations", LogicalVolume.Home.ACCEPTED_ANNOTATION))
                .or(
                        ChangeFilter.changedAt(
                                "metadata", "annotations", driver.attributesAnnotation()))
                .or(
                        ChangeFilter.changedAt(
                                "metadata", "annotations", driver.refusedAttributesAnnotation()))
                .or(
                        ChangeFilter.changedAt(
                                "metadata", "annotations", driver.pendingDeletionAnnotation()));
    }

    /**
     * Notes that a volume left a target: if it is waiting to be removed, that may be possible now.
     */
    public void released(String volumeId) {
        var now = running.get();
        if (now != null) {
            now.volumes()
                    .byVolumeId(volumeId)
                    .map(LogicalVolume::object)
                    .filter(KubeObject::terminating)
                    .ifPresent(object -> now.controller().enqueue(object.key()));
        }
    }

    /**
     * Notes that no filesystem is being made on a volume any more: copies of it may wait for that.
     */
    public void formatted(String volumeId) {
        var now = running.get();
        if (now != null) {
            now
                    .volumes()
                    .byVolumeId(volumeId)
                    .map(source -> now.volumes().copiesOf(source.name()))
                    .orElse(List.of())
                    .stream()
                    .filter(copy -> copy.status().volumeId().isEmpty())
                    .forEach(copy -> now.controller().enqueue(copy.object().key()));
        }
    }

    /** A volume was zeroed and can be handed out or grow, or a removed one gave up its space. */
    private void erased(LvName name) {
        groupChanged.accept(name.vg());
        enqueue(name);
    }

    private void enqueue(LvName name) {
        var now = running.get();
        if (now != null) {
            now.volumes().named(name.lv()).forEach(now.controller()::enqueue);
        }
    }

    @Override
    public void close() {
        keepers.ifPresent(Keepers::close);
        starter.interrupt();
        var now = running.getAndSet(null);
        if (now != null) {
            now.controller().close();
            now.volumes().informer().close();
        }
    }
}
