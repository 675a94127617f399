package lvms.operator.agent;

import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * How the node agents are run.
 *
 * @param command command line of an agent
 * @param paths folders of the nodes
 * @param nodes which nodes an agent can run on
 * @param maxUnavailable how many agents an update may stop at once: a number, or a percentage
 * @param requests what an agent asks the scheduler for, by resource
 * @param userClasses name of the ConfigMap with the device classes of groups that people made;
 *     empty for none
 * @param features what they do beyond the usual
 */
public record AgentSettings(
        List<String> command,
        HostPaths paths,
        AgentNodes nodes,
        String maxUnavailable,
        Map<String, String> requests,
        String userClasses,
        AgentFeatures features) {
    /**
     * An agent of our own image on ordinary nodes. The request is the measured use of agent and
     * worker together, see docs/performance.md.
     */
    public static final AgentSettings DEFAULT =
            new AgentSettings(
                    List.of("/opt/lvms/bin/lvms-vgmanager", "--require-guard"),
                    HostPaths.DEFAULT,
                    AgentNodes.DEFAULT,
                    "1",
                    Map.of("cpu", "5m", "memory", "160Mi"),
                    "",
                    AgentFeatures.NONE);

    private static final String TLS = "--tls-";

    public AgentSettings {
        Objects.requireNonNull(paths, "paths");
        Objects.requireNonNull(nodes, "nodes");
        Objects.requireNonNull(features, "features");
        if (command.isEmpty()) {
            throw new IllegalArgumentException("the agents' command is empty");
        }
        if (!maxUnavailable.matches("[1-9][0-9]{0,5}|[1-9][0-9]?%|100%")) {
            throw new IllegalArgumentException(
                    "\"" + maxUnavailable + "\" is neither a number of agents nor a percentage");
        }
        if (!userClasses.matches("([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?)?")) {
            throw new IllegalArgumentException(
                    "\"" + userClasses + "\" cannot be the name of a ConfigMap");
        }
        command = List.copyOf(command);
        requests = Map.copyOf(requests);
    }

    public AgentSettings command(List<String> words) {
        return new AgentSettings(
                words, paths, nodes, maxUnavailable, requests, userClasses, features);
    }

    /** Adds flags about TLS, unless the command has such flags already. */
    public AgentSettings tls(List<String> flags) {
        if (command.stream().anyMatch(word -> word.startsWith(TLS))) {
            return this;
        }
        return command(Stream.concat(command.stream(), flags.stream()).toList());
    }

    public AgentSettings paths(HostPaths folders) {
        return new AgentSettings(
                command, folders, nodes, maxUnavailable, requests, userClasses, features);
    }

    public AgentSettings nodes(AgentNodes some) {
        return new AgentSettings(
                command, paths, some, maxUnavailable, requests, userClasses, features);
    }

    public AgentSettings maxUnavailable(String count) {
        return new AgentSettings(command, paths, nodes, count, requests, userClasses, features);
    }

    public AgentSettings requests(Map<String, String> quantities) {
        return new AgentSettings(
                command, paths, nodes, maxUnavailable, quantities, userClasses, features);
    }

    public AgentSettings userClasses(String configMap) {
        return new AgentSettings(
                command, paths, nodes, maxUnavailable, requests, configMap, features);
    }

    public AgentSettings features(AgentFeatures wanted) {
        return new AgentSettings(
                command, paths, nodes, maxUnavailable, requests, userClasses, wanted);
    }
}
