package lvms.tests.cluster;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * What a real cluster is made of.
 *
 * @param cache the download cache
 * @param repository the root of the sources
 * @param archive the container image of the product, which the nodes get
 * @param folder for disks, logs and the kubeconfig; what it held is deleted
 * @param kubernetes version of the control plane, such as {@code 1.36.3}; kubelet has the newest
 * @param nodes the nodes
 * @param flags further flags of a program of the control plane, by its name
 * @param ipv6 whether Kubernetes knows addresses of IPv6 alone: of nodes, pods and services
 */
public record ClusterOptions(
        Path cache,
        Path repository,
        Path archive,
        Path folder,
        String kubernetes,
        List<NodeSpec> nodes,
        Map<String, List<String>> flags,
        boolean ipv6) {
    /** Makes the paths absolute. */
    public ClusterOptions {
        cache = cache.toAbsolutePath();
        repository = repository.toAbsolutePath().normalize();
        archive = archive.toAbsolutePath();
        folder = folder.toAbsolutePath();
        nodes = List.copyOf(nodes);
        flags = Map.copyOf(flags);
    }

    /** Two nodes, one with LVM of its own, from the system properties that build.sh sets. */
    public static ClusterOptions twoNodes(Path folder) {
        return new ClusterOptions(
                Path.of(System.getProperty("lvms.cache")),
                Path.of(""),
                Path.of(System.getProperty("lvms.archive")),
                folder,
                System.getProperty("lvms.kubernetes"),
                NodeSpec.alternating(2),
                Map.of(),
                false);
    }

    /** The same with these nodes. */
    public static ClusterOptions of(Path folder, NodeSpec... nodes) {
        return twoNodes(folder).nodes(List.of(nodes));
    }

    /** The same with other nodes. */
    public ClusterOptions nodes(List<NodeSpec> specs) {
        return new ClusterOptions(
                cache, repository, archive, folder, kubernetes, specs, flags, ipv6);
    }

    /** The same with further flags, such as those of {@code kube-controller-manager}. */
    public ClusterOptions flags(Map<String, List<String>> more) {
        return new ClusterOptions(
                cache, repository, archive, folder, kubernetes, nodes, more, ipv6);
    }

    /** The same with addresses of IPv6 alone. */
    public ClusterOptions ofIpv6Alone() {
        return new ClusterOptions(
                cache, repository, archive, folder, kubernetes, nodes, flags, true);
    }
}
