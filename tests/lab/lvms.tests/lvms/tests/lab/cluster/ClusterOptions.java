package lvms.tests.lab.cluster;

import java.nio.file.Path;
import java.util.List;

/**
 * What a cluster is made of.
 *
 * @param cache the download cache
 * @param repository the root of the sources
 * @param image the runtime image
 * @param folder for disks, logs and the kubeconfig
 * @param nodes how many nodes
 * @param diskBytes the blank disks of each
 * @param udev whether the nodes run systemd-udevd
 */
public record ClusterOptions(
        Path cache,
        Path repository,
        Path image,
        Path folder,
        int nodes,
        List<Long> diskBytes,
        boolean udev) {
    private static final long GIB = 1L << 30;

    /** Makes the paths absolute. */
    public ClusterOptions {
        cache = cache.toAbsolutePath();
        repository = repository.toAbsolutePath().normalize();
        image = image.toAbsolutePath();
        folder = folder.toAbsolutePath();
        diskBytes = List.copyOf(diskBytes);
    }

    /** Two nodes with two disks each, from the system properties that build.sh sets. */
    public static ClusterOptions twoNodes(Path folder) {
        return new ClusterOptions(
                Path.of(System.getProperty("lvms.cache")),
                Path.of(""),
                Path.of(System.getProperty("lvms.image")),
                folder,
                2,
                List.of(4 * GIB, 4 * GIB),
                false);
    }

    /** The same with another number of nodes. */
    public ClusterOptions nodes(int count) {
        return new ClusterOptions(cache, repository, image, folder, count, diskBytes, udev);
    }

    /** The same with other disks. */
    public ClusterOptions disks(Long... sizes) {
        return new ClusterOptions(cache, repository, image, folder, nodes, List.of(sizes), udev);
    }

    /** The same with systemd-udevd on the nodes. */
    public ClusterOptions withUdev() {
        return new ClusterOptions(cache, repository, image, folder, nodes, diskBytes, true);
    }
}
