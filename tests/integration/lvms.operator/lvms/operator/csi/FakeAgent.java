package lvms.operator.csi;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.attribute.AttributeChange;
import lvms.api.snapshot.SnapshotGroup;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Result;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Times;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.support.Nodes;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Stands in for the node agents of a cluster: it makes volumes in memory, in extents of 4 MiB,
 * reports status and capacity, and refuses what does not fit.
 */
final class FakeAgent implements AutoCloseable {
    static final long EXTENT = 4L << 20;
    private static final Driver DRIVER = Driver.TOPOLVM;

    private final KubeClient kube;
    private final Drivers drivers;
    private final Informer volumes;
    private final Controller<ObjectKey> controller;
    private final Map<String, Long> totals = new ConcurrentHashMap<>();
    private final Map<String, Made> disk = new HashMap<>(); // by UID, guarded by this
    private final ReentrantLock reporting = new ReentrantLock();
    private final AtomicInteger refusals = new AtomicInteger();
    private final Map<String, StatusCode> failures = new ConcurrentHashMap<>();
    private final ReentrantLock grouping = new ReentrantLock();
    private volatile boolean held;
    private volatile boolean knowsGroups = true;

    /** A logical volume. */
    private record Made(String node, long bytes) {}

    FakeAgent(KubeClient kube, Drivers drivers) {
        this.drivers = drivers;
        this.kube = kube.withFieldManager(Names.VG_MANAGER);
        this.volumes = Informer.of(kube, DRIVER.logicalVolumes()).build();
        this.controller =
                Controller.named("fake-agent", this::reconcile).watch(volumes).workers(8).build();
        controller.start();
    }

    /** Adds a node with one device class, {@code ssd}, and registers the drivers on it. */
    void addNode(String name, long bytes) throws ApiException, InterruptedException {
        totals.put(name, bytes);
        var node = KubeObject.create(Types.NODE, ObjectKey.cluster(name));
        for (var driver : drivers.all()) {
            node =
                    node.with(name, "metadata", "labels", driver.topologyKey())
                            .with(
                                    Long.toString(bytes),
                                    "metadata",
                                    "annotations",
                                    driver.capacityAnnotation("ssd"));
        }
        Nodes.create(kube, node);
        kube.create(Types.CSI_NODE, registration(name, true));
    }

    /** From now on the class of a node is thick, and its agent takes snapshots of its volumes. */
    void makeThick(String node) throws ApiException, InterruptedException {
        var annotations = ObjectTree.builder();
        drivers.all().forEach(driver -> annotations.put(driver.thickClassesAnnotation(), "ssd"));
        var metadata = ObjectTree.builder().put("annotations", annotations.build()).build();
        kube.mergePatch(
                Types.NODE,
                ObjectKey.cluster(node),
                ObjectTree.builder().put("metadata", metadata).build());
    }

    /** Takes the driver off a node, as kubelet does when the agent goes. */
    void unregister(String node) throws ApiException, InterruptedException {
        replace(registration(node, false));
    }

    /** Registers the driver on a node again. */
    void register(String node) throws ApiException, InterruptedException {
        replace(registration(node, true));
    }

    private void replace(KubeObject registration) throws ApiException, InterruptedException {
        var version = kube.get(Types.CSI_NODE, registration.key()).resourceVersion();
        var update = registration.with(version, "metadata", "resourceVersion");
        kube.replace(Types.CSI_NODE, update);
    }

    private KubeObject registration(String node, boolean there) {
        var registered = ListTree.builder();
        for (var driver : there ? drivers.all() : List.<Driver>of()) {
            registered.add(
                    ObjectTree.builder()
                            .put("name", driver.name())
                            .put("nodeID", node)
                            .put("topologyKeys", ListTree.ofTexts(List.of(driver.topologyKey())))
                            .build());
        }
        return KubeObject.create(Types.CSI_NODE, ObjectKey.cluster(node))
                .with(registered.build(), "spec", "drivers");
    }

    /** Gives a node more room. */
    void enlarge(String node, long bytes) throws ApiException, InterruptedException {
        totals.merge(node, bytes, Long::sum);
        reportCapacity(node);
    }

    /** From now on new work waits, until {@link #resume()}. */
    void hold() {
        held = true;
    }

    /** Does all work that waits. */
    void resume() {
        held = false;
        volumes.list().forEach(volume -> controller.enqueue(volume.key()));
    }

    /** From now on it is an agent of a release that takes each snapshot for itself. */
    void forgetGroups() {
        knowsGroups = false;
    }

    /** Makes the next work on an object fail. */
    void failNext(String name, StatusCode code) {
        failures.put(name, code);
    }

    /** Finds that the content of a snapshot is lost. */
    void lose(LogicalVolume snapshot, String why) throws ApiException, InterruptedException {
        fail(snapshot, StatusCode.DATA_LOSS, why);
    }

    /** Returns how often there was no room for a volume that the operator had sent. */
    int refusals() {
        return refusals.get();
    }

    /** Returns how many logical volumes there are. */
    synchronized int made() {
        return disk.size();
    }

    /** Returns the size of a logical volume. */
    synchronized long bytes(String uid) {
        return disk.get(uid).bytes();
    }

    private Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var found = volumes.get(key).map(LogicalVolume::tolerant);
        if (found.isEmpty() || held) {
            return Result.done();
        }
        var volume = found.get();
        switch (volume.state()) {
            case TERMINATING -> remove(volume);
            case FAILED -> { // its maker takes it away
                return Result.done();
            }
            case PENDING -> makeInGroup(volume);
            case READY -> {
                if (AttributeChange.of(volume).state() == AttributeChange.State.PENDING) {
                    adjust(volume);
                } else if (volume.growing()) {
                    make(volume);
                }
            }
        }
        return Result.done();
    }

    private void remove(LogicalVolume volume) throws ApiException, InterruptedException {
        synchronized (this) {
            disk.remove(volume.uid());
        }
        kube.removeFinalizer(DRIVER.logicalVolumes(), volume.object(), DRIVER.volumeFinalizer());
        reportCapacity(volume.spec().nodeName());
    }

    /** It waits for the other snapshots of its group, as a node does, which takes them once. */
    private void makeInGroup(LogicalVolume volume) throws ApiException, InterruptedException {
        var group = SnapshotGroup.of(volume);
        if (group.isEmpty() || !knowsGroups) {
            make(volume);
            return;
        }
        grouping.lockInterruptibly();
        try {
            makeGroup(group.get());
        } finally {
            grouping.unlock();
        }
    }

    private void makeGroup(SnapshotGroup group) throws ApiException, InterruptedException {
        var members =
                volumes.list().stream()
                        .map(LogicalVolume::tolerant)
                        .filter(other -> SnapshotGroup.of(other).filter(group::equals).isPresent())
                        .filter(other -> !other.object().terminating())
                        .toList();
        var time = Times.micros(Instant.now().plusNanos(999));
        if (members.size() == group.members()) {
            for (var member : members) {
                if (member.state() == LogicalVolume.State.PENDING) {
                    volumes.patch(
                            MergePatch.of(member.object())
                                    .annotation(DRIVER.takenInGroupAnnotation(), group.name())
                                    .annotation(DRIVER.takenAtAnnotation(), time));
                    make(member);
                }
            }
        }
    }

    private void make(LogicalVolume volume) throws ApiException, InterruptedException {
        var injected = failures.remove(volume.name());
        long bytes = extents(volume.spec().size().bytes());
        long taken = volume.storeBytes().isPresent() ? extents(volume.roomBytes()) : bytes;
        if (injected != null) {
            fail(volume, injected, "injected");
        } else if (volume.sizeLimit().orElse(bytes) < bytes) {
            var refused = failure(StatusCode.OUT_OF_RANGE, "larger than the limit");
            volumes.patchStatus( // if something else is asked for by now, the next pass judges that
                    MergePatch.of(volume.object()).ifUnchanged().status(refused));
        } else if (!allocate(volume, taken)) {
            refusals.incrementAndGet();
            fail(volume, StatusCode.RESOURCE_EXHAUSTED, "no room");
        } else {
            succeed(volume, bytes);
            reportCapacity(volume.spec().nodeName());
        }
    }

    private static long extents(long bytes) {
        return (bytes + EXTENT - 1) / EXTENT * EXTENT;
    }

    private void adjust(LogicalVolume volume) throws ApiException, InterruptedException {
        var injected = failures.remove(volume.name());
        var wanted = AttributeChange.of(volume).wanted();
        var patch = MergePatch.of(volume.object());
        volumes.patch(
                injected == null
                        ? patch.annotation(DRIVER.appliedAttributesAnnotation(), wanted)
                        : patch.annotation(
                                DRIVER.refusedAttributesAnnotation(),
                                new AttributeChange.Refusal(injected, wanted, "injected").text()));
    }

    private synchronized boolean allocate(LogicalVolume volume, long bytes) {
        var former = disk.get(volume.uid());
        long more = bytes - (former == null ? 0 : former.bytes());
        if (more > free(volume.spec().nodeName())) {
            return false;
        }
        disk.put(volume.uid(), new Made(volume.spec().nodeName(), bytes));
        return true;
    }

    private synchronized long free(String node) {
        long used =
                disk.values().stream()
                        .filter(made -> made.node().equals(node))
                        .mapToLong(Made::bytes)
                        .sum();
        return totals.get(node) - used;
    }

    private void succeed(LogicalVolume volume, long bytes)
            throws ApiException, InterruptedException {
        var status = ObjectTree.builder();
        status.put("volumeID", volume.uid());
        status.put("currentSize", Quantity.ofBytes(bytes).toString());
        write(volume, status.build());
    }

    private void fail(LogicalVolume volume, StatusCode code, String message)
            throws ApiException, InterruptedException {
        write(volume, failure(code, message));
    }

    private static ObjectTree failure(StatusCode code, String message) {
        var status = ObjectTree.builder();
        status.put("code", code.number());
        status.put("message", message);
        return status.build();
    }

    private void write(LogicalVolume volume, ObjectTree status)
            throws ApiException, InterruptedException {
        var patch = ObjectTree.builder();
        patch.put("status", status);
        volumes.observed(
                kube.mergePatchStatus(
                        DRIVER.logicalVolumes(), volume.object().key(), patch.build()));
    }

    /** Reads and writes in one step, as a node's one reporter does: no older value comes last. */
    private void reportCapacity(String node) throws ApiException, InterruptedException {
        reporting.lock();
        try {
            var annotations = ObjectTree.builder();
            for (var driver : drivers.all()) {
                annotations.put(driver.capacityAnnotation("ssd"), Long.toString(free(node)));
            }
            var metadata = ObjectTree.builder();
            metadata.put("annotations", annotations.build());
            var patch = ObjectTree.builder();
            patch.put("metadata", metadata.build());
            kube.mergePatch(Types.NODE, ObjectKey.cluster(node), patch.build());
        } finally {
            reporting.unlock();
        }
    }

    @Override
    public void close() {
        controller.close();
        volumes.close();
    }
}
