package lvms.operator.node;

import static java.lang.System.Logger.Level.DEBUG;
import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.controller.ChangeFilter;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.claim.Claim;
import lvms.operator.claim.StorageClass;
import lvms.operator.event.EventReason;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.VolumeServices;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * While a Node is cordoned: deletes claims that are marked as disposable, once a pod of a
 * StatefulSet waits for the node because of them. The StatefulSet makes the claim anew, and the pod
 * gets an empty volume on another node. Nobody follows pods: they are read while a marked claim is
 * on a cordoned node, and before a deletion everything is read again.
 */
public final class DisposalReconciler implements Reconciler<ObjectKey> {
    private static final System.Logger LOG = System.getLogger(DisposalReconciler.class.getName());

    private static final Duration SHORTEST_PAUSE = Duration.ofSeconds(1);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(15);

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final VolumeServices volumes;
    private final PlacedVolumes places;
    private final Duration after;
    private final EventRecorder events;
    private final InstantSource clock;

    /** When this process saw first that a Node is cordoned, by name. */
    private final Map<String, Cordon> cordons = new ConcurrentHashMap<>();

    /** Since when the Node with a UID has been cordoned. */
    private record Cordon(String uid, Instant since) {}

    private DisposalReconciler(
            KubeClient kube,
            OperatorInformers informers,
            VolumeServices volumes,
            Duration after,
            EventRecorder events,
            InstantSource clock) {
        this.kube = kube;
        this.informers = informers;
        this.volumes = volumes;
        this.places = new PlacedVolumes(kube, informers);
        this.after = after;
        this.events = events;
        this.clock = clock;
    }

    /**
     * Builds a controller that runs it for each Node; it is not started yet.
     *
     * @param after how long a pod has to wait, and the Node to be cordoned
     */
    public static Controller<ObjectKey> controller(
            KubeClient kube,
            OperatorInformers informers,
            VolumeServices volumes,
            Duration after,
            EventRecorder events,
            MetricsRegistry metrics,
            InstantSource clock) {
        var reconciler = new DisposalReconciler(kube, informers, volumes, after, events, clock);
        ChangeFilter cordoned = (before, now) -> isCordoned(before) != isCordoned(now);
        return informers
                .awaited(Controller.named("disposable-claims", reconciler))
                .after(informers.ofGroups().toList())
                .watch(informers.nodes())
                .filter(cordoned)
                .metrics(metrics)
                .build();
    }

    /** Claims of a Node that is being deleted are not the business of this class. */
    private static boolean isCordoned(Optional<KubeObject> node) {
        return node.filter(found -> !found.terminating())
                .flatMap(found -> found.flag("spec", "unschedulable"))
                .orElse(false);
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var node = informers.nodes().get(key);
        if (!isCordoned(node)) {
            cordons.remove(key.name());
            return Result.done();
        }
        var cordon =
                cordons.compute(
                        key.name(),
                        (_, known) ->
                                known != null && known.uid().equals(node.get().uid())
                                        ? known
                                        : new Cordon(node.get().uid(), clock.instant()));
        if (!cordon.since().isAfter(latest())) {
            disposeOf(key.name(), cordon.uid());
        }
        return Result.requeueAfter(pause());
    }

    private Instant latest() {
        return clock.instant().minus(after);
    }

    private Duration pause() {
        var quarter = after.dividedBy(4);
        var pause = quarter.compareTo(LONGEST_PAUSE) < 0 ? quarter : LONGEST_PAUSE;
        return pause.compareTo(SHORTEST_PAUSE) > 0 ? pause : SHORTEST_PAUSE;
    }

    private void disposeOf(String node, String uid) throws ApiException, InterruptedException {
        var pods = new HashMap<String, List<KubeObject>>(); // as this pass saw them first
        for (var volume : informers.persistentVolumes().list()) {
            var claim = places.claimOf(volume).filter(this::isMarked);
            if (claim.isEmpty() || places.nodeOf(volume).filter(node::equals).isEmpty()) {
                continue;
            }
            var namespace = claim.get().key().namespace();
            if (!pods.containsKey(namespace)) {
                pods.put(namespace, podsIn(namespace));
            }
            var seen = WaitingPods.of(claim.get().name(), pods.get(namespace));
            if (told(claim.get(), seen.obstacle(latest())).isEmpty()) {
                dispose(claim.get(), node, uid);
            }
        }
    }

    private boolean isMarked(KubeObject claim) {
        var storageClass = ObjectKey.cluster(new Claim(claim).className());
        return DisposableVolume.isMarked(claim, informers.storageClasses().get(storageClass));
    }

    private void dispose(KubeObject seen, String node, String nodeUid)
            throws ApiException, InterruptedException {
        var claim = kube.find(Types.PVC, seen.key()).filter(now -> now.uid().equals(seen.uid()));
        if (claim.isEmpty() || told(seen, obstacle(claim.get(), node, nodeUid)).isPresent()) {
            return;
        }
        kube.delete(
                Types.PVC,
                seen.key(),
                DeleteOptions.uid(seen.uid()).resourceVersion(claim.get().resourceVersion()));
        var volume = new Claim(claim.get()).volumeName();
        LOG.log(
                WARNING,
                () ->
                        "disposable claim of a cordoned node is deleted with its data claim="
                                + seen.key()
                                + " volume="
                                + volume
                                + " node="
                                + node);
        events.record(
                claim.get(),
                EventReason.DISPOSABLE_CLAIM_DELETED,
                ("node %s, which holds volume %s, is cordoned, and a pod has waited for it: the"
                                + " claim is disposable, so it is deleted with its data")
                        .formatted(node, volume));
    }

    private Optional<DisposalObstacle> told(KubeObject claim, Optional<DisposalObstacle> obstacle) {
        obstacle.ifPresent(
                why ->
                        LOG.log(
                                DEBUG,
                                () -> "claim is kept claim=" + claim.key() + " why=" + why.text()));
        return obstacle;
    }

    /** As the server says; the Node last, since that is what people change their mind about. */
    private Optional<DisposalObstacle> obstacle(KubeObject claim, String node, String nodeUid)
            throws ApiException, InterruptedException {
        var namespace = claim.key().namespace();
        var pods = podsIn(namespace);
        var own = obstacle(read(claim), node, pods);
        if (own.isPresent()) {
            return own;
        }
        for (var other : WaitingPods.of(claim.name(), pods).otherClaims()) {
            if (pins(ObjectKey.of(namespace, other), node, pods)) {
                return Optional.of(DisposalObstacle.PINNED);
            }
        }
        var now = kube.find(Types.NODE, ObjectKey.cluster(node));
        return isCordoned(now.filter(found -> found.uid().equals(nodeUid)))
                ? Optional.empty()
                : Optional.of(DisposalObstacle.NODE_IN_USE);
    }

    private Optional<DisposalObstacle> obstacle(
            DisposableVolume volume, String node, List<KubeObject> pods) {
        return volume.obstacle(node)
                .or(() -> WaitingPods.of(volume.claim().name(), pods).obstacle(latest()))
                .or(
                        () ->
                                roomElsewhere(volume)
                                        ? Optional.empty()
                                        : Optional.of(DisposalObstacle.NO_ROOM));
    }

    /** One that would be given up too, keeps nobody. */
    private boolean pins(ObjectKey claim, String node, List<KubeObject> pods)
            throws ApiException, InterruptedException {
        var found = kube.find(Types.PVC, claim);
        if (found.isEmpty()) {
            return false;
        }
        var volume = read(found.get());
        return volume.pins() && obstacle(volume, node, pods).isPresent();
    }

    private DisposableVolume read(KubeObject object) throws ApiException, InterruptedException {
        var claim = new Claim(object);
        Optional<KubeObject> storageClass =
                claim.className().isEmpty()
                        ? Optional.empty()
                        : kube.find(Types.STORAGE_CLASS, ObjectKey.cluster(claim.className()));
        Optional<KubeObject> volume =
                claim.bound()
                        ? kube.find(Types.PV, ObjectKey.cluster(claim.volumeName()))
                        : Optional.empty();
        Optional<String> place =
                volume.isPresent() ? places.nodeOf(volume.get()) : Optional.empty();
        return new DisposableVolume(object, storageClass, volume, place);
    }

    /** Without room for a new volume, the loss of the old one would help nobody. */
    private boolean roomElsewhere(DisposableVolume volume) {
        var storageClass = volume.storageClass().map(StorageClass::of);
        var service = storageClass.map(StorageClass::provisioner).flatMap(volumes::named);
        if (service.isEmpty()) {
            return false;
        }
        var driver = service.get().driver();
        var capacities = service.get().capacities();
        var deviceClass = storageClass.get().deviceClass(driver);
        long bytes = new Claim(volume.claim()).requestedBytes();
        return capacities.topology().schedulable().stream()
                .filter(node -> informers.registered(driver, node))
                .filter(node -> storageClass.get().allows(labels(node)))
                .anyMatch(node -> capacities.free(node, deviceClass).orElse(-1) >= bytes);
    }

    private Map<String, String> labels(String node) {
        return informers
                .nodes()
                .get(ObjectKey.cluster(node))
                .map(KubeObject::labels)
                .orElse(Map.of());
    }

    private List<KubeObject> podsIn(String namespace) throws ApiException, InterruptedException {
        return kube.list(
                        Types.POD,
                        ListOptions.all().namespace(namespace).withoutManagedFields(),
                        pod ->
                                pod.without("metadata", "annotations")
                                        .without("spec", "containers")
                                        .without("status", "containerStatuses"))
                .items();
    }
}
