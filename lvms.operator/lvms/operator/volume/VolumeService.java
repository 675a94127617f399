package lvms.operator.volume;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.attribute.VolumeAttributes;
import lvms.api.snapshot.StoreSize;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.Deletion;
import lvms.k8s.client.KubeClient;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.SidecarCalls.Method;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Makes and removes volumes and snapshots: the one core behind the controllers and the CSI socket.
 *
 * <p>Each operation is one pass: it looks at the current state, takes the next step, and returns at
 * once. It can be repeated at any time, also by another process after a crash, and a repetition
 * with the same name means the same volume. Passes over one object exclude each other. Any thread
 * may use it.
 */
public final class VolumeService {
    private final Driver driver;
    private final VolumeStore store;
    private final NodeCapacities capacities;
    private final Ledger ledger;
    private final VolumeCreation creation;
    private final VolumeGrowth growth;
    private final VolumeAdjustment adjustment;
    private final GroupSnapshots groups;
    private final VolumeChanges changes;
    private final KeyedLocks locks;
    private final Optional<SidecarCalls> calls;

    VolumeService(
            VolumeSettings settings, VolumeStore store, NodeCapacities capacities, Ledger ledger) {
        this.driver = settings.driver();
        this.store = store;
        this.capacities = capacities;
        this.ledger = ledger;
        this.adjustment = new VolumeAdjustment(store);
        var choice = new NodeChoice(capacities, ledger);
        this.creation = new VolumeCreation(settings, store, choice, ledger, adjustment);
        this.groups = new GroupSnapshots(driver, store, creation);
        this.growth = new VolumeGrowth(store, capacities, ledger);
        store.informer().addHandler(this::follow);
        this.changes = new VolumeChanges(store.informer());
        this.locks = new KeyedLocks();
        this.calls = Optional.empty();
    }

    /** The same service for callers whose calls are measured. */
    private VolumeService(VolumeService same, SidecarCalls calls) {
        this.driver = same.driver;
        this.store = same.store;
        this.capacities = same.capacities;
        this.ledger = same.ledger;
        this.creation = same.creation;
        this.growth = same.growth;
        this.adjustment = same.adjustment;
        this.groups = same.groups;
        this.changes = same.changes;
        this.locks = same.locks;
        this.calls = Optional.of(calls);
    }

    /** Returns the service of the driver that the settings name. */
    static VolumeService of(
            KubeClient kube,
            VolumeSettings settings,
            OperatorInformers informers,
            Ledger ledger,
            InstantSource clock) {
        var driver = settings.driver();
        return new VolumeService(
                settings,
                new VolumeStore(kube, driver, informers.logicalVolumes(driver), clock),
                new NodeCapacities(settings, informers.nodes(), ledger),
                ledger);
    }

    /** Returns this service for the sidecars' work, whose calls are measured as theirs. */
    VolumeService measured(MetricsRegistry metrics) {
        var measured = new VolumeService(this, SidecarCalls.of(driver, metrics));
        store.informer()
                .addHandler(
                        (before, after) -> {
                            if (after.isEmpty()) {
                                before.map(LogicalVolume::tolerant).ifPresent(measured::endCalls);
                            }
                        });
        return measured;
    }

    private void endCalls(LogicalVolume gone) {
        var ended = calls.orElseThrow();
        ended.gone(gone.name());
        ended.gone(gone.status().volumeId());
        var group = GroupSnapshot.idOf(gone);
        if (!group.isEmpty() && groups.members(group).isEmpty()) {
            ended.gone(group);
        }
    }

    private <T> Progress<T> pass(Method method, String subject, Pass<T> pass)
            throws VolumeException, ApiException, InterruptedException {
        return calls.isPresent() ? calls.get().pass(method, subject, pass) : pass.run();
    }

    private <T> Progress<T> deletion(
            Method method, String subject, BooleanSupplier known, Pass<T> pass)
            throws VolumeException, ApiException, InterruptedException {
        return calls.isPresent() ? calls.get().deletion(method, subject, known, pass) : pass.run();
    }

    /** Returns the driver whose volumes these are. */
    public Driver driver() {
        return driver;
    }

    /**
     * One pass of an operation.
     *
     * @param <T> result of the operation
     */
    @FunctionalInterface
    public interface Pass<T> {
        /** Takes the next step. */
        Progress<T> run() throws VolumeException, ApiException, InterruptedException;
    }

    /** Returns the name of the object that stands for a CSI name. */
    public static String objectName(String csiName) {
        return ObjectNames.of(csiName);
    }

    /**
     * Repeats a pass whenever the object changes, until the operation is finished.
     *
     * @param name name of the LogicalVolume
     * @throws VolumeException what a pass throws, or DEADLINE_EXCEEDED
     */
    public <T> T await(String name, Duration timeout, Pass<T> pass)
            throws VolumeException, ApiException, InterruptedException {
        return await(Set.of(name), timeout, pass);
    }

    /**
     * Repeats a pass whenever one of several objects changes, until the operation is finished.
     *
     * @param names names of the LogicalVolumes
     * @throws VolumeException what a pass throws, or DEADLINE_EXCEEDED
     */
    public <T> T await(Set<String> names, Duration timeout, Pass<T> pass)
            throws VolumeException, ApiException, InterruptedException {
        long end = System.nanoTime() + timeout.toNanos();
        try (var waiter = changes.waiter(names)) {
            while (true) {
                var progress = pass.run();
                if (progress instanceof Progress.Converged<T>(var result)) {
                    return result;
                }
                if (!waiter.await(end - System.nanoTime())) {
                    var name = ((Progress.Pending<T>) progress).name();
                    throw new VolumeException(
                            StatusCode.DEADLINE_EXCEEDED, name + ": its node has not finished yet");
                }
            }
        }
    }

    /**
     * Returns how large the volume of a request will be, in bytes: at least what its filesystem
     * needs.
     *
     * @throws VolumeException OUT_OF_RANGE or INVALID_ARGUMENT as its creation would
     */
    public long bytes(VolumeRequest request) throws VolumeException {
        return creation.bytes(request.range(), request.access());
    }

    /**
     * One pass towards a volume.
     *
     * @throws VolumeException why it cannot be made; what was begun is undone
     */
    public Progress<LogicalVolume> create(VolumeRequest request)
            throws VolumeException, ApiException, InterruptedException {
        var name = ObjectNames.of(request.name());
        return pass(
                Method.CREATE_VOLUME,
                name,
                () -> {
                    try (var _ = locks.take(name)) {
                        return creation.volume(name, request);
                    }
                });
    }

    /**
     * One pass towards a snapshot.
     *
     * @param csiName key of the request: the same name means the same snapshot
     * @param room what it gets if the volume is thick
     * @throws VolumeException why it cannot be made; what was begun is undone
     */
    public Progress<LogicalVolume> snapshot(String csiName, String sourceId, StoreSize room)
            throws VolumeException, ApiException, InterruptedException {
        var name = ObjectNames.of(csiName);
        return pass(
                Method.CREATE_SNAPSHOT,
                name,
                () -> {
                    try (var _ = locks.take(name)) {
                        return creation.snapshot(name, sourceId, room);
                    }
                });
    }

    /**
     * One pass towards snapshots of several volumes, all of one instant.
     *
     * @param csiName key of the request: the same name means the same snapshots
     * @param room what each gets whose volume is thick
     * @throws VolumeException why they cannot be taken; then none is left
     */
    public Progress<GroupSnapshot> groupSnapshot(
            String csiName, List<String> sourceIds, StoreSize room)
            throws VolumeException, ApiException, InterruptedException {
        var id = ObjectNames.of(csiName);
        return pass(
                Method.CREATE_GROUP_SNAPSHOT,
                id,
                () -> {
                    try (var _ = locks.take(id)) {
                        return groups.make(id, sourceIds, room);
                    }
                });
    }

    /** Returns the names of the objects for the snapshots of a group. */
    public static Set<String> groupObjects(String csiName, List<String> sourceIds) {
        return GroupSnapshots.memberNames(ObjectNames.of(csiName), sourceIds);
    }

    /** Returns the snapshots of a group that there are, ready or not, sorted by name. */
    public List<LogicalVolume> membersOf(String id) {
        return groups.members(id);
    }

    /**
     * Finds the snapshots of a group that was made.
     *
     * @throws VolumeException NOT_FOUND if there is none
     */
    public GroupSnapshot groupSnapshot(String id) throws VolumeException {
        return groups.find(id);
    }

    /** One pass towards the deletion of all snapshots of a group; none counts as gone. */
    public Progress<Boolean> deleteGroup(String id)
            throws VolumeException, ApiException, InterruptedException {
        if (membersOf(id).isEmpty()) {
            return new Progress.Converged<>(true);
        }
        return deletion(
                Method.DELETE_GROUP_SNAPSHOT,
                id,
                () -> !groups.members(id).isEmpty(),
                () -> {
                    try (var _ = locks.take(id)) {
                        return groups.remove(id);
                    }
                });
    }

    /**
     * One pass towards a bigger volume.
     *
     * @throws VolumeException why it cannot be made bigger; its size stays
     */
    public Progress<LogicalVolume> expand(String id, CapacityRange range)
            throws VolumeException, ApiException, InterruptedException {
        return pass(
                Method.EXPAND_VOLUME,
                id,
                () -> {
                    try (var _ = locks.take(existing(id).name())) {
                        return growth.grow(existing(id), range);
                    }
                });
    }

    /**
     * One pass towards other attributes of a volume; those that are not named stay.
     *
     * @throws VolumeException why its node cannot give it these; the next call asks once more
     */
    public Progress<LogicalVolume> modify(String id, VolumeAttributes attributes)
            throws VolumeException, ApiException, InterruptedException {
        return pass(
                Method.MODIFY_VOLUME,
                id,
                () -> {
                    try (var _ = locks.take(existing(id).name())) {
                        return adjustment.adjust(existing(id), attributes);
                    }
                });
    }

    private LogicalVolume existing(String id) throws VolumeException {
        return store.byId(id)
                .filter(volume -> volume.state() != LogicalVolume.State.TERMINATING)
                .filter(volume -> !volume.isSnapshot())
                .orElseThrow(
                        () ->
                                new VolumeException(
                                        StatusCode.NOT_FOUND, "volume " + id + " does not exist"));
    }

    /**
     * One pass towards the deletion of a volume or snapshot. If it does not exist, it counts as
     * gone.
     *
     * @return whether it is gone
     * @throws VolumeException FAILED_PRECONDITION while something is being copied from it
     */
    public Progress<Boolean> delete(String id)
            throws VolumeException, ApiException, InterruptedException {
        var found = store.byId(id);
        return found.isEmpty() ? new Progress.Converged<>(true) : delete(found.get());
    }

    /**
     * Refuses the deletion of a thick volume that has snapshots, which need its content. Its object
     * may be deleted all the same: the node then keeps the volume until its last snapshot is gone.
     *
     * @throws VolumeException FAILED_PRECONDITION
     */
    public void requireNoDependents(LogicalVolume volume) throws VolumeException {
        var snapshots =
                store.cutFrom(volume.name()).stream()
                        .filter(copy -> copy.isSnapshot() && copy.storeBytes().isPresent())
                        .map(LogicalVolume::name)
                        .sorted()
                        .toList();
        if (!snapshots.isEmpty()) {
            throw new VolumeException(
                    StatusCode.FAILED_PRECONDITION,
                    "%s is thick and has snapshots, which have to be deleted first: %s"
                            .formatted(volume.name(), String.join(", ", snapshots)));
        }
    }

    /** One pass towards the deletion of exactly this object. */
    public Progress<Boolean> delete(LogicalVolume volume)
            throws VolumeException, ApiException, InterruptedException {
        var method = volume.isSnapshot() ? Method.DELETE_SNAPSHOT : Method.DELETE_VOLUME;
        return deletion(
                method, volume.name(), () -> present(volume).isPresent(), () -> remove(volume));
    }

    private Optional<LogicalVolume> present(LogicalVolume volume) {
        return store.find(volume.name()).filter(now -> now.uid().equals(volume.uid()));
    }

    private Progress<Boolean> remove(LogicalVolume volume)
            throws VolumeException, ApiException, InterruptedException {
        try (var _ = locks.take(volume.name())) {
            for (var copy : store.cutFrom(volume.name())) {
                if (copy.state() == LogicalVolume.State.PENDING) {
                    throw new VolumeException(
                            StatusCode.FAILED_PRECONDITION,
                            copy.name() + " is still being copied from " + volume.name());
                }
            }
            boolean known =
                    present(volume)
                            .map(now -> now.state() == LogicalVolume.State.TERMINATING)
                            .orElse(false);
            return !known && store.delete(volume) == Deletion.GONE
                    ? new Progress.Converged<>(true)
                    : new Progress.Pending<>(volume.name());
        }
    }

    /** Returns the objects. */
    public VolumeStore store() {
        return store;
    }

    /** Returns what the nodes have free. */
    public NodeCapacities capacities() {
        return capacities;
    }

    /** Keeps the ledger in step with the objects, including those that others wrote. */
    private void follow(Optional<KubeObject> before, Optional<KubeObject> after) {
        var name = after.or(() -> before).orElseThrow().name();
        if (after.isEmpty()) {
            growth.forget(name);
            adjustment.forget(name);
            ledger.release(name);
            return;
        }
        var volume = LogicalVolume.tolerant(after.get());
        switch (volume.state()) {
            case FAILED, TERMINATING -> ledger.release(name);
            case PENDING -> hold(volume, volume.roomBytes());
            case READY -> {
                if (volume.growing()) {
                    hold(volume, volume.spec().size().bytes() - volume.bytes());
                } else if (volume.status().code() == StatusCode.OK) {
                    ledger.confirm(name);
                } else {
                    ledger.release(name);
                }
            }
        }
    }

    private void hold(LogicalVolume volume, long bytes) {
        ledger.hold(
                volume.name(),
                capacities.slot(volume.spec().nodeName(), volume.spec().deviceClass()),
                bytes);
    }
}
