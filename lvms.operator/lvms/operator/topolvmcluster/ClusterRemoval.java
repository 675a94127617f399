package lvms.operator.topolvmcluster;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.operator.cluster.AgentFleet;
import lvms.operator.cluster.ConditionReason;
import lvms.operator.cluster.LiveCluster;
import lvms.operator.cluster.UnitResult;
import lvms.operator.cluster.UnitRunner;
import lvms.operator.nativestor.NativeStor;
import lvms.operator.node.NodeFinalizers;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Takes a TopolvmCluster apart: nothing while volumes are left, then its volume groups go or stay
 * on the disks, as its spec says, and then what nobody else needs.
 */
final class ClusterRemoval {
    private static final Duration IN_USE = Duration.ofSeconds(10);
    private static final Duration ENDING = Duration.ofSeconds(1);

    private record Wait(String reason, Duration retryAfter) {}

    private final KubeClient kube;
    private final AgentFleet fleet;
    private final NativeStor stor;
    private final ClusterGroups groups;
    private final OldDriver oldDriver;
    private final StatusWriter status;
    private final NodeFinalizers goneNodes;

    ClusterRemoval(
            KubeClient kube,
            AgentFleet fleet,
            NativeStor stor,
            ClusterGroups groups,
            OldDriver oldDriver,
            StatusWriter status,
            NodeFinalizers goneNodes) {
        this.kube = kube;
        this.fleet = fleet;
        this.stor = stor;
        this.groups = groups;
        this.oldDriver = oldDriver;
        this.status = status;
        this.goneNodes = goneNodes;
    }

    /** Does one pass over a terminating cluster. */
    Result run(TopolvmCluster cluster) throws ApiException, InterruptedException {
        if (!cluster.object().finalizers().contains(TopolvmCluster.FINALIZER)) {
            return Result.done(); // nothing was ever made for it
        }
        goneNodes.releaseAll();
        var waiting = waiting(cluster);
        if (waiting.isPresent()) {
            var why = "waiting to be deleted: " + waiting.get().reason();
            status.write(cluster, status.condition(cluster, ConditionReason.RECONCILING, why));
            return Result.requeueAfter(waiting.get().retryAfter());
        }
        status.forget(cluster);
        kube.removeFinalizer(TopolvmCluster.TYPE, cluster.object(), TopolvmCluster.FINALIZER);
        return Result.done();
    }

    private Optional<Wait> waiting(TopolvmCluster cluster)
            throws ApiException, InterruptedException {
        var obstacles = new ArrayList<String>();
        for (var group : groups.of(cluster)) {
            groups.obstacle(group)
                    .map(text -> place(GroupChanges.node(group)) + text)
                    .ifPresent(obstacles::add);
        }
        if (!obstacles.isEmpty()) {
            return Optional.of(new Wait(withAgents(obstacles, cluster), IN_USE));
        }
        var terminating = new ArrayList<String>();
        for (var group : groups.of(cluster)) {
            (cluster.spec().cleanup() ? groups.remove(cluster, group) : groups.release(group))
                    .ifPresent(terminating::add);
        }
        if (!terminating.isEmpty()) {
            return Optional.of(new Wait(withAgents(terminating, cluster), ENDING));
        }
        oldDriver.remove();
        return shared(cluster);
    }

    private static String place(Optional<String> node) {
        return node.map(name -> "node " + name + ": ").orElse("");
    }

    /** What an LVMCluster owns stays with it; one that is going leaves it to this one first. */
    private Optional<Wait> shared(TopolvmCluster cluster)
            throws ApiException, InterruptedException {
        var owner =
                LiveCluster.find(kube, LvmCluster.TYPE, stor.lvmCluster(), Names.CLUSTER_FINALIZER);
        if (owner.isPresent()) {
            return owner.filter(KubeObject::terminating)
                    .map(o -> "LVMCluster " + o.name() + " is being deleted, too, and goes first")
                    .map(text -> new Wait(text, ENDING));
        }
        return UnitRunner.removeInOrder(fleet.units().all(), stor.view(cluster.object())).stream()
                .flatMap(result -> result.problem().stream())
                .findFirst()
                .map(problem -> new Wait(problem, ENDING));
    }

    /** Volumes can be deleted and disks cleaned only while there are agents to do it. */
    private String withAgents(List<String> reasons, TopolvmCluster cluster)
            throws ApiException, InterruptedException {
        var all = new ArrayList<>(reasons);
        if (stor.lvmCluster().isEmpty()) {
            UnitRunner.applyAll(List.of(fleet.units().agent()), stor.view(cluster.object()))
                    .stream()
                    .filter(UnitResult::failed)
                    .flatMap(result -> result.problem().stream())
                    .forEach(all::add);
        }
        return String.join("; ", all);
    }
}
