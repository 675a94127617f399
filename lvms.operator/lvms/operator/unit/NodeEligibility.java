package lvms.operator.unit;

import lvms.api.Names;
import lvms.api.NodeTerms;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Taint;
import lvms.k8s.object.Toleration;

import java.util.List;
import java.util.Optional;

/** Whether a node counts. */
public enum NodeEligibility {
    /** The node counts: the cluster is not ready before its volume groups are. */
    VALID,
    /** The node would count, but kubelet does not work there right now. */
    NOT_READY,
    /** Nobody waits for the node, but the agent runs there, or will once a passing state ends. */
    AGENT_ONLY,
    /** The node is not for us. */
    IGNORED;

    private static final String NOT_READY_TAINT = "node.kubernetes.io/not-ready";

    /** Whatever a cluster tolerates, its agents come to a Node that waits for them. */
    static final Toleration STARTUP = Toleration.exists(Names.STARTUP_TAINT, "");

    // What the DaemonSet controller adds to each pod of a DaemonSet.
    private static final List<Toleration> AUTOMATIC =
            List.of(
                    Toleration.exists(NOT_READY_TAINT, "NoExecute"),
                    Toleration.exists("node.kubernetes.io/unreachable", "NoExecute"),
                    Toleration.exists("node.kubernetes.io/disk-pressure", "NoSchedule"),
                    Toleration.exists("node.kubernetes.io/memory-pressure", "NoSchedule"),
                    Toleration.exists("node.kubernetes.io/pid-pressure", "NoSchedule"),
                    Toleration.exists("node.kubernetes.io/unschedulable", "NoSchedule"));

    /**
     * Judges a node.
     *
     * <p>A PreferNoSchedule taint does not keep pods of a DaemonSet away, so it does not matter.
     *
     * @param selector what the node has to match, empty for all nodes
     */
    public static NodeEligibility of(
            KubeObject node, List<Toleration> tolerations, Optional<NodeTerms> selector) {
        if (selector.filter(terms -> !terms.matches(node)).isPresent()) {
            return IGNORED;
        }
        var untolerated =
                Taint.of(node).stream()
                        .filter(Taint::repels)
                        .filter(taint -> !STARTUP.tolerates(taint))
                        .filter(taint -> tolerations.stream().noneMatch(t -> t.tolerates(taint)))
                        .toList();
        if (untolerated.isEmpty()) {
            return VALID;
        }
        if (untolerated.stream().anyMatch(taint -> !isAutomatic(taint))) {
            return IGNORED;
        }
        return untolerated.stream().anyMatch(taint -> taint.key().equals(NOT_READY_TAINT))
                ? NOT_READY
                : AGENT_ONLY;
    }

    // A node that is not ready has both effects; the pods of the DaemonSet stay there.
    private static boolean isAutomatic(Taint taint) {
        return AUTOMATIC.stream().anyMatch(toleration -> toleration.key().equals(taint.key()));
    }

    /** Returns whether the agent runs on such a node. */
    public boolean hasAgent() {
        return this != IGNORED;
    }
}
