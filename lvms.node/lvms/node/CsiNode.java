package lvms.node;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.VolumeException;
import lvms.csi.SelfCheck;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.lvm2.device.DeviceMapper;
import lvms.node.condition.ConditionEvents;
import lvms.node.csi.KnownVolumes;
import lvms.node.csi.LvmVolumeDevices;
import lvms.node.csi.NodeService.Offer;
import lvms.node.csi.VolumeCalls;
import lvms.node.csi.VolumeDevices;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.format.Formats;
import lvms.node.volume.GroupLedgers;
import lvms.node.volume.NodeVolumes;
import lvms.node.volume.VolumeCheck;
import lvms.node.volume.VolumeController;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * All of a node's work on volumes: it makes and removes the volumes that LogicalVolume objects ask
 * for, publishes them to pods for kubelet, and keeps the driver registered with kubelet.
 *
 * <p>Threads: {@link #start} and {@link #close} belong to one thread, the rest to any.
 */
final class CsiNode implements AutoCloseable {
    /** Kubelet waits two minutes for a call. After half of that, we tell it to repeat the call. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private final CsiNodeSettings settings;
    private final VolumeController volumes;
    private final Function<KnownVolumes, VolumeDevices> found;
    private final EventRecorder events;
    private final MetricsRegistry metrics;
    private final VolumeCalls calls = new VolumeCalls(PATIENCE);
    private final ConditionEvents conditions;
    private final CsiDoor.Behind behind;
    private volatile CsiDoor main;
    private final List<CsiDoor> others = new CopyOnWriteArrayList<>();
    private volatile Optional<CsiNode> ofOtherGroup = Optional.empty();
    private SelfCheck.Look look = Optional::empty;
    private volatile Optional<SelfCheck> check = Optional.empty();

    /**
     * Puts the parts together for volumes in this process's LVM; nothing is started yet.
     *
     * @param groups reservations in the volume groups, shared with every other part that makes
     *     volumes
     * @param classes the device classes of this node
     * @param groupChanged called with a group after each change in it; it must return at once
     */
    CsiNode(
            CsiNodeSettings settings,
            KubeClient kube,
            GroupLedgers groups,
            LiveDeviceClasses classes,
            Consumer<String> groupChanged,
            EventRecorder events,
            MetricsRegistry metrics) {
        this(
                settings,
                removed ->
                        new VolumeController(
                                kube,
                                settings.driver(),
                                settings.nodeName(),
                                classes,
                                groups,
                                groupChanged,
                                removed,
                                events,
                                metrics),
                known ->
                        new LvmVolumeDevices(
                                known, classes::current, groups, DeviceMapper.system()),
                groups.formats(),
                events,
                metrics);
    }

    /**
     * Puts the parts together; nothing is started yet.
     *
     * @param controller makes the controller, which tells of each volume that is gone from the disk
     * @param found finds the devices of the controller's volumes
     * @param formats where filesystems are made, shared with all that copies volumes
     */
    CsiNode(
            CsiNodeSettings settings,
            Function<Consumer<LogicalVolume>, VolumeController> controller,
            Function<KnownVolumes, VolumeDevices> found,
            Formats formats,
            EventRecorder events,
            MetricsRegistry metrics) {
        this.settings = settings;
        this.found = found;
        this.events = events;
        this.metrics = metrics;
        volumes = controller.apply(this::removed);
        var devices = found.apply(KnownVolumes.of(volumes::volumes));
        conditions =
                new ConditionEvents(
                        id -> volumes.volumes().flatMap(known -> known.byVolumeId(id)), events);
        behind =
                new CsiDoor.Behind(
                        Offer.ALL,
                        devices,
                        calls,
                        formats,
                        volume -> {
                            conditions.left(volume);
                            volumes.released(volume.text());
                        },
                        conditions::observe,
                        this::probe,
                        metrics);
        main = new CsiDoor(settings, behind);
        formats.onEnd(volumes::formatted);
    }

    /**
     * Serves another driver, too. If its LogicalVolumes are in the same group, kubelet reaches the
     * same volumes through it, else those of the other group. Call it after the start, from one
     * thread, and again if it failed.
     *
     * @throws IOException if a socket cannot be served; the driver of this node still is
     */
    void alsoServe(Driver other) throws IOException {
        if (!other.group().equals(settings.driver().group())) {
            ofOtherGroup = Optional.of(ofOtherGroup.orElseGet(() -> ofOtherGroup(other)));
            ofOtherGroup.get().open();
            return;
        }
        var door = new CsiDoor(settings.beside(other), behind);
        try {
            door.open();
            others.add(door);
        } catch (IOException e) {
            door.close();
            throw e;
        }
    }

    private CsiNode ofOtherGroup(Driver other) {
        var next =
                new CsiNode(
                        settings.beside(other),
                        removed -> volumes.beside(other, removed),
                        found,
                        behind.formats(),
                        events,
                        metrics);
        next.probedBy(look.then(next::away));
        next.begin();
        return next;
    }

    /** Says whether {@link #alsoServe} may still be called for a further group. */
    void moreToCome(boolean may) {
        volumes.moreToCome(may);
    }

    private void removed(LogicalVolume volume) {
        conditions.removed(volume);
        behind.formats().gone(volume.status().volumeId());
        main.removed(volume);
        others.forEach(door -> door.removed(volume));
    }

    /** Has the call Probe say what this sees, each minute. Call it before the start. */
    void probedBy(SelfCheck.Look what) {
        look = what;
    }

    /** Has what is wrong looked at again at once, since that may be over. */
    void lookAgain() {
        check.ifPresent(SelfCheck::lookAgain);
        ofOtherGroup.ifPresent(CsiNode::lookAgain);
    }

    private boolean probe() throws VolumeException {
        var own = check;
        return own.isPresent() && own.get().ready() && ready();
    }

    /** Returns why the API server cannot be followed at the moment. */
    Optional<String> away() {
        return volumes.volumes()
                .flatMap(NodeVolumes::problem)
                .map(why -> "the API server cannot be followed: " + why);
    }

    /**
     * Starts serving. Reads the objects of this node in the background. Until they are known, calls
     * for volumes get ABORTED, and kubelet repeats them.
     *
     * @throws IOException if the driver's own socket cannot be served
     */
    void start() throws IOException {
        begin();
        main.open();
    }

    private void begin() {
        check = Optional.of(SelfCheck.start(look));
        volumes.start();
    }

    private void open() throws IOException {
        try {
            main.open();
        } catch (IOException e) {
            main.close();
            main = new CsiDoor(settings, behind); // for the next try
            throw e;
        }
    }

    /** Returns whether volumes can be served: their objects are known. */
    boolean ready() {
        return volumes.volumes().filter(NodeVolumes::synced).isPresent();
    }

    /** Returns the comparison of disk and objects, if the volumes are in this process's LVM. */
    Optional<VolumeCheck> check() {
        return volumes.check();
    }

    /** Returns whether kubelet's last answer was that the driver is registered. */
    boolean registered() {
        return main.registered();
    }

    Path socket() {
        return main.socket();
    }

    /** Withdraws the drivers from kubelet, then stops serving; running calls get five seconds. */
    @Override
    public void close() {
        ofOtherGroup.ifPresent(CsiNode::close);
        others.forEach(CsiDoor::close);
        main.close();
        check.ifPresent(SelfCheck::close);
        calls.close();
        volumes.close();
    }
}
