/**
 * How the node agents are run: what whoever installs them can set, and what fits every cluster if
 * nothing is set.
 *
 * <p>Begin with {@link lvms.operator.agent.AgentSettings}:
 *
 * <pre>{@code
 * var paths = HostPaths.DEFAULT.kubelet("/var/snap/kubelet").modules("/run/modules");
 * var agents = AgentSettings.DEFAULT.paths(paths).maxUnavailable("10%");
 * var settings = ClusterSettings.of("lvms-system", "pod-0").agents(agents);
 * }</pre>
 *
 * <p>The DaemonSet that is made of it is of the package {@code unit}; what the agents do is {@code
 * lvms.node}'s.
 */
package lvms.operator.agent;
