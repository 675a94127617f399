package lvms.operator.volume;

import lvms.api.Driver;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The nodes by the labels that kubelet sets for a driver. Any thread may use it.
 *
 * @param driver whose topology label counts
 * @param nodes all Nodes
 */
public record NodeTopology(Driver driver, Informer nodes) {
    private static final Set<String> AWAY =
            Set.of("node.kubernetes.io/unreachable", "node.kubernetes.io/not-ready");

    /** Returns whether the node is in the cluster. */
    public boolean exists(String node) {
        return nodes.get(ObjectKey.cluster(node)).isPresent();
    }

    /** Returns the node with this value of the topology label. */
    public Optional<String> nodeOf(String topologyValue) {
        var sameName = nodes.get(ObjectKey.cluster(topologyValue));
        if (sameName.isPresent() && topologyOf(sameName.get()).equals(topologyValue)) {
            return Optional.of(topologyValue);
        }
        return nodes.list().stream()
                .filter(node -> topologyOf(node).equals(topologyValue))
                .map(KubeObject::name)
                .findFirst();
    }

    /** Returns the topology label of a node, or its name before kubelet has set the label. */
    public String topologyOf(String node) {
        return nodes.get(ObjectKey.cluster(node))
                .map(this::topologyOf)
                .filter(value -> !value.isEmpty())
                .orElse(node);
    }

    private String topologyOf(KubeObject node) {
        return node.label(driver.topologyKey()).orElse("");
    }

    /** Returns the nodes that can take a volume now if nobody chose its node. */
    public List<String> schedulable() {
        return nodes.list().stream()
                .filter(node -> !topologyOf(node).isEmpty() && !away(node))
                .map(KubeObject::name)
                .toList();
    }

    private static boolean away(KubeObject node) {
        return node.terminating()
                || node.flag("spec", "unschedulable").orElse(false)
                || node.objects("spec", "taints").stream()
                        .anyMatch(taint -> AWAY.contains(taint.text("key").orElse("")));
    }
}
