package lvms.operator.topolvmcluster;

import lvms.api.Driver;
import lvms.api.LvmVolumeGroup;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.Condition;
import lvms.k8s.object.ObjectKey;
import lvms.operator.cluster.AgentFleet;
import lvms.operator.cluster.ConditionReason;
import lvms.operator.cluster.UnitMetrics;
import lvms.operator.cluster.UnitResult;
import lvms.operator.cluster.UnitRunner;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.nativestor.NativeStor;
import lvms.operator.node.NodeFinalizers;
import lvms.operator.topolvmcluster.rule.AdoptionRequest;
import lvms.operator.topolvmcluster.rule.PlacementRules;
import lvms.operator.topolvmcluster.rule.StorageRules;
import lvms.operator.unit.OtherInstallation;
import lvms.operator.unit.Outcome;
import lvms.operator.unit.VolumeUse;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Judges a TopolvmCluster, turns it into LVMVolumeGroups, keeps the node agents running unless an
 * LVMCluster does, and reports in NativeStor's words.
 */
public final class TopolvmClusterReconciler implements Reconciler<ObjectKey> {
    private static final Duration OTHERS = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofSeconds(10);

    /** A pass with this key does what is left to do when there is no TopolvmCluster. */
    public static final ObjectKey NO_CLUSTER = ObjectKey.cluster(Driver.CONVERTED.name());

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final AgentFleet fleet;
    private final NativeStor stor;
    private final ClusterGroups groups;
    private final OldDriver oldDriver;
    private final NodeViews views;
    private final StatusWriter status;
    private final ClusterRemoval removal;
    private final UnitMetrics metrics;
    private final HealthMetrics health;

    public TopolvmClusterReconciler(
            KubeClient kube,
            OperatorInformers informers,
            AgentFleet fleet,
            NativeStor stor,
            EventRecorder events,
            MetricsRegistry metrics,
            InstantSource clock) {
        this.kube = kube;
        this.informers = informers;
        this.fleet = fleet;
        this.stor = stor;
        this.groups =
                new ClusterGroups(
                        fleet.applier(), informers.volumeGroups(), new VolumeUse(kube, informers));
        this.oldDriver = new OldDriver(fleet.applier(), informers, stor);
        this.views = new NodeViews(kube, informers);
        this.status = new StatusWriter(stor.clusters(), events, clock);
        this.removal =
                new ClusterRemoval(
                        kube,
                        fleet,
                        stor,
                        groups,
                        oldDriver,
                        status,
                        new NodeFinalizers(kube, informers));
        this.metrics = new UnitMetrics(metrics);
        this.health = new HealthMetrics(metrics);
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var object = stor.clusters().get(key);
        if (object.isEmpty()) {
            if (stor.clusters().list().isEmpty()) {
                oldDriver.remove();
            }
            return Result.done();
        }
        var cluster = TopolvmCluster.of(object.get());
        if (object.get().terminating()) {
            var result = removal.run(cluster);
            boolean inCharge = object.get().finalizers().contains(TopolvmCluster.FINALIZER);
            if (inCharge && result instanceof Result.Done) {
                health.forget(cluster.name());
            }
            return result;
        }
        var place = PlacementRules.check(object.get(), stor.namespace(), stor.clusters().list());
        if (!place.accepted()) {
            return reject(cluster, ConditionReason.REJECTED, place.errors(), Result.done());
        }
        var other =
                new OtherInstallation(kube, stor.namespace())
                        .of(informers.csiDrivers().get(ObjectKey.cluster(Driver.TOPOLVM.name())));
        var conflict = other.or(oldDriver::obstacle);
        if (conflict.isPresent()) {
            return reject(
                    cluster,
                    ConditionReason.CONFLICT,
                    conflict.stream().toList(),
                    Result.requeueAfter(OTHERS));
        }
        return converge(cluster);
    }

    private Result reject(
            TopolvmCluster cluster, ConditionReason reason, List<String> why, Result result)
            throws ApiException, InterruptedException {
        status.write(cluster, status.condition(cluster, reason, String.join("; ", why)));
        return result;
    }

    private Result converge(TopolvmCluster cluster) throws ApiException, InterruptedException {
        var verdict = StorageRules.check(cluster.spec().storage());
        var present = groups.of(cluster);
        if (verdict.accepted()) {
            var guarded = guarded(cluster);
            var asked = AdoptionRequest.of(cluster.object());
            var wanted = wanted(cluster, asked, present);
            var changes =
                    GroupChanges.of(wanted, present, groups.ofOthers(cluster))
                            .refusing(asked.problem());
            var warnings = new ArrayList<>(verdict.warnings());
            warnings.addAll(asked.warnings(wanted.stream().map(WantedGroup::volumeGroup).toList()));
            status.warn(cluster, warnings, changes.refused());
            return apply(guarded, wanted, changes, List.of());
        }
        if (present.isEmpty()) {
            health.show(cluster.name(), List.of());
            return reject(cluster, ConditionReason.REJECTED, verdict.errors(), Result.done());
        }
        // What was accepted before stays in force and is still looked after.
        var kept = present.stream().map(WantedGroup::of).toList();
        return apply(cluster, kept, GroupChanges.none(), verdict.errors());
    }

    private List<WantedGroup> wanted(
            TopolvmCluster cluster, AdoptionRequest asked, List<LvmVolumeGroup> present) {
        var reported = cluster.status().nodes();
        var adoption = new Adoption(asked, reported);
        var all = WantedGroups.of(cluster.spec().storage());
        var loops = new RecordedLoops(reported, all);
        var result = new ArrayList<WantedGroup>();
        for (var wanted : all) {
            var there = present.stream().filter(wanted::isMadeAs).findFirst();
            var serving = Set.copyOf(views.nodesWith(wanted.name()));
            result.add(loops.of(adoption.of(wanted, there, serving), there));
        }
        return result;
    }

    private TopolvmCluster guarded(TopolvmCluster cluster)
            throws ApiException, InterruptedException {
        if (cluster.object().finalizers().contains(TopolvmCluster.FINALIZER)) {
            return cluster;
        }
        return TopolvmCluster.of(
                stor.clusters().addFinalizer(cluster.object(), TopolvmCluster.FINALIZER));
    }

    private Result apply(
            TopolvmCluster cluster,
            List<WantedGroup> wanted,
            GroupChanges changes,
            List<String> errors)
            throws ApiException, InterruptedException {
        var progress = groups.carryOut(cluster, changes);
        oldDriver.apply(stor.view(cluster.object())); // before the agents start, which look for it
        var results = shared(cluster);
        metrics.count(results);
        var nodes =
                ClusterReport.nodes(
                        views.of(
                                cluster,
                                wanted,
                                progress.leaving(),
                                new NodeViews.Agents(
                                        fleet.agents().nodes(),
                                        stor.view(cluster.object()).tolerations())),
                        wanted,
                        progress.leaving());
        health.show(cluster.name(), nodes);
        var ofGroups = ClusterReport.groups(nodes, wanted);
        status.write(
                cluster,
                nodes,
                wanted,
                errors.isEmpty()
                        ? resources(cluster, progress, results)
                        : status.condition(
                                cluster, ConditionReason.REJECTED, String.join("; ", errors)),
                status.condition(cluster, ofGroups.reason(), ofGroups.message()),
                status.settings(cluster, stor.settings()));
        return next(progress, results);
    }

    /** An LVMCluster that is there applies what both need, for both. */
    private List<UnitResult> shared(TopolvmCluster cluster)
            throws ApiException, InterruptedException {
        return stor.lvmCluster().isPresent()
                ? List.of()
                : UnitRunner.applyAll(fleet.units().all(), stor.view(cluster.object()));
    }

    private Condition resources(
            TopolvmCluster cluster, GroupProgress progress, List<UnitResult> results) {
        var problems = new ArrayList<>(progress.refused());
        progress.leaving().stream()
                .map(LeavingGroup::obstacle)
                .filter(obstacle -> !obstacle.isEmpty())
                .forEach(problems::add);
        problems.addAll(progress.waiting());
        results.stream().flatMap(r -> r.problem().stream()).sorted().forEach(problems::add);
        return problems.isEmpty()
                ? status.condition(cluster, ConditionReason.AVAILABLE, "all resources are in place")
                : status.condition(
                        cluster, ConditionReason.INCOMPLETE, String.join("; ", problems));
    }

    private Result next(GroupProgress progress, List<UnitResult> results) {
        if (results.stream().anyMatch(UnitResult::failed)) {
            return Result.requeue();
        }
        var pending =
                results.stream()
                        .flatMap(r -> r.outcome().stream())
                        .filter(Outcome.Pending.class::isInstance)
                        .map(o -> ((Outcome.Pending) o).retryAfter());
        var resync = fleet.settings().resync();
        boolean waits =
                !progress.waiting().isEmpty()
                        || progress.leaving().stream().anyMatch(l -> !l.obstacle().isEmpty());
        return Result.requeueAfter(
                pending.min(Comparator.naturalOrder()).orElse(waits ? POLL : resync));
    }
}
