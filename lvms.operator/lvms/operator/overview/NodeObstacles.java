package lvms.operator.overview;

import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.k8s.object.Types;

import java.util.Optional;

/**
 * Why a node makes no volume. What the caller may not read is held against no node.
 *
 * @param overview the cluster
 */
record NodeObstacles(Overview overview) {
    /** Why a node cannot work; empty if nothing is known against it. */
    Optional<String> away(String node) {
        if (!overview.knows(Types.NODE)) {
            return Optional.empty();
        }
        var object = overview.node(node);
        if (object.isEmpty()) {
            return Optional.of("node " + node + " does not exist");
        }
        if (!Overview.ready(object.get())) {
            return Optional.of("node " + node + " is not ready");
        }
        var agent = overview.agentOn(node);
        if (agent.isEmpty() && overview.knows(Types.POD)) {
            return Optional.of("node " + node + " has no node agent");
        }
        return agent.flatMap(ProductPod::problem)
                .map(problem -> "the agent of node " + node + " is not ready: " + problem)
                .or(() -> unregistered(node));
    }

    private Optional<String> unregistered(String node) {
        return !overview.registered(node).isEmpty() || !overview.knows(Types.CSI_NODE)
                ? Optional.empty()
                : Optional.of("kubelet of node " + node + " has not registered the driver");
    }

    /** Why a class of the node has no volumes; empty if it has, or if nothing is known. */
    Optional<String> broken(String node, String deviceClass) {
        return overview.statuses().stream()
                .filter(status -> status.node().equals(node))
                .flatMap(status -> status.deviceClass(deviceClass).stream())
                .filter(group -> !group.is(VolumeGroupState.READY))
                .map(NodeObstacles::state)
                .findFirst();
    }

    private static String state(VolumeGroupStatus group) {
        return "class "
                + group.deviceClass()
                + " is "
                + group.state().map(VolumeGroupState::text).orElse("not reported")
                + (group.reason().isEmpty() ? "" : ": " + group.reason());
    }
}
