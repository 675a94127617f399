package lvms.operator.cluster;

import lvms.operator.unit.AgentSettings;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * How the controllers work.
 *
 * @param namespace namespace of the operator, the only one where an LVMCluster is accepted
 * @param podName pod of the operator, whose image the node agent gets
 * @param image image of the node agent; empty takes it from the pod's container {@code manager}
 * @param agentCommand command line of the node agent
 * @param kubeletRoot root folder of kubelet on the nodes
 * @param cleanUpAfterNodes whether claims and volumes of a deleted Node are deleted with it
 * @param resync how long until a cluster is looked at again although nothing happened
 */
public record ClusterSettings(
        String namespace,
        String podName,
        Optional<String> image,
        List<String> agentCommand,
        String kubeletRoot,
        boolean cleanUpAfterNodes,
        Duration resync) {
    /** Command line of the node agent in our own image. */
    public static final List<String> AGENT_COMMAND = AgentSettings.COMMAND;

    private static final Duration RESYNC = Duration.ofMinutes(1);

    /** Checks that nothing is missing. */
    public ClusterSettings {
        if (namespace.isEmpty() || podName.isEmpty()) {
            throw new IllegalArgumentException("the operator's namespace and pod are needed");
        }
        Objects.requireNonNull(image, "image");
        agentCommand = List.copyOf(agentCommand);
        Objects.requireNonNull(kubeletRoot, "kubeletRoot");
        Objects.requireNonNull(resync, "resync");
    }

    /** Returns the usual settings of an operator that runs in this pod. */
    public static ClusterSettings of(String namespace, String podName) {
        return new ClusterSettings(
                namespace,
                podName,
                Optional.empty(),
                AGENT_COMMAND,
                AgentSettings.KUBELET_ROOT,
                true,
                RESYNC);
    }

    /** Returns settings with this image for the node agent. */
    public ClusterSettings image(String agentImage) {
        return new ClusterSettings(
                namespace,
                podName,
                Optional.of(agentImage),
                agentCommand,
                kubeletRoot,
                cleanUpAfterNodes,
                resync);
    }

    /** Returns settings with this command line and folder of kubelet for the node agent. */
    public ClusterSettings agent(List<String> command, String kubelet) {
        var line = new ArrayList<>(command);
        if (!kubelet.equals(AgentSettings.KUBELET_ROOT)) {
            line.add("--kubelet-root=" + kubelet);
        }
        return new ClusterSettings(
                namespace, podName, image, line, kubelet, cleanUpAfterNodes, resync);
    }

    /** Returns settings that leave the claims and volumes of a deleted Node alone. */
    public ClusterSettings keepingAfterNodes() {
        return new ClusterSettings(
                namespace, podName, image, agentCommand, kubeletRoot, false, resync);
    }
}
