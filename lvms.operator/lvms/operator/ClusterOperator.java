package lvms.operator;

import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.ChangeFilter;
import lvms.k8s.controller.Controller;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.controller.SideBySide;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.informer.Informer;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.cluster.ClaimCapacityHint;
import lvms.operator.cluster.ClusterEvents;
import lvms.operator.cluster.ClusterReconciler;
import lvms.operator.cluster.ClusterSettings;
import lvms.operator.cluster.VolumeHint;
import lvms.operator.event.EventReason;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.node.GoneNodeStatusReconciler;
import lvms.operator.node.GoneNodeVolumeReconciler;
import lvms.operator.node.TerminatingNodeReconciler;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Everything that serves LVMClusters and handles what happens to the nodes, claims and volumes
 * around them.
 *
 * <p>It writes, so only the leader may start it. Closing it stops the controllers and then the
 * informers it was given; the client and the metrics stay with the caller.
 */
public final class ClusterOperator implements AutoCloseable {
    private static final Duration UNTIL_READY = Duration.ofMillis(200);

    private static final ChangeFilter GONE = (_, after) -> after.isEmpty();

    private final KubeClient kube;
    private final ClusterSettings settings;
    private final OperatorInformers informers;
    private final MetricsRegistry metrics;
    private final List<EventRecorder> recorders = new ArrayList<>();
    private final List<Controller> controllers = new ArrayList<>();

    /**
     * Wires the controllers; nothing is sent before {@link #start()}.
     *
     * @param informers what to follow, shared with whoever serves volumes
     */
    public ClusterOperator(
            KubeClient kube,
            ClusterSettings settings,
            OperatorInformers informers,
            MetricsRegistry metrics) {
        this.kube = kube;
        this.settings = settings;
        this.informers = informers;
        this.metrics = metrics;
        var clusters = clusters();
        controllers.add(clusters);
        for (var informer : informers.ofSomeClusters()) {
            informer.addHandler((_, _) -> keys().forEach(clusters::enqueue));
        }
        controllers.add(nodeRemoval());
        controllers.add(lostVolumes());
        controllers.add(
                builder(
                                "node-cleanup",
                                new TerminatingNodeReconciler(
                                        kube,
                                        informers,
                                        recorder(EventReason.NODE_DELETED),
                                        settings.cleanUpAfterNodes()))
                        .watch(informers.nodes())
                        .build());
        controllers.add(
                builder(
                                "lvms-pvc",
                                new ClaimCapacityHint(
                                        informers, recorder(EventReason.NOT_ENOUGH_CAPACITY)))
                        .watch(informers.claims())
                        .build());
        controllers.add(
                builder(
                                "lvms-pv",
                                new VolumeHint(
                                        informers, recorder(EventReason.CLAIM_REFERENCE_REMOVED)))
                        .watch(informers.persistentVolumes())
                        .build());
    }

    private Controller clusters() {
        var events = new ClusterEvents(recorder(EventReason.READY));
        var reconciler =
                new ClusterReconciler(kube, informers, settings, events, InstantSource.system());
        var builder =
                builder("lvmcluster", reconciler)
                        .watch(informers.clusters(), this::allClusters)
                        .watch(informers.volumeGroups(), this::allClusters)
                        .watch(informers.nodeStatuses(), this::allClusters)
                        .watch(informers.daemonSets(), this::allClusters)
                        .watch(informers.storageClasses(), this::allClusters)
                        .watch(informers.csiDrivers(), this::allClusters)
                        .watch(informers.networkPolicies(), this::allClusters)
                        .watch(informers.csiNodes(), this::allClusters)
                        .filter(ChangeFilter.changedAt("spec"))
                        .watch(informers.claims(), this::waitingClusters)
                        .filter(GONE)
                        .watch(informers.persistentVolumes(), this::waitingClusters)
                        .filter(GONE)
                        .watch(informers.nodes(), this::allClusters)
                        .filter(
                                ChangeFilter.changedAt("metadata", "labels")
                                        .or(ChangeFilter.changedAt("spec", "taints")));
        for (var volumes : informers.ofGroups().toList()) {
            builder.watch(volumes, this::waitingClusters).filter(GONE);
        }
        return builder.build();
    }

    private Controller nodeRemoval() {
        var reconciler = new GoneNodeStatusReconciler(kube, informers, InstantSource.system());
        return builder("node-removal", reconciler)
                .watch(informers.nodeStatuses())
                .watch(
                        informers.nodes(),
                        node -> List.of(ObjectKey.of(settings.namespace(), node.name())))
                .filter(GONE)
                .build();
    }

    private Controller lostVolumes() {
        var reconciler = new GoneNodeVolumeReconciler(kube, informers, InstantSource.system());
        var builder =
                builder("lost-volumes", reconciler)
                        .watch(informers.nodes(), reconciler::waitingFor)
                        .filter((before, after) -> before.isEmpty() || after.isEmpty());
        for (var volumes : informers.ofGroups().toList()) {
            builder.watch(volumes)
                    .filter((_, after) -> after.filter(KubeObject::terminating).isPresent());
        }
        return builder.build();
    }

    private Controller.Builder builder(String name, Reconciler reconciler) {
        return Controller.named(name, key -> onceReady(reconciler, key)).metrics(metrics);
    }

    // An unfilled cache looks as if nothing were in use, so no decision may rest on it.
    private Result onceReady(Reconciler reconciler, ObjectKey key) throws Exception {
        return ready() ? reconciler.reconcile(key) : Result.requeueAfter(UNTIL_READY);
    }

    private EventRecorder recorder(EventReason one) {
        var recorder = EventRecorder.open(kube, one.reporter(), settings.podName());
        recorders.add(recorder);
        return recorder;
    }

    // There is one cluster, and perhaps a mistaken second one whose verdict may change too.
    private Collection<ObjectKey> allClusters(KubeObject changed) {
        return keys();
    }

    private List<ObjectKey> keys() {
        return informers.clusters().list().stream().map(KubeObject::key).toList();
    }

    // A deleted volume may be the last thing that a removal waits for.
    private Collection<ObjectKey> waitingClusters(KubeObject gone) {
        var keys = new ArrayList<ObjectKey>();
        for (var cluster : informers.clusters().list()) {
            if (cluster.terminating() || !cluster.flag("status", "ready").orElse(false)) {
                keys.add(cluster.key());
            }
        }
        return keys;
    }

    /** Starts the informers and, when these are synced, the controllers. Returns at once. */
    public void start() {
        informers
                .all()
                .forEach(Informer::start); // some are only read, so no controller starts them
        controllers.forEach(Controller::start);
    }

    /** Returns whether every cache has seen the whole cluster. */
    public boolean ready() {
        return informers.all().stream().allMatch(Informer::following);
    }

    @Override
    public void close() {
        SideBySide.close(controllers);
        recorders.forEach(EventRecorder::close);
        informers.ofSomeClusters().forEach(Informer::close);
        informers.all().forEach(Informer::close);
    }
}
