package lvms.operator.unit;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.agent.AgentSettings;

import java.time.Duration;
import java.util.List;

/**
 * Watches the registration of the driver on the nodes; kubelet writes it.
 *
 * @param kube reads pods
 * @param nodes all nodes
 * @param csiNodes all CSINodes
 * @param settings which nodes agents run on, and where they look for kubelet
 */
public record CsiNodeUnit(
        KubeClient kube, Informer nodes, Informer csiNodes, AgentSettings settings)
        implements ReconcileUnit {
    private static final Duration POLL = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "topolvmNode";
    }

    @Override
    public Outcome apply(LvmCluster cluster) throws ApiException, InterruptedException {
        var missing =
                settings.nodes().among(nodes.list()).stream()
                        .filter(node -> isValid(cluster, node))
                        .map(KubeObject::name)
                        .filter(name -> !isRegistered(name))
                        .sorted()
                        .toList();
        if (missing.isEmpty()) {
            return new Outcome.Converged();
        }
        var text = "the CSI driver is not registered on nodes: " + String.join(", ", missing);
        return new Outcome.Pending(text + advice(cluster, missing), POLL);
    }

    // An agent that does not run is the agents' unit's matter, which says why.
    private String advice(LvmCluster cluster, List<String> missing)
            throws ApiException, InterruptedException {
        var running = new AgentPods(kube).running(cluster.namespace());
        return missing.stream().noneMatch(running::contains)
                ? ""
                : "; if this lasts and kubelet's root folder there is not "
                        + settings.paths().kubelet()
                        + ", give it to the operator as --kubelet-root";
    }

    private static boolean isValid(LvmCluster cluster, KubeObject node) {
        return NodeEligibility.of(node, cluster.tolerations(), cluster.nodeSelector())
                == NodeEligibility.VALID;
    }

    private boolean isRegistered(String node) {
        return csiNodes.get(ObjectKey.cluster(node)).filter(CsiNodeUnit::lists).isPresent();
    }

    private static boolean lists(KubeObject csiNode) {
        return csiNode.objects("spec", "drivers").stream().anyMatch(CsiNodeUnit::isOurs);
    }

    private static boolean isOurs(ObjectTree driver) {
        return driver.text("name").filter(Driver.TOPOLVM.name()::equals).isPresent();
    }

    @Override
    public Outcome remove(LvmCluster cluster) {
        var left =
                csiNodes.list().stream()
                        .filter(CsiNodeUnit::lists)
                        .map(KubeObject::name)
                        .sorted()
                        .toList();
        return left.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Pending(
                        "the CSI driver is still registered; if this lasts, remove its socket from"
                                + " kubelet's folder plugins_registry by hand; nodes: "
                                + String.join(", ", left),
                        POLL);
    }
}
