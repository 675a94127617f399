package lvms.operator.cluster;

import lvms.api.DeviceClass;
import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.OwnerReference;
import lvms.operator.cluster.rule.ClusterRules;
import lvms.operator.cluster.rule.TakenNames;
import lvms.operator.cluster.rule.Verdict;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.unit.OtherInstallation;
import lvms.operator.unit.Outcome;
import lvms.operator.unit.VolumeGroupUnit;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/** Judges an LVMCluster, brings its objects closer to its spec, and reports how far it is. */
public final class ClusterReconciler implements Reconciler<ObjectKey> {
    private static final Duration OTHERS = Duration.ofSeconds(30);

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final AgentFleet fleet;
    private final InstantSource clock;
    private final ClusterEvents events;
    private final ClusterStatusWriter status;
    private final ClusterDeletion deletion;
    private final UnitMetrics metrics;

    public ClusterReconciler(
            KubeClient kube,
            OperatorInformers informers,
            AgentFleet fleet,
            ClusterEvents events,
            InstantSource clock) {
        this.kube = kube;
        this.informers = informers;
        this.fleet = fleet;
        this.clock = clock;
        this.events = events;
        this.status = new ClusterStatusWriter(informers, events);
        this.deletion = new ClusterDeletion(kube, informers, status, clock);
        this.metrics = new UnitMetrics(kube.metrics());
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var object = informers.clusters().get(key);
        if (object.isEmpty()) {
            return Result.done();
        }
        var cluster = LvmCluster.of(object.get());
        if (object.get().terminating()) {
            events.forget(cluster);
            return deletion.run(fleet.asServed(cluster), fleet.unitsOfLvmCluster());
        }
        var place =
                ClusterRules.placement(
                        cluster,
                        new ClusterRules.Surroundings(
                                fleet.settings().namespace(), elders(cluster)));
        if (!place.accepted()) {
            status.reject(cluster, rejected(cluster, place));
            return Result.done(); // a change of any LVMCluster leads here again
        }
        var other =
                new OtherInstallation(kube, fleet.settings().namespace())
                        .of(informers.csiDrivers().get(ObjectKey.cluster(Driver.TOPOLVM.name())));
        if (other.isPresent()) {
            status.reject(cluster, notAvailable(cluster, ConditionReason.CONFLICT, other.get()));
            return Result.requeueAfter(OTHERS); // a change of the CSIDriver leads here sooner
        }
        return converge(cluster);
    }

    // The oldest is in charge, so a second one cannot stop the first.
    private List<ObjectKey> elders(LvmCluster cluster) {
        var age =
                Comparator.comparing((KubeObject o) -> o.creationTimestamp().orElseThrow())
                        .thenComparing(KubeObject::name);
        return informers.clusters().list().stream()
                .filter(o -> o.namespace().equals(fleet.settings().namespace()))
                .filter(o -> age.compare(o, cluster.object()) < 0)
                .map(KubeObject::key)
                .sorted()
                .toList();
    }

    private Result converge(LvmCluster cluster) throws ApiException, InterruptedException {
        var accepted = accepted(cluster);
        var verdict =
                ClusterRules.now(cluster, accepted)
                        .and(TakenNames.check(cluster, accepted, ofTopolvmClusters()));
        if (!verdict.accepted() && accepted.isEmpty()) {
            status.reject(cluster, rejected(cluster, verdict));
            return Result.done();
        }
        if (!verdict.accepted()) {
            // What was accepted before stays in force and is still reconciled.
            return apply(cluster, cluster.withDeviceClasses(accepted), Optional.of(verdict));
        }
        events.warnings(cluster, verdict.warnings());
        return apply(guarded(cluster), cluster, Optional.empty());
    }

    private List<DeviceClass> accepted(LvmCluster cluster) {
        var groups =
                informers.volumeGroups().list().stream()
                        .filter(vg -> VolumeGroupUnit.controls(cluster, vg))
                        .map(LvmVolumeGroup::of)
                        .toList();
        return AcceptedClasses.of(
                groups, name -> informers.storageClasses().get(ObjectKey.cluster(name)), cluster);
    }

    private List<LvmVolumeGroup> ofTopolvmClusters() {
        return informers.volumeGroups().list().stream()
                .filter(
                        group ->
                                group.ownerReferences().stream()
                                        .anyMatch(ClusterReconciler::isTopolvmCluster))
                .map(LvmVolumeGroup::of)
                .toList();
    }

    private static boolean isTopolvmCluster(OwnerReference owner) {
        return owner.controller()
                && owner.kind().equals(TopolvmCluster.TYPE.kind())
                && owner.group().equals(TopolvmCluster.TYPE.group());
    }

    private LvmCluster guarded(LvmCluster cluster) throws ApiException, InterruptedException {
        if (cluster.object().finalizers().contains(Names.CLUSTER_FINALIZER)) {
            return cluster;
        }
        return LvmCluster.of(
                informers.clusters().addFinalizer(cluster.object(), Names.CLUSTER_FINALIZER));
    }

    private Result apply(LvmCluster cluster, LvmCluster accepted, Optional<Verdict> rejection)
            throws ApiException, InterruptedException {
        var effective = fleet.asServed(accepted);
        var results = UnitRunner.applyAll(fleet.unitsOfLvmCluster().toApply(), effective);
        metrics.count(results);
        var now = clock.instant();
        var resources =
                rejection
                        .map(verdict -> rejected(cluster, verdict))
                        .orElseGet(() -> ClusterState.resources(cluster, results, now));
        var volumeGroups =
                VolumeGroupReadiness.of(
                        effective,
                        fleet.agents().nodes().among(informers.nodes().list()),
                        status.reports(cluster),
                        now);
        var written = status.write(cluster, List.of(resources, volumeGroups));
        if (rejection.isEmpty()) {
            warn(cluster, results, ClusterStatusWriter.resources(written).orElseThrow());
        }
        return results.stream().anyMatch(UnitResult::failed)
                ? Result.requeue()
                : Result.requeueAfter(nextLook(results));
    }

    private void warn(LvmCluster cluster, List<UnitResult> results, Condition resources) {
        if (resources.holds()) {
            events.complete(cluster);
        } else if (ClusterState.warns(results, resources, clock.instant())) {
            events.incomplete(cluster, resources.message());
        }
    }

    private Duration nextLook(List<UnitResult> results) {
        return results.stream()
                .flatMap(r -> r.outcome().stream())
                .map(
                        o ->
                                o instanceof Outcome.Pending p
                                        ? p.retryAfter()
                                        : fleet.settings().resync())
                .min(Comparator.naturalOrder())
                .orElse(fleet.settings().resync());
    }

    private Condition rejected(LvmCluster cluster, Verdict verdict) {
        return notAvailable(cluster, ConditionReason.REJECTED, String.join("; ", verdict.errors()));
    }

    private Condition notAvailable(LvmCluster cluster, ConditionReason reason, String message) {
        return ClusterState.condition(cluster, reason, message, clock.instant());
    }
}
