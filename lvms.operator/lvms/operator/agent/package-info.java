/**
 * How the node agents are run: what whoever installs them can set, and what fits every cluster if
 * nothing is set.
 *
 * <p>Begin with {@link lvms.operator.agent.AgentSettings}:
 *
 * {@snippet :
 * var paths = HostPaths.DEFAULT.kubelet("/var/snap/kubelet").modules("");
 * var agents = AgentSettings.DEFAULT.paths(paths).maxUnavailable("10%");
 * }
 *
 * <p>The DaemonSet that is made of it is {@code lvms.operator.unit}'s.
 */
package lvms.operator.agent;
