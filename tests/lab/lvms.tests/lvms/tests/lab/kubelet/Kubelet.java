package lvms.tests.lab.kubelet;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.lab.machine.Node;
import lvms.tests.lab.standin.Violations;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The kubelet of one node. Closing it ends only kubelet: what runs on the node is cut off. */
public final class Kubelet implements AutoCloseable {
    static final Duration SHORT = Duration.ofSeconds(30);
    private static final Duration SYNC = Duration.ofSeconds(30);

    private final KubeClient kube;
    private final Node node;
    private final Credentials credentials;
    private final Function<KubeObject, Place> places;
    private final NodeObject object;
    private final Volumes volumes;
    private final PluginWatcher plugins;
    private final EventRecorder events;
    private final ClaimExpansion expansion;
    private final Informer pods;
    private final Informer claims;
    private final Map<String, PodWorker> workers = new ConcurrentHashMap<>();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private Kubelet(
            KubeClient kube,
            Node node,
            Credentials credentials,
            Function<KubeObject, Place> places,
            Violations violations) {
        this.kube = kube.withFieldManager("kubelet");
        this.node = node;
        this.credentials = credentials;
        this.places = places;
        object = new NodeObject(this.kube, node.name(), node.address());
        var drivers = new Drivers();
        volumes = new Volumes(kube, node, drivers, violations);
        plugins = new PluginWatcher(node, object, drivers, violations);
        events = EventRecorder.open(kube, "kubelet", node.name());
        expansion = new ClaimExpansion(this.kube, events, volumes);
        pods = Informer.of(kube, Types.POD).fieldSelector("spec.nodeName=" + node.name()).build();
        claims = Informer.of(kube, Types.PVC).build();
    }

    /**
     * Starts the kubelet of a node that runs.
     *
     * @param places says where a pod's processes run
     */
    public static Kubelet start(
            KubeClient kube,
            Node node,
            Credentials credentials,
            Function<KubeObject, Place> places,
            Violations violations)
            throws ApiException, IOException, TimeoutException, InterruptedException {
        var kubelet = new Kubelet(kube, node, credentials, places, violations);
        // What ran before the node was booted left its process ids.
        node.shell(
                "mkdir -p %s %s/pods; rm -f %s/pods/*/*.pid"
                        .formatted(PluginWatcher.FOLDER, VolumePaths.ROOT, Node.SHARE));
        kubelet.object.ready();
        kubelet.threads.submit(() -> kubelet.watchPlugins());
        kubelet.pods.addHandler((_, after) -> after.ifPresent(kubelet::seen));
        kubelet.claims.addHandler((_, _) -> kubelet.workers.values().forEach(PodWorker::wake));
        kubelet.claims.start();
        kubelet.claims.awaitSync(SYNC);
        kubelet.pods.start();
        kubelet.pods.awaitSync(SYNC);
        return kubelet;
    }

    private Void watchPlugins() throws InterruptedException {
        plugins.run();
        return null;
    }

    private void seen(KubeObject pod) {
        var phase = pod.text("status", "phase").orElse("Pending");
        boolean ended = Set.of("Succeeded", "Failed").contains(phase) && !pod.terminating();
        if (ended && !workers.containsKey(pod.uid())) {
            return;
        }
        workers.computeIfAbsent(pod.uid(), _ -> started(pod)).wake();
    }

    private PodWorker started(KubeObject pod) {
        var worker = new PodWorker(this, pod, places.apply(pod));
        threads.submit(
                () -> {
                    try {
                        worker.run();
                        workers.remove(pod.uid());
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt(); // the kubelet ends
                    } catch (RuntimeException e) {
                        System.getLogger(Kubelet.class.getName())
                                .log(System.Logger.Level.ERROR, "pod given up: " + pod.key(), e);
                    }
                });
        return worker;
    }

    /** Grows the volume of a claim if the controller's part is done. */
    void grow(KubeObject pod, PodVolumes.Claimed claimed)
            throws VolumeFailure, ApiException, InterruptedException {
        var claim = claims.get(ObjectKey.of(pod.namespace(), claimed.claim()));
        if (claim.isEmpty() || claim.get().condition("FileSystemResizePending").isEmpty()) {
            return;
        }
        var volume =
                new CsiVolume(
                        kube.get(Types.PV, ObjectKey.cluster(claimed.published().volume().name())));
        if (ClaimExpansion.wanted(claim.get(), volume)) {
            expansion.grow(pod, claim.get(), claimed.published(), volume);
        }
    }

    /** The runtime image is a folder of the machine; a node has it mounted already. */
    List<PodContainer.Mount> imageMounts(Place place) {
        return place instanceof LocalPlace
                ? List.of(new PodContainer.Mount(image(), "/opt/lvms", true, false))
                : List.of();
    }

    private static String image() {
        return java.nio.file.Path.of(System.getProperty("lvms.image")).toAbsolutePath().toString();
    }

    Optional<KubeObject> pod(ObjectKey key) {
        return pods.get(key);
    }

    KubeClient kube() {
        return kube;
    }

    String nodeName() {
        return node.name();
    }

    Volumes volumes() {
        return volumes;
    }

    EventRecorder events() {
        return events;
    }

    ExecutorService threads() {
        return threads;
    }

    Credentials credentials() {
        return credentials;
    }

    /** The volume handles that are staged or published on the node. */
    public Set<String> volumesInUse() {
        return volumes.inUse();
    }

    /** Says what a cluster says about a node whose kubelet is silent. */
    public void declareLost() throws ApiException, InterruptedException {
        object.lost();
    }

    @Override
    public void close() {
        threads.shutdownNow();
        pods.close();
        claims.close();
        events.close();
    }
}
