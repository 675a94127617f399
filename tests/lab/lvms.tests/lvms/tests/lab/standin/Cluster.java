package lvms.tests.lab.standin;

import lvms.k8s.client.KubeClient;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.OwnerReference;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.concurrent.TimeoutException;
import java.util.stream.Stream;

/** The caches that the stand-ins share, and a client to write with. */
final class Cluster implements AutoCloseable {
    /** The field manager of every write, and the source of every event. */
    static final String MANAGER = "lab-control-plane";

    static final ResourceType REPLICA_SET =
            new ResourceType("apps", "v1", "ReplicaSet", "replicasets", true);

    /** Index of claims and pods by the claim that they are or use, {@code namespace/name}. */
    static final String BY_CLAIM = "claim";

    /** Index by the UID of the controlling owner. */
    static final String BY_OWNER = "owner";

    final KubeClient kube;
    final Violations violations;
    final EventRecorder events;
    final Informer nodes;
    final Informer pods;
    final Informer claims;
    final Informer volumes;
    final Informer classes;
    final Informer drivers;
    final Informer capacities;
    final Informer daemonSets;
    final Informer deployments;
    final Informer replicaSets;
    final Informer snapshots;
    final Informer snapshotContents;
    final Informer snapshotClasses;

    Cluster(KubeClient kube, Violations violations) {
        this.kube = kube.withFieldManager(MANAGER);
        this.violations = violations;
        events = EventRecorder.open(kube, MANAGER, MANAGER);
        nodes = Informer.of(kube, Types.NODE).build();
        pods =
                Informer.of(kube, Types.POD)
                        .index(BY_CLAIM, Cluster::claimTexts)
                        .index(BY_OWNER, Cluster::controllerUid)
                        .build();
        claims = Informer.of(kube, Types.PVC).build();
        volumes = Informer.of(kube, Types.PV).index(BY_CLAIM, Cluster::claimOfVolume).build();
        classes = Informer.of(kube, Types.STORAGE_CLASS).build();
        drivers = Informer.of(kube, Types.CSI_DRIVER).build();
        capacities = Informer.of(kube, Types.CSI_STORAGE_CAPACITY).build();
        daemonSets = Informer.of(kube, Types.DAEMON_SET).build();
        deployments = Informer.of(kube, Types.DEPLOYMENT).build();
        replicaSets =
                Informer.of(kube, REPLICA_SET).index(BY_OWNER, Cluster::controllerUid).build();
        snapshots = Informer.of(kube, Types.VOLUME_SNAPSHOT).build();
        snapshotContents = Informer.of(kube, Types.VOLUME_SNAPSHOT_CONTENT).build();
        snapshotClasses = Informer.of(kube, Types.VOLUME_SNAPSHOT_CLASS).build();
    }

    private List<Informer> informers() {
        return List.of(
                nodes,
                pods,
                claims,
                volumes,
                classes,
                drivers,
                capacities,
                daemonSets,
                deployments,
                replicaSets,
                snapshots,
                snapshotContents,
                snapshotClasses);
    }

    void start() throws TimeoutException, InterruptedException {
        informers().forEach(Informer::start);
        for (var informer : informers()) {
            informer.awaitSync(Duration.ofSeconds(30));
        }
    }

    /** The claims of a pod, existing or not. */
    static List<ObjectKey> claimsOf(KubeObject pod) {
        return pod.objects("spec", "volumes").stream()
                .flatMap(volume -> claimName(pod, volume))
                .map(name -> ObjectKey.of(pod.namespace(), name))
                .toList();
    }

    private static Stream<String> claimName(KubeObject pod, ObjectTree volume) {
        if (volume.has("persistentVolumeClaim")) {
            return Stream.of(volume.at("persistentVolumeClaim", "claimName").asText());
        }
        if (volume.has("ephemeral")) {
            return Stream.of(pod.name() + "-" + volume.at("name").asText());
        }
        return Stream.empty();
    }

    private static List<String> claimTexts(KubeObject pod) {
        return claimsOf(pod).stream().map(ObjectKey::toString).toList();
    }

    private static List<String> claimOfVolume(KubeObject volume) {
        return volume.text("spec", "claimRef", "name").stream()
                .map(name -> volume.text("spec", "claimRef", "namespace").orElse("") + "/" + name)
                .toList();
    }

    private static List<String> controllerUid(KubeObject object) {
        return object.ownerReferences().stream()
                .filter(OwnerReference::controller)
                .map(OwnerReference::uid)
                .toList();
    }

    /** Pods that still run or wait: not finished. */
    static boolean active(KubeObject pod) {
        var phase = pod.text("status", "phase").orElse("Pending");
        return !phase.equals("Succeeded") && !phase.equals("Failed");
    }

    static boolean ready(KubeObject pod) {
        return pod.condition("Ready")
                .map(condition -> condition.status() == Condition.Status.TRUE)
                .orElse(false);
    }

    static Collection<ObjectKey> keys(List<KubeObject> objects) {
        return objects.stream().map(KubeObject::key).toList();
    }

    @Override
    public void close() {
        informers().forEach(Informer::close);
        events.close();
    }
}
