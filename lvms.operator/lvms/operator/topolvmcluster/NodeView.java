package lvms.operator.topolvmcluster;

import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.nativestor.Phase;
import lvms.k8s.object.Condition;
import lvms.k8s.object.KubeObject;

import java.util.Optional;

/**
 * What the operator sees of a node: whether it works, its agent's pod, and what the agent reports.
 *
 * @param name name of the Node
 * @param works whether kubelet says that the node is ready
 * @param agent how the agent's pod is; empty if there is none
 * @param report what the agent reports; empty if nothing yet
 */
record NodeView(
        String name,
        boolean works,
        Optional<Phase> agent,
        Optional<LvmVolumeGroupNodeStatus> report) {

    /** Looks at a node. One that is gone does not work. */
    static NodeView of(
            String name,
            Optional<KubeObject> node,
            Optional<Phase> agent,
            Optional<LvmVolumeGroupNodeStatus> report) {
        boolean ready =
                node.flatMap(n -> n.condition("Ready")).filter(Condition::holds).isPresent();
        return new NodeView(name, ready, agent, report);
    }

    /** A pod that runs and does not answer its probe is as good as unknown. */
    static Phase phaseOf(KubeObject pod) {
        return switch (pod.text("status", "phase").orElse("")) {
            case "Running" ->
                    pod.condition("Ready").filter(Condition::holds).isPresent()
                            ? Phase.READY
                            : Phase.UNKNOWN;
            case "Pending" -> Phase.PENDING;
            case "Failed" -> Phase.FAILURE;
            default -> Phase.UNKNOWN;
        };
    }

    /** Returns the phase of the node, if its classes allow it. */
    Phase phase() {
        return works ? agent.orElse(Phase.UNKNOWN) : Phase.UNKNOWN;
    }
}
