package lvms.tests.chaos;

import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.chaos.Journal.Chapter;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.conformance.fault.Claims;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;

/**
 * What was made and not deleted, and how it is made. Requests that the server cannot take now are
 * repeated. The work of a round is one thread, its harm another one, which makes nothing that is
 * listed here.
 */
final class World {
    private static final long PAUSE_MILLIS = 500;
    private static final Duration RESTART = Duration.ofMinutes(5);
    private static final int MOST_UNBOUND = 10;
    private static final Duration PROGRESS = Duration.ofSeconds(3);

    private final Product product;
    private final Sandbox sandbox;
    private final Random random;
    private final List<ClusterNode> nodes;
    private final List<Volume> volumes = new CopyOnWriteArrayList<>();
    private final List<Snapshot> snapshots = new CopyOnWriteArrayList<>();

    /**
     * Names of claims and snapshots that must stay as they are: until the next reckoning while
     * something is copied from them, until its pod is there again if that was restarted.
     */
    private final Set<String> busy = ConcurrentHashMap.newKeySet();

    private final Background background = new Background();

    private final AtomicLong made;

    World(Product product, Sandbox sandbox, Random random, long made) throws Exception {
        this.product = product;
        this.sandbox = sandbox;
        this.random = random;
        this.made = new AtomicLong(made);
        this.nodes = product.cluster().nodes();
    }

    /** A snapshot, and what a restore of it must hold. */
    record Snapshot(String name, Volume.Kind kind, int mib, List<Chapter> content) {}

    Product product() {
        return product;
    }

    Sandbox sandbox() {
        return sandbox;
    }

    List<Volume> volumes() {
        return List.copyOf(volumes);
    }

    List<Snapshot> snapshots() {
        return List.copyOf(snapshots);
    }

    /** Returns one of them by chance. */
    <T> Optional<T> any(List<T> among) {
        return among.isEmpty()
                ? Optional.empty()
                : Optional.of(among.get(random.nextInt(among.size())));
    }

    /** Returns one of the volumes by chance. */
    Optional<Volume> any(Predicate<Volume> which) {
        return any(volumes.stream().filter(which).toList());
    }

    ClusterNode anyNode(Random luck) {
        return nodes.get(luck.nextInt(nodes.size()));
    }

    /** Returns a name that nothing had before. */
    String newName() {
        return "v" + made.incrementAndGet();
    }

    /** Returns whether it may be changed: nothing is being copied from it, no pod restarted. */
    boolean free(String name) {
        return !busy.contains(name);
    }

    /** All that was asked for is there. */
    void settled() {
        busy.clear();
        volumes.forEach(Volume::settle);
    }

    /**
     * Waits until most claims are bound, so that not all of them are deleted before they are; not
     * for long, since some of them can wait for the end of a fault.
     */
    void awaitProgress() throws Exception {
        long end = System.nanoTime() + PROGRESS.toNanos();
        while (System.nanoTime() < end && unbound() > MOST_UNBOUND) {
            TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
        }
    }

    private long unbound() throws Exception {
        var claims = new ArrayList<KubeObject>();
        var here = ListOptions.all().namespace(sandbox.namespace());
        Product.insist(() -> claims.addAll(product.kube().list(Types.PVC, here).items()));
        return claims.stream()
                .filter(c -> c.text("status", "phase").filter("Bound"::equals).isEmpty())
                .count();
    }

    /** Waits for what was left to the background. */
    void awaitBackground() throws Exception {
        background.await();
    }

    /** Makes a claim, with a pod that writes or, without one, as if its pod were on some node. */
    void create(Volume volume) throws Exception {
        var claim = Claim.of(volume.name(), volume.kind().storageClass(), volume.mib() + "Mi");
        if (volume.kind().block()) {
            claim = claim.block();
        }
        if (volume.source().isPresent()) {
            var from = volume.source().get();
            claim = from.snapshot() ? claim.ofSnapshot(from.name()) : claim.ofClaim(from.name());
            busy.add(from.name());
        }
        var object = claim.object(sandbox.namespace());
        create(Types.PVC, volume.pod() ? object : Claims.on(anyNode(random).name(), object));
        if (volume.pod()) {
            createPod(volume);
        }
        volumes.add(volume);
    }

    void createPod(Volume volume) throws Exception {
        boolean block = volume.kind().block();
        var pod = Pod.of(volume.name());
        pod = block ? pod.device("data", volume.name()) : pod.mount("data", volume.name());
        pod = pod.running(Journal.writer(volume.name(), block));
        create(Types.POD, pod.object(sandbox.namespace()));
    }

    void snapshot(Volume volume) throws Exception {
        var name = "s" + made.incrementAndGet();
        var spec =
                "volumeSnapshotClassName: %s\nsource: {persistentVolumeClaimName: %s}"
                        .formatted(Product.THIN_CLASS, volume.name());
        create(
                Types.VOLUME_SNAPSHOT,
                KubeObject.create(Types.VOLUME_SNAPSHOT, ObjectKey.of(sandbox.namespace(), name))
                        .with(Yaml.read(spec), "spec"));
        busy.add(volume.name());
        snapshots.add(new Snapshot(name, volume.kind(), volume.mib(), volume.content()));
    }

    private void create(ResourceType type, KubeObject object) throws Exception {
        Product.insist(
                () -> {
                    try {
                        return product.kube().create(type, object);
                    } catch (ApiException.AlreadyExists e) {
                        return object; // an earlier attempt, whose answer was lost
                    }
                });
    }

    void grow(Volume volume) throws Exception {
        int mib = volume.grow();
        Product.insist(
                () -> {
                    sandbox.grow(volume.name(), mib + "Mi");
                    return null;
                });
    }

    /** Sends a claim without a pod to a node again, as the scheduler does if the node is full. */
    void schedule(String claim) throws Exception {
        var patch =
                "metadata: {annotations: {%s: %s}}"
                        .formatted(Names.SELECTED_NODE_ANNOTATION, anyNode(new Random()).name());
        var key = ObjectKey.of(sandbox.namespace(), claim);
        product.kube().mergePatch(Types.PVC, key, Yaml.read(patch).asObject());
    }

    /** The pod goes, and another one comes as soon as it is gone. */
    void restartPod(Volume volume) throws Exception {
        deletePod(volume);
        busy.add(volume.name());
        background.start(
                () -> {
                    product.patience(RESTART, sandbox.namespace())
                            .until(volume + "'s pod is gone", () -> isGone(volume));
                    createPod(volume);
                    busy.remove(volume.name());
                });
    }

    private boolean isGone(Volume volume) throws Exception {
        return sandbox.find(Types.POD, volume.name()).isEmpty();
    }

    private void deletePod(Volume volume) throws Exception {
        delete(Types.POD, volume.name());
    }

    void delete(Volume volume) throws Exception {
        deletePod(volume);
        delete(Types.PVC, volume.name());
        volumes.remove(volume);
    }

    void delete(Snapshot snapshot) throws Exception {
        delete(Types.VOLUME_SNAPSHOT, snapshot.name());
        snapshots.remove(snapshot);
    }

    private void delete(ResourceType type, String name) throws Exception {
        var key = ObjectKey.of(sandbox.namespace(), name);
        Product.insist(() -> product.kube().delete(type, key, DeleteOptions.any()));
    }
}
