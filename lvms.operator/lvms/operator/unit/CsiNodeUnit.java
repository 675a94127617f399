package lvms.operator.unit;

import com.google.gson.JsonObject;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.Json;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.time.Duration;
import java.util.List;

/**
 * Watches the registration of the driver on the nodes; kubelet writes it.
 *
 * @param nodes all nodes
 * @param csiNodes all CSINodes
 */
public record CsiNodeUnit(Informer nodes, Informer csiNodes) implements ReconcileUnit {
    private static final Duration POLL = Duration.ofSeconds(10);

    @Override
    public String name() {
        return "topolvmNode";
    }

    @Override
    public Outcome apply(LvmCluster cluster) {
        var missing =
                nodes.list().stream()
                        .filter(node -> isValid(cluster, node))
                        .map(KubeObject::name)
                        .filter(name -> !isRegistered(name))
                        .sorted()
                        .toList();
        return outcome("the CSI driver is not registered on nodes: ", missing);
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

    private static boolean isOurs(JsonObject driver) {
        return Json.text(driver.get("name")).filter(Names.DRIVER::equals).isPresent();
    }

    @Override
    public Outcome remove(LvmCluster cluster) {
        var left =
                csiNodes.list().stream()
                        .filter(CsiNodeUnit::lists)
                        .map(KubeObject::name)
                        .sorted()
                        .toList();
        return outcome(
                "the CSI driver is still registered; if that lasts, remove its socket from"
                        + " kubelet's folder plugins_registry by hand; nodes: ",
                left);
    }

    private static Outcome outcome(String text, List<String> nodes) {
        return nodes.isEmpty()
                ? new Outcome.Converged()
                : new Outcome.Pending(text + String.join(", ", nodes), POLL);
    }
}
