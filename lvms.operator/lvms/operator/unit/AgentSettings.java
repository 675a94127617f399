package lvms.operator.unit;

import java.util.List;

/**
 * How the node agent is run.
 *
 * @param image container image, the same as the operator's
 * @param command command line of the agent
 * @param kubeletRoot root folder of kubelet on the nodes
 */
public record AgentSettings(String image, List<String> command, String kubeletRoot) {
    /** Command line in our own image. */
    public static final List<String> COMMAND =
            List.of("/opt/lvms/bin/lvms-vgmanager", "--require-guard");

    /** Where kubelet keeps its files unless it is told otherwise. */
    public static final String KUBELET_ROOT = "/var/lib/kubelet";

    public AgentSettings {
        if (image.isEmpty() || command.isEmpty() || !kubeletRoot.startsWith("/")) {
            throw new IllegalArgumentException(
                    "image, command and an absolute kubelet root are needed");
        }
        command = List.copyOf(command);
        kubeletRoot = kubeletRoot.endsWith("/") ? kubeletRoot.replaceAll("/+$", "") : kubeletRoot;
    }

    /** Returns the settings of our own image on an ordinary node. */
    public static AgentSettings of(String image) {
        return new AgentSettings(image, COMMAND, KUBELET_ROOT);
    }
}
