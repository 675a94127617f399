package lvms.operator;

import static java.lang.System.Logger.Level.ERROR;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
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
import lvms.operator.cluster.AgentFleet;
import lvms.operator.cluster.ClaimCapacityHint;
import lvms.operator.cluster.ClusterEvents;
import lvms.operator.cluster.ClusterReconciler;
import lvms.operator.cluster.ClusterSettings;
import lvms.operator.cluster.VolumeHint;
import lvms.operator.event.EventReason;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.nativestor.NativeStor;
import lvms.operator.nativestor.SettingWatch;
import lvms.operator.node.GoneNodeStatusReconciler;
import lvms.operator.node.GoneNodeVolumeReconciler;
import lvms.operator.node.TerminatingNodeReconciler;
import lvms.operator.topolvmcluster.TopolvmClusterReconciler;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Everything that serves LVMClusters and handles what happens to the nodes, claims and volumes
 * around them.
 *
 * <p>It writes, so only the leader may start it. Closing it stops the controllers and then the
 * informers it was given; the client and the metrics stay with the caller.
 */
public final class ClusterOperator implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(ClusterOperator.class.getName());
    private static final Duration UNTIL_READY = Duration.ofMillis(200);

    /** What tells whether a cluster owns what all clusters need. */
    private static final ChangeFilter IN_CHARGE =
            ChangeFilter.changedAt("metadata", "finalizers")
                    .or(ChangeFilter.changedAt("metadata", "deletionTimestamp"));

    private static final ChangeFilter GONE = (_, after) -> after.isEmpty();

    private final KubeClient kube;
    private final ClusterSettings settings;
    private final OperatorInformers informers;
    private final MetricsRegistry metrics;
    private final Optional<NativeStor> nativeStor;
    private final AgentFleet fleet;
    private final List<EventRecorder> recorders = new ArrayList<>();
    private final List<Controller<ObjectKey>> controllers = new ArrayList<>();

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
        this.nativeStor = settings.nativeStor().map(this::nativeStor);
        this.fleet = new AgentFleet(kube, informers, settings, nativeStor);
        var clusters = clusters();
        controllers.add(clusters);
        nativeStor.ifPresent(
                stor -> stor.settings().onChange(() -> keys().forEach(clusters::enqueue)));
        nativeStor.map(this::topolvmClusters).ifPresent(controllers::add);
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
                        .filter(ChangeFilter.of(ClaimCapacityHint::isPending))
                        .build());
        var hint = new VolumeHint(informers, recorder(EventReason.CLAIM_REFERENCE_REMOVED));
        controllers.add(
                builder("lvms-pv", hint)
                        .watch(informers.persistentVolumes())
                        .filter(ChangeFilter.of(hint::concerns))
                        .build());
    }

    private NativeStor nativeStor(Map<String, String> environment) {
        var watch =
                new SettingWatch(
                        kube,
                        settings.namespace(),
                        environment,
                        recorder(EventReason.SETTING_BROKEN));
        var clusters =
                Informer.of(kube, TopolvmCluster.TYPE)
                        .transform(cluster -> cluster.without("metadata", "managedFields"))
                        .build();
        return new NativeStor(watch, clusters, informers, settings.namespace());
    }

    private Controller<ObjectKey> topolvmClusters(NativeStor stor) {
        var reconciler =
                new TopolvmClusterReconciler(
                        kube,
                        informers,
                        fleet,
                        stor,
                        recorder(EventReason.CLASS_CREATED),
                        metrics,
                        InstantSource.system());
        Supplier<List<ObjectKey>> keys =
                () -> {
                    var all = stor.clusters().list().stream().map(KubeObject::key).toList();
                    return all.isEmpty() ? List.of(TopolvmClusterReconciler.NO_CLUSTER) : all;
                };
        Function<KubeObject, Collection<ObjectKey>> all = _ -> keys.get();
        var builder =
                builder("topolvmcluster", reconciler)
                        .watch(stor.clusters(), all)
                        .watch(informers.clusters(), all)
                        .filter(IN_CHARGE)
                        .watch(informers.volumeGroups(), all)
                        .watch(informers.nodeStatuses(), all)
                        .watch(informers.daemonSets(), all)
                        .watch(informers.csiDrivers(), all)
                        .watch(informers.networkPolicies(), all)
                        .watch(informers.csiNodes(), all)
                        .filter(ChangeFilter.changedAt("spec"))
                        .watch(informers.nodes(), all)
                        .filter(
                                ChangeFilter.changedAt("metadata", "labels")
                                        .or(ChangeFilter.changedAt("spec", "taints"))
                                        .or(ChangeFilter.changedAt("status")));
        builder.watch(informers.storageClasses(), all).filter(GONE);
        builder.watch(informers.persistentVolumes(), all).filter(GONE);
        for (var volumes : informers.ofGroups().toList()) {
            builder.watch(volumes, all).filter(GONE);
        }
        var controller = builder.build();
        stor.settings().onChange(() -> keys.get().forEach(controller::enqueue));
        return controller;
    }

    private Controller<ObjectKey> clusters() {
        var events = new ClusterEvents(recorder(EventReason.READY));
        var reconciler =
                new ClusterReconciler(kube, informers, fleet, events, InstantSource.system());
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
        nativeStor.ifPresent(
                stor -> builder.watch(stor.clusters(), this::allClusters).filter(IN_CHARGE));
        return builder.build();
    }

    private Controller<ObjectKey> nodeRemoval() {
        var reconciler = new GoneNodeStatusReconciler(kube, informers, InstantSource.system());
        return builder("node-removal", reconciler)
                .watch(informers.nodeStatuses())
                .watch(
                        informers.nodes(),
                        node -> List.of(ObjectKey.of(settings.namespace(), node.name())))
                .filter(GONE)
                .build();
    }

    private Controller<ObjectKey> lostVolumes() {
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

    private Controller.Builder<ObjectKey> builder(String name, Reconciler<ObjectKey> reconciler) {
        return Controller.named(name, key -> onceReady(reconciler, key))
                .after(informers.all())
                .metrics(metrics);
    }

    // An unfilled cache looks as if nothing were in use, so no decision may rest on it. Passes wait
    // for the caches, but what the fork's settings say may still be unknown then.
    private Result onceReady(Reconciler<ObjectKey> reconciler, ObjectKey key) throws Exception {
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

    /** Tells this whenever it may have changed how the operator is to log: annotations. */
    public void onLogWishes(Consumer<Map<String, String>> follower) {
        Runnable tell = () -> follower.accept(logWishes());
        informers.clusters().addHandler((_, _) -> tell.run());
        nativeStor.ifPresent(stor -> stor.settings().onChange(tell));
    }

    /**
     * Runs this when the old driver, which this process serves for users of NativeStor, becomes
     * another installation's. Which drivers are served is decided once, when a process starts.
     */
    public void onForeignDriver(Runnable end) {
        if (nativeStor.isPresent() && informers.drivers().all().contains(Driver.CONVERTED)) {
            informers
                    .csiDrivers()
                    .addHandler(
                            (_, now) -> {
                                if (isForeign(now)) {
                                    LOG.log(
                                            ERROR,
                                            () ->
                                                    "another installation serves a driver of ours"
                                                            + " now csiDriver="
                                                            + Driver.CONVERTED.name());
                                    end.run();
                                }
                            });
        }
    }

    private static boolean isForeign(Optional<KubeObject> csiDriver) {
        return Drivers.isForeign(
                csiDriver.filter(driver -> driver.name().equals(Driver.CONVERTED.name())));
    }

    // An LVMCluster in another namespace is not accepted, so nothing of it counts.
    private Map<String, String> logWishes() {
        var wishes = new TreeMap<String, String>();
        nativeStor
                .flatMap(stor -> stor.settings().now().logLevel())
                .ifPresent(level -> wishes.put(Names.LOG_LEVEL_ANNOTATION, level));
        informers.clusters().list().stream()
                .filter(cluster -> cluster.namespace().equals(settings.namespace()))
                .map(Names::logAnnotations)
                .filter(own -> !own.isEmpty())
                .findFirst()
                .ifPresent(wishes::putAll);
        return wishes;
    }

    /** Starts the informers and, when these are synced, the controllers. Returns at once. */
    public void start() {
        nativeStor.ifPresent(NativeStor::start);
        controllers.forEach(Controller::start);
    }

    /** Returns whether every cache has seen the whole cluster. */
    public boolean ready() {
        return informers.all().stream().allMatch(Informer::following)
                && nativeStor.map(NativeStor::ready).orElse(true);
    }

    @Override
    public void close() {
        SideBySide.close(controllers);
        nativeStor.ifPresent(NativeStor::close);
        recorders.forEach(EventRecorder::close);
        informers.ofSomeClusters().forEach(Informer::close);
        informers.all().forEach(Informer::close);
    }
}
