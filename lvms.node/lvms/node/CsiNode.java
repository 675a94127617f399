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
import lvms.node.csi.VolumeDevices;
import lvms.node.csi.VolumeId;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.volume.GroupLedgers;
import lvms.node.volume.NodeVolumes;
import lvms.node.volume.VolumeCheck;
import lvms.node.volume.VolumeController;

import java.io.IOException;
import java.nio.file.Path;
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
    private final CsiFront front;
    private final VolumeController volumes;
    private final Function<KnownVolumes, VolumeDevices> found;
    private final EventRecorder events;
    private final ConditionEvents conditions;
    private final List<CsiDoor> others = new CopyOnWriteArrayList<>();
    private volatile Optional<CsiNode> ofOtherGroup = Optional.empty();
    private SelfCheck.Look look = Optional::empty;
    private volatile Optional<SelfCheck> check = Optional.empty();

    /**
     * Puts the parts together for volumes in this process's LVM; nothing is started yet.
     *
     * @param front what kubelet sees; closed with this
     * @param groups reservations in the volume groups, shared with every other part that makes
     *     volumes
     * @param classes the device classes of this node
     * @param groupChanged called with a group after each change in it; it must return at once
     */
    CsiNode(
            CsiFront front,
            KubeClient kube,
            GroupLedgers groups,
            LiveDeviceClasses classes,
            Consumer<String> groupChanged,
            EventRecorder events,
            MetricsRegistry metrics) {
        this(
                front,
                removed ->
                        new VolumeController(
                                kube,
                                front.settings().driver(),
                                front.settings().nodeName(),
                                classes,
                                groups,
                                groupChanged,
                                removed,
                                events,
                                metrics),
                known ->
                        new LvmVolumeDevices(
                                known, classes::current, groups, DeviceMapper.system()),
                events);
    }

    /**
     * Puts the parts together; nothing is started yet.
     *
     * @param front what kubelet sees; closed with this
     * @param controller makes the controller, which tells of each volume that is gone from the disk
     * @param found finds the devices of the controller's volumes
     */
    CsiNode(
            CsiFront front,
            Function<Consumer<LogicalVolume>, VolumeController> controller,
            Function<KnownVolumes, VolumeDevices> found,
            EventRecorder events) {
        this.front = front;
        this.found = found;
        this.events = events;
        volumes = controller.apply(this::removed);
        conditions =
                new ConditionEvents(
                        id -> volumes.volumes().flatMap(known -> known.byVolumeId(id)), events);
        front.behind().formats().onEnd(volumes::formatted);
    }

    /** What kubelet's calls reach. */
    private final class Serving implements CsiFront.Servants {
        @Override
        public void left(VolumeId volume) {
            conditions.left(volume);
            volumes.released(volume.text());
        }

        @Override
        public void observed(VolumeId volume, Optional<String> trouble) {
            conditions.observe(volume, trouble);
        }

        @Override
        public boolean ready() throws VolumeException {
            var own = check;
            return own.isPresent() && own.get().ready() && CsiNode.this.ready();
        }
    }

    /**
     * Serves another driver, too. If its LogicalVolumes are in the same group, kubelet reaches the
     * same volumes through it, else those of the other group. Call it after the start, from one
     * thread, and again if it failed.
     *
     * @throws IOException if a socket cannot be served; the driver of this node still is
     */
    void alsoServe(Driver other) throws IOException {
        if (!other.group().equals(front.settings().driver().group())) {
            ofOtherGroup = Optional.of(ofOtherGroup.orElseGet(() -> ofOtherGroup(other)));
            ofOtherGroup.get().front.open();
            return;
        }
        var door = new CsiDoor(front.settings().beside(other), front.behind());
        try {
            door.open();
            others.add(door);
        } catch (IOException e) {
            door.close();
            throw e;
        }
    }

    private CsiNode ofOtherGroup(Driver other) {
        var behind = front.behind();
        var next =
                new CsiNode(
                        new CsiFront(
                                front.settings().beside(other), behind.formats(), behind.metrics()),
                        removed -> volumes.beside(other, removed),
                        found,
                        events);
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
        front.behind().formats().gone(volume.status().volumeId());
        front.removed(volume);
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
        front.open();
    }

    private void begin() {
        check = Optional.of(SelfCheck.start(look));
        volumes.start();
        front.serve(found.apply(KnownVolumes.of(volumes::volumes)), new Serving());
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
        return front.registered();
    }

    Path socket() {
        return front.socket();
    }

    /** Withdraws the drivers from kubelet, then stops serving; running calls get five seconds. */
    @Override
    public void close() {
        ofOtherGroup.ifPresent(CsiNode::close);
        others.forEach(CsiDoor::close);
        front.close();
        check.ifPresent(SelfCheck::close);
        volumes.close();
    }
}
