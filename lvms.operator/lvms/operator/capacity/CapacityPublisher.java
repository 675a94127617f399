package lvms.operator.capacity;

import lvms.api.Driver;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Result;
import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.OwnerReference;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.operator.claim.StorageClass;
import lvms.operator.informer.Caches;
import lvms.operator.volume.NodeCapacities;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Keeps one CSIStorageCapacity for each pair of a StorageClass and a node.
 *
 * <p>A change of a node's report is written at once; further changes of the same pair wait until
 * {@link #PAUSE} has passed, and then only the last one is written.
 */
public final class CapacityPublisher implements AutoCloseable {
    static final Duration PAUSE = Duration.ofMillis(250);
    private static final String BY_PAIR = "pair";
    private static final int WORKERS = 8;

    private final KubeClient kube;
    private final Caches caches;
    private final NodeCapacities capacities;
    private final Driver driver;
    private final ObjectKey pod;
    private final InstantSource clock;
    private final Informer published;
    private final Controller controller;
    private final Map<Pair, Instant> written = new ConcurrentHashMap<>();
    private volatile Optional<OwnerReference> owner; // null until it was looked for

    /**
     * Builds the publisher; nothing runs yet.
     *
     * @param pod pod of this process; the objects lie in its namespace and belong to its Deployment
     */
    public CapacityPublisher(
            KubeClient kube,
            Caches caches,
            NodeCapacities capacities,
            Driver driver,
            ObjectKey pod,
            MetricsRegistry metrics,
            InstantSource clock) {
        this.kube = kube;
        this.caches = caches;
        this.capacities = capacities;
        this.driver = driver;
        this.pod = pod;
        this.clock = clock;
        this.published =
                Informer.of(kube, Types.CSI_STORAGE_CAPACITY)
                        .namespace(pod.namespace())
                        .labelSelector(CapacityObject.selector(driver))
                        .transform(object -> object.without("metadata", "managedFields"))
                        .index(BY_PAIR, object -> CapacityObject.index(object, driver))
                        .build();
        this.controller =
                caches.awaited(Controller.named("csistoragecapacity", this::publish))
                        .watch(caches.nodes(), node -> pairs(topology(node)))
                        .filter(this::nodeMatters)
                        .watch(caches.csiNodes(), this::pairsOfCsiNode)
                        .watch(caches.classes(), this::pairsOfClass)
                        .watch(published, this::pairOf)
                        .workers(WORKERS)
                        .metrics(metrics)
                        .build();
        metrics.gauge("csistoragecapacities_desired_current", "Published capacity objects.")
                .with()
                .from(() -> published.list().size());
    }

    private boolean nodeMatters(Optional<KubeObject> before, Optional<KubeObject> after) {
        return before.isEmpty()
                || after.isEmpty()
                || !before.get().annotations().equals(after.get().annotations())
                || !topology(before.get()).equals(topology(after.get()));
    }

    private String topology(KubeObject node) {
        return node.label(driver.topologyKey()).orElse("");
    }

    private List<ObjectKey> pairs(String topology) {
        return topology.isEmpty()
                ? List.of()
                : caches.classes().list().stream()
                        .map(storageClass -> new Pair(storageClass.name(), topology).key())
                        .toList();
    }

    private List<ObjectKey> pairsOfCsiNode(KubeObject csiNode) {
        return caches.nodes()
                .get(ObjectKey.cluster(csiNode.name()))
                .map(node -> pairs(topology(node)))
                .orElse(List.of());
    }

    private List<ObjectKey> pairsOfClass(KubeObject storageClass) {
        var keys = new ArrayList<ObjectKey>();
        for (var node : caches.nodes().list()) {
            if (!topology(node).isEmpty()) {
                keys.add(new Pair(storageClass.name(), topology(node)).key());
            }
        }
        return keys;
    }

    private List<ObjectKey> pairOf(KubeObject object) {
        return CapacityObject.pairOf(object, driver).map(Pair::key).stream().toList();
    }

    private Result publish(ObjectKey key) throws ApiException, InterruptedException {
        var pair = Pair.of(key);
        var wanted = wantedBytes(pair);
        var present = published.byIndex(BY_PAIR, pair.text());
        for (var surplus : present.stream().skip(wanted.isEmpty() ? 0 : 1).toList()) {
            kube.delete(
                    Types.CSI_STORAGE_CAPACITY, surplus.key(), DeleteOptions.uid(surplus.uid()));
        }
        if (wanted.isEmpty()) {
            written.remove(pair);
            return Result.done();
        }
        return write(pair, wanted.get(), present.stream().findFirst());
    }

    private Result write(Pair pair, long bytes, Optional<KubeObject> present)
            throws ApiException, InterruptedException {
        if (present.isPresent() && bytesOf(present.get()) == bytes) {
            return Result.done();
        }
        var pause =
                Duration.between(
                        clock.instant(), written.getOrDefault(pair, Instant.EPOCH).plus(PAUSE));
        if (pause.isPositive()) {
            return Result.requeueAfter(pause);
        }
        written.put(pair, clock.instant());
        if (present.isPresent()) {
            update(present.get(), bytes);
        } else {
            create(pair, bytes);
        }
        return Result.done();
    }

    private void update(KubeObject present, long bytes) throws ApiException, InterruptedException {
        published.patch(MergePatch.of(present).set(Quantity.ofBytes(bytes).toString(), "capacity"));
    }

    private void create(Pair pair, long bytes) throws ApiException, InterruptedException {
        var object = CapacityObject.of(driver, pod.namespace(), pair, bytes, owner());
        try {
            published.create(object);
        } catch (ApiException.AlreadyExists _) {
            update(kube.get(Types.CSI_STORAGE_CAPACITY, object.key()), bytes);
        }
    }

    private Optional<OwnerReference> owner() throws ApiException, InterruptedException {
        if (owner == null) {
            owner = OwnerWalk.deploymentOf(kube, pod);
        }
        return owner;
    }

    private static long bytesOf(KubeObject object) {
        return object.value("capacity").map(Quantity::parse).map(Quantity::bytes).orElse(-1L);
    }

    /** Returns what to publish; empty if there shall be no object for the pair. */
    private Optional<Long> wantedBytes(Pair pair) {
        var storageClass = caches.storageClass(pair.storageClass()).filter(this::publishes);
        var node = capacities.nodeOf(pair.topology());
        if (storageClass.isEmpty() || node.isEmpty() || !caches.registered(node.get())) {
            return Optional.empty();
        }
        var deviceClass =
                storageClass.get().parameters().getOrDefault(driver.deviceClassParameter(), "");
        return caches.nodes()
                .get(ObjectKey.cluster(node.get()))
                .map(object -> capacities.reported(object, deviceClass).orElse(0));
    }

    private boolean publishes(StorageClass storageClass) {
        return storageClass.provisioner().equals(driver.name())
                && storageClass.waitForFirstConsumer();
    }

    /** Starts publishing. */
    public void start() {
        controller.start();
    }

    @Override
    public void close() {
        controller.close();
        published.close();
    }
}
