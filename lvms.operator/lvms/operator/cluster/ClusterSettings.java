package lvms.operator.cluster;

import lvms.operator.agent.AgentSettings;
import lvms.operator.agent.OperatorImage;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * How the controllers work.
 *
 * @param namespace namespace of the operator, the only one where an LVMCluster is accepted
 * @param podName pod of the operator, whose image the node agent gets
 * @param image image of the node agent; empty takes it from the pod's container {@code manager}
 * @param agents how the node agents are run
 * @param cleanUpAfterNodes whether claims and volumes of a deleted Node are deleted with it
 * @param nativeStor the environment in which NativeStor's settings are looked up; empty if these do
 *     not count
 * @param resync how long until a cluster is looked at again although nothing happened
 */
public record ClusterSettings(
        String namespace,
        String podName,
        Optional<OperatorImage> image,
        AgentSettings agents,
        boolean cleanUpAfterNodes,
        Optional<Map<String, String>> nativeStor,
        Duration resync) {
    private static final Duration RESYNC = Duration.ofMinutes(1);

    /** Checks that nothing is missing. */
    public ClusterSettings {
        if (namespace.isEmpty() || podName.isEmpty()) {
            throw new IllegalArgumentException("the operator's namespace and pod are needed");
        }
        Objects.requireNonNull(image, "image");
        Objects.requireNonNull(agents, "agents");
        nativeStor = nativeStor.map(Map::copyOf);
        Objects.requireNonNull(resync, "resync");
    }

    /** Returns the usual settings of an operator that runs in this pod. */
    public static ClusterSettings of(String namespace, String podName) {
        return new ClusterSettings(
                namespace,
                podName,
                Optional.empty(),
                AgentSettings.DEFAULT,
                true,
                Optional.empty(),
                RESYNC);
    }

    /** Returns settings with this image for the node agent. */
    public ClusterSettings image(String agentImage) {
        var image = new OperatorImage(agentImage, List.of());
        return new ClusterSettings(
                namespace,
                podName,
                Optional.of(image),
                agents,
                cleanUpAfterNodes,
                nativeStor,
                resync);
    }

    /** Returns settings that run the node agents like this. */
    public ClusterSettings agents(AgentSettings settings) {
        return new ClusterSettings(
                namespace, podName, image, settings, cleanUpAfterNodes, nativeStor, resync);
    }

    /** Returns settings that leave the claims and volumes of a deleted Node alone. */
    public ClusterSettings keepingAfterNodes() {
        return new ClusterSettings(namespace, podName, image, agents, false, nativeStor, resync);
    }

    /** Returns settings with which those of NativeStor count, looked up in this environment too. */
    public ClusterSettings nativeStor(Map<String, String> environment) {
        return new ClusterSettings(
                namespace,
                podName,
                image,
                agents,
                cleanUpAfterNodes,
                Optional.of(environment),
                resync);
    }
}
