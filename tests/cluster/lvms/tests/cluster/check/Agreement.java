package lvms.tests.cluster.check;

import java.util.List;
import java.util.stream.Stream;

/** Compares what lies on disks, what the API holds, and what kernels have mounted. */
public final class Agreement {
    private Agreement() {}

    /**
     * Returns every disagreement. Disks, devices and mounts of nodes that are not given are not
     * looked at; of nothing that is on its way can be said that it agrees.
     */
    public static List<Disagreement> check(ClusterView cluster, List<NodeView> nodes) {
        return Stream.of(
                        DiskRules.check(cluster, nodes),
                        ObjectRules.check(cluster),
                        DeviceRules.check(nodes),
                        PublishedRules.check(cluster, nodes),
                        CapacityRules.check(cluster, nodes))
                .flatMap(List::stream)
                .toList();
    }
}
