package lvms.operator.capacity;

import lvms.api.Driver;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Result;
import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.OwnerReference;
import lvms.k8s.object.Types;
import lvms.operator.backend.Backends;
import lvms.operator.backend.NodeSpace;
import lvms.operator.backend.VolumeBackend;
import lvms.operator.claim.StorageClass;
import lvms.operator.informer.OperatorInformers;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Keeps one CSIStorageCapacity for each pair of a StorageClass and a node: what the node reports,
 * minus what is reserved for volumes that its report does not show yet.
 *
 * <p>A change of a node's report is written at once; further changes of the same pair wait until
 * {@link #PAUSE} has passed, and then only the last one is written.
 */
public final class CapacityPublisher implements AutoCloseable {
    static final Duration PAUSE = Duration.ofMillis(250);
    private static final String BY_PAIR = "pair";
    private static final int WORKERS = 8;

    /** How soon a pass looks again while something is reserved: a reservation may just expire. */
    private static final Duration RESERVED = Duration.ofSeconds(10);

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final Backends backends;
    private final ObjectKey pod;
    private final InstantSource clock;
    private final boolean immediate;
    private final Informer published;
    private final Controller<ObjectKey> controller;
    private final Map<Pair, Instant> written = new ConcurrentHashMap<>();
    private volatile Optional<OwnerReference> owner; // null before the first lookup

    /**
     * Builds the publisher; nothing runs yet.
     *
     * @param pod pod of this process; the objects are in its namespace and belong to its Deployment
     * @param immediate whether classes count whose volumes do not wait for a pod
     */
    public CapacityPublisher(
            KubeClient kube,
            OperatorInformers informers,
            Backends backends,
            ObjectKey pod,
            MetricsRegistry metrics,
            InstantSource clock,
            boolean immediate) {
        this.kube = kube;
        this.informers = informers;
        this.backends = backends;
        this.pod = pod;
        this.clock = clock;
        this.immediate = immediate;
        this.published =
                Informer.of(kube, Types.CSI_STORAGE_CAPACITY)
                        .namespace(pod.namespace())
                        .labelSelector(CapacityObject.selector(informers.drivers()))
                        .transform(object -> object.without("metadata", "managedFields"))
                        .index(BY_PAIR, object -> CapacityObject.index(object, informers.drivers()))
                        .build();
        this.controller =
                informers
                        .awaited(Controller.named("csistoragecapacity", this::publish))
                        .watch(informers.nodes(), this::pairsOfNode)
                        .filter(this::nodeMatters)
                        .watch(informers.csiNodes(), this::pairsOfCsiNode)
                        .watch(informers.storageClasses(), this::pairsOfClass)
                        .watch(published, this::pairOf)
                        .workers(WORKERS)
                        .metrics(metrics)
                        .build();
        backends.all().forEach(backend -> backend.space().onChange(this::changed));
        metrics.gauge("csistoragecapacities_desired_goal", "Capacity objects that there should be.")
                .with()
                .from(() -> goal().size());
        metrics.gauge("csistoragecapacities_desired_current", "Published capacity objects.")
                .with()
                .from(this::current);
        metrics.gauge(
                        "csistoragecapacities_obsolete",
                        "Capacity objects that are still to be deleted.")
                .with()
                .from(() -> published.list().size() - current());
    }

    /** Returns the pairs for which an object should be there, as the passes decide it. */
    private Set<Pair> goal() {
        return informers.nodes().list().stream()
                .flatMap(node -> pairsOfNode(node).stream())
                .map(Pair::of)
                .filter(pair -> wanted(pair).isPresent())
                .collect(Collectors.toUnmodifiableSet());
    }

    private long current() {
        return goal().stream()
                .filter(pair -> !published.byIndex(BY_PAIR, pair.text()).isEmpty())
                .count();
    }

    private boolean nodeMatters(Optional<KubeObject> before, Optional<KubeObject> after) {
        return before.isEmpty()
                || after.isEmpty()
                || !before.get().annotations().equals(after.get().annotations())
                || !topologies(before.get()).equals(topologies(after.get()));
    }

    /** Returns what a node is called in capacity objects: its topology label of each driver. */
    private Set<String> topologies(KubeObject node) {
        return informers.drivers().all().stream()
                .flatMap(driver -> node.label(driver.topologyKey()).stream())
                .filter(topology -> !topology.isEmpty())
                .collect(Collectors.toUnmodifiableSet());
    }

    private void changed(String node) {
        informers.nodes().get(ObjectKey.cluster(node)).stream()
                .flatMap(found -> pairsOfNode(found).stream())
                .forEach(controller::enqueue);
    }

    private List<ObjectKey> pairsOfNode(KubeObject node) {
        var keys = new ArrayList<ObjectKey>();
        for (var topology : topologies(node)) {
            for (var storageClass : informers.storageClasses().list()) {
                keys.add(new Pair(storageClass.name(), topology).key());
            }
        }
        return keys;
    }

    private List<ObjectKey> pairsOfCsiNode(KubeObject csiNode) {
        return informers
                .nodes()
                .get(ObjectKey.cluster(csiNode.name()))
                .map(this::pairsOfNode)
                .orElse(List.of());
    }

    private List<ObjectKey> pairsOfClass(KubeObject storageClass) {
        var keys = new ArrayList<ObjectKey>();
        for (var node : informers.nodes().list()) {
            for (var topology : topologies(node)) {
                keys.add(new Pair(storageClass.name(), topology).key());
            }
        }
        return keys;
    }

    private List<ObjectKey> pairOf(KubeObject object) {
        return CapacityObject.pairOf(object, informers.drivers()).map(Pair::key).stream().toList();
    }

    private Result publish(ObjectKey key) throws ApiException, InterruptedException {
        var pair = Pair.of(key);
        var storageClass = publishedClass(pair);
        var backend = storageClass.flatMap(found -> backends.named(found.provisioner()));
        var wanted = wanted(pair);
        var present = published.byIndex(BY_PAIR, pair.text());
        for (var surplus : present.stream().skip(wanted.isEmpty() ? 0 : 1).toList()) {
            kube.delete(
                    Types.CSI_STORAGE_CAPACITY, surplus.key(), DeleteOptions.uid(surplus.uid()));
        }
        if (wanted.isEmpty()) {
            written.remove(pair);
            return Result.done();
        }
        var driver = backend.orElseThrow().driver();
        var result = write(driver, pair, wanted.get(), present.stream().findFirst());
        boolean settles =
                result.equals(Result.done())
                        && reserves(backend.get(), storageClass.orElseThrow(), pair);
        return settles ? Result.requeueAfter(RESERVED) : result;
    }

    private Optional<StorageClass> publishedClass(Pair pair) {
        return StorageClass.find(informers.storageClasses(), pair.storageClass())
                .filter(found -> immediate || found.waitForFirstConsumer());
    }

    /** Returns what to publish; empty if there should be no object. */
    private Optional<NodeSpace.Free> wanted(Pair pair) {
        return publishedClass(pair)
                .flatMap(
                        found ->
                                backends.named(found.provisioner())
                                        .flatMap(b -> free(b, found, pair.topology())));
    }

    private Result write(
            Driver driver, Pair pair, NodeSpace.Free free, Optional<KubeObject> present)
            throws ApiException, InterruptedException {
        if (present.isPresent() && CapacityObject.says(present.get(), free)) {
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
            update(present.get(), free);
        } else {
            create(driver, pair, free);
        }
        return Result.done();
    }

    private void update(KubeObject present, NodeSpace.Free free)
            throws ApiException, InterruptedException {
        published.patch(CapacityObject.saying(present, free));
    }

    private void create(Driver driver, Pair pair, NodeSpace.Free free)
            throws ApiException, InterruptedException {
        var object = CapacityObject.of(driver, pod.namespace(), pair, free, owner());
        try {
            published.create(object);
        } catch (ApiException.AlreadyExists _) {
            update(kube.get(Types.CSI_STORAGE_CAPACITY, object.key()), free);
        }
    }

    private Optional<OwnerReference> owner() throws ApiException, InterruptedException {
        if (owner == null) {
            owner = OwnerWalk.deploymentOf(kube, pod);
        }
        return owner;
    }

    /** Returns what to publish; empty if the driver is not on the node. */
    private Optional<NodeSpace.Free> free(
            VolumeBackend backend, StorageClass storageClass, String topology) {
        var space = backend.space();
        return space.topology()
                .nodeOf(topology)
                .filter(node -> informers.registered(backend.driver(), node))
                .map(node -> space.free(node, storageClass).orElse(NodeSpace.Free.NONE));
    }

    private static boolean reserves(VolumeBackend backend, StorageClass storageClass, Pair pair) {
        return backend.space()
                .topology()
                .nodeOf(pair.topology())
                .filter(node -> backend.space().reserves(node, storageClass))
                .isPresent();
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
