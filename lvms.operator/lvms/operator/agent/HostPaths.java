package lvms.operator.agent;

import java.util.Optional;

/**
 * Folders of the nodes that are not at the same place everywhere.
 *
 * @param kubelet root folder of kubelet
 * @param config folder of lvmd.yaml; empty takes the one that fits the cluster
 * @param modules folder of the kernel modules; empty where {@code modprobe} of the node looks
 */
public record HostPaths(String kubelet, Optional<String> config, Optional<String> modules) {
    /** Where kubelet keeps its files unless it is told otherwise. */
    public static final String KUBELET = "/var/lib/kubelet";

    /** An ordinary node. */
    public static final HostPaths DEFAULT =
            new HostPaths(KUBELET, Optional.empty(), Optional.empty());

    public HostPaths {
        kubelet = absolute(kubelet);
        config = config.map(HostPaths::absolute);
        modules = modules.map(HostPaths::absolute);
    }

    private static String absolute(String path) {
        if (!path.startsWith("/") || path.matches("/+")) {
            throw new IllegalArgumentException(
                    "\"" + path + "\" is not the absolute path of a folder");
        }
        return path.replaceAll("/+$", "");
    }

    public HostPaths kubelet(String root) {
        return new HostPaths(root, config, modules);
    }

    /** Returns paths with this folder of lvmd.yaml; an empty text takes what fits the cluster. */
    public HostPaths config(String folder) {
        return new HostPaths(kubelet, present(folder), modules);
    }

    /**
     * Returns paths with this folder of kernel modules; an empty text stands for the node's own.
     */
    public HostPaths modules(String folder) {
        return new HostPaths(kubelet, config, present(folder));
    }

    private static Optional<String> present(String folder) {
        return Optional.of(folder).filter(path -> !path.isEmpty());
    }
}
