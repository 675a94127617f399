package lvms.operator.topolvmcluster;

import lvms.api.nativestor.NodeStorageState;
import lvms.api.nativestor.Phase;
import lvms.k8s.metrics.Family;
import lvms.k8s.metrics.Gauge;
import lvms.k8s.metrics.MetricsRegistry;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Whether the TopolvmCluster and its nodes are well, as NativeStor's alerts ask for it. Each pass
 * says it, so it is there after a restart, too; what no longer exists has no series.
 */
final class HealthMetrics {
    private final Family<Gauge> clusters;
    private final Family<Gauge> nodes;
    private final Set<String> shown = new HashSet<>();

    HealthMetrics(MetricsRegistry metrics) {
        this.clusters =
                metrics.gauge(
                        "topolvm_health_cluster_status",
                        "Whether a TopolvmCluster is Ready (0) or not (1).",
                        "cluster_name");
        this.nodes =
                metrics.gauge(
                        "topolvm_health_node_status",
                        "Whether a node of a TopolvmCluster is Ready (0) or not (1).",
                        "node_name");
    }

    /** Shows how the cluster in charge is. */
    synchronized void show(String cluster, List<NodeStorageState> states) {
        var present = states.stream().map(NodeStorageState::node).collect(Collectors.toSet());
        shown.stream().filter(node -> !present.contains(node)).forEach(nodes::remove);
        shown.retainAll(present);
        for (var state : states) {
            nodes.with(state.node()).set(value(state.phase()));
            shown.add(state.node());
        }
        clusters.with(cluster).set(value(Optional.of(NodeStates.cluster(states))));
    }

    private static double value(Optional<Phase> phase) {
        return phase.equals(Optional.of(Phase.READY)) ? 0 : 1;
    }

    /** The cluster is gone, or no longer in charge. */
    synchronized void forget(String cluster) {
        shown.forEach(nodes::remove);
        shown.clear();
        clusters.remove(cluster);
    }
}
