package lvms.operator.cluster;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.controller.Result;
import lvms.k8s.object.Condition;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.node.NodeFinalizers;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Takes a cluster apart: nothing while it is in use, then everything in order. */
final class ClusterDeletion {
    private static final Duration IN_USE = Duration.ofSeconds(10);
    private static final Duration ENDING =
            Duration.ofSeconds(1); // terminating pods are not watched

    private record Wait(String reason, Duration retryAfter) {}

    private final KubeClient kube;
    private final ClusterStatusWriter status;
    private final NodeFinalizers goneNodes;
    private final InstantSource clock;

    ClusterDeletion(
            KubeClient kube,
            OperatorInformers informers,
            ClusterStatusWriter status,
            InstantSource clock) {
        this.kube = kube;
        this.status = status;
        this.goneNodes = new NodeFinalizers(kube, informers);
        this.clock = clock;
    }

    /** Does one pass over a terminating cluster. */
    Result run(LvmCluster cluster, ClusterUnits units) throws ApiException, InterruptedException {
        var known = Optional.of(cluster.object());
        if (LiveCluster.find(kube, LvmCluster.TYPE, known, Names.CLUSTER_FINALIZER).isEmpty()) {
            return Result.done(); // nothing was ever made for it, or all of it is done
        }
        goneNodes.releaseAll();
        var waiting = waiting(cluster, units);
        if (waiting.isPresent()) {
            status.write(cluster, List.of(progressing(cluster, waiting.get().reason())));
            return Result.requeueAfter(waiting.get().retryAfter());
        }
        kube.removeFinalizer(LvmCluster.TYPE, cluster.object(), Names.CLUSTER_FINALIZER);
        return Result.done();
    }

    private Optional<Wait> waiting(LvmCluster cluster, ClusterUnits units)
            throws ApiException, InterruptedException {
        var blocking = units.retired().blocking(cluster);
        if (!blocking.isEmpty()) {
            return Optional.of(new Wait(withAgents(blocking, cluster, units), IN_USE));
        }
        var unfinished =
                UnitRunner.removeInOrder(units.toRemove(), cluster).stream()
                        .filter(result -> result.problem().isPresent())
                        .findFirst();
        if (unfinished.isEmpty()) {
            return Optional.empty();
        }
        var reasons = unfinished.get().problem().stream().toList();
        boolean blanking = unfinished.get().unit().equals(units.retired().volumeGroups().name());
        var reason = blanking ? withAgents(reasons, cluster, units) : reasons.getFirst();
        return Optional.of(new Wait(reason, ENDING));
    }

    /** Volumes can be deleted and disks blanked only while there are agents to do it. */
    private static String withAgents(List<String> reasons, LvmCluster cluster, ClusterUnits units)
            throws InterruptedException {
        var all = new ArrayList<>(reasons);
        UnitRunner.applyAll(List.of(units.agent()), cluster).stream()
                .filter(UnitResult::failed)
                .flatMap(result -> result.problem().stream())
                .forEach(all::add);
        return String.join("; ", all);
    }

    private Condition progressing(LvmCluster cluster, String why) {
        return ClusterState.condition(
                cluster,
                ConditionReason.RECONCILING,
                "waiting to be deleted: " + why,
                clock.instant());
    }
}
