package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.Tree;
import lvms.operator.agent.AgentNodes;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Owns one LVMVolumeGroupNodeStatus for each node where the agent runs; the node fills it.
 *
 * @param applier writes
 * @param kube deletes
 * @param nodes all nodes
 * @param nodeStatuses LVMVolumeGroupNodeStatuses of the namespace
 * @param agents which nodes an agent can run on
 */
public record NodeStatusUnit(
        Applier applier, KubeClient kube, Informer nodes, Informer nodeStatuses, AgentNodes agents)
        implements ReconcileUnit {
    private static final Duration POLL = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "lvmVGNodeStatus";
    }

    /** Returns the objects that the cluster asks for, by node. */
    public static List<KubeObject> desired(LvmCluster cluster, List<KubeObject> nodes) {
        return nodes.stream()
                .filter(n -> eligibility(cluster, n).hasAgent() && !n.terminating())
                .map(node -> nodeStatus(cluster, node.name()))
                .toList();
    }

    private static NodeEligibility eligibility(LvmCluster cluster, KubeObject node) {
        return NodeEligibility.of(node, cluster.tolerations(), cluster.nodeSelector());
    }

    private static KubeObject nodeStatus(LvmCluster cluster, String node) {
        var key = ObjectKey.of(cluster.namespace(), node);
        var status =
                Trees.owned(KubeObject.create(LvmVolumeGroupNodeStatus.TYPE, key), cluster)
                        .with(
                                ListTree.of(Tree.of(Names.NODE_STATUS_FINALIZER)),
                                "metadata",
                                "finalizers");
        var log = Names.logAnnotations(cluster.object()); // an agent does not see the LVMCluster
        return log.isEmpty() ? status : status.with(Trees.of(log), "metadata", "annotations");
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        var eligible = agents.among(nodes.list());
        for (var wanted : desired(cluster, eligible)) {
            if (nodeStatuses.get(wanted.key()).filter(KubeObject::terminating).isEmpty()) {
                applier.apply(wanted, nodeStatuses);
            }
        }
        var notReady =
                eligible.stream()
                        .filter(n -> eligibility(cluster, n) == NodeEligibility.NOT_READY)
                        .map(KubeObject::name)
                        .sorted()
                        .toList();
        return notReady.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Pending("nodes are not ready: " + String.join(", ", notReady), POLL);
    }

    /** Nodes that the heir does not have keep none. */
    @Override
    public Outcome handOver(LvmCluster cluster, LvmCluster heir)
            throws ApiException, InterruptedException {
        apply(heir);
        return remove(cluster);
    }

    /** Deletes every status of the cluster, including those of nodes that no longer count. */
    @Override
    public Outcome remove(LvmCluster cluster) throws ApiException, InterruptedException {
        var waiting = new ArrayList<String>();
        for (var present : nodeStatuses.list()) {
            if (VolumeGroupUnit.controls(cluster, present) && !remove(present)) {
                waiting.add(present.name());
            }
        }
        return waiting.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Pending(
                        "LVMVolumeGroupNodeStatuses are terminating: " + String.join(", ", waiting),
                        POLL);
    }

    private boolean remove(KubeObject present) throws ApiException, InterruptedException {
        kube.delete(LvmVolumeGroupNodeStatus.TYPE, present.key(), DeleteOptions.uid(present.uid()));
        // The finalizer guards against deletion by hand; the fresh object has the new version.
        var now =
                kube.find(LvmVolumeGroupNodeStatus.TYPE, present.key())
                        .filter(o -> o.uid().equals(present.uid()));
        if (now.isEmpty()) {
            return true;
        }
        return kube.removeFinalizer(
                        LvmVolumeGroupNodeStatus.TYPE, now.get(), Names.NODE_STATUS_FINALIZER)
                .filter(o -> !o.finalizers().isEmpty())
                .isEmpty();
    }
}
