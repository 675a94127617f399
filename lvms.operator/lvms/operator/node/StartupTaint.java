package lvms.operator.node;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Optional;

/**
 * The taint with which an administrator registers new Nodes, so that no pod comes before the
 * driver. It goes once and for all: nobody here sets it.
 *
 * @param key its key; the effect does not matter
 */
public record StartupTaint(String key) {
    /** What a key may begin with; the policy of the operator in deploy/guard says the same. */
    private static final List<String> PREFIXES =
            List.of("lvms.topolvm.io/", "startup-taint.cluster-autoscaler.kubernetes.io/lvms");

    /**
     * Checks the key.
     *
     * @throws IllegalArgumentException if it is not one of ours
     */
    public StartupTaint {
        if (PREFIXES.stream().noneMatch(key::startsWith) || key.endsWith("/")) {
            throw new IllegalArgumentException(
                    "expected a key that begins with %s, found %s"
                            .formatted(String.join(" or ", PREFIXES), key));
        }
    }

    boolean isOn(KubeObject node) {
        return node.objects("spec", "taints").stream().anyMatch(this::isThis);
    }

    private boolean isThis(ObjectTree taint) {
        return taint.text("key").filter(key::equals).isPresent();
    }

    /** Returns the other taints of a Node. */
    ListTree without(KubeObject node) {
        return ListTree.of(
                node.objects("spec", "taints").stream().filter(taint -> !isThis(taint)).toList());
    }

    /**
     * Returns whether pods with volumes may come: kubelet has registered every driver on this very
     * Node, and its agent has reported the capacity of each. The CSINode of a former Node of that
     * name may be there for a while, so its owner counts.
     */
    static boolean isServed(KubeObject node, Optional<KubeObject> csiNode, Drivers drivers) {
        var own = csiNode.filter(found -> isOf(found, node));
        return own.isPresent()
                && drivers.all().stream()
                        .allMatch(
                                driver -> registered(own.get(), driver) && reported(node, driver));
    }

    private static boolean isOf(KubeObject csiNode, KubeObject node) {
        return csiNode.ownerReferences().stream().anyMatch(o -> o.uid().equals(node.uid()));
    }

    private static boolean registered(KubeObject csiNode, Driver driver) {
        return csiNode.objects("spec", "drivers").stream()
                .anyMatch(entry -> entry.text("name").filter(driver.name()::equals).isPresent());
    }

    private static boolean reported(KubeObject node, Driver driver) {
        return node.annotations().keySet().stream()
                .anyMatch(name -> name.startsWith(driver.capacityPrefix()));
    }
}
