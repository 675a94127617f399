package lvms.operator.preview;

import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.disk.Disk;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Types;
import lvms.operator.agent.AgentNodes;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** The nodes of a cluster, with the disks that their agents have published. */
public final class PublishedDisks {
    private PublishedDisks() {}

    /**
     * Reads them.
     *
     * @param namespace where the operator works
     */
    public static List<NodeDisks> read(KubeClient kube, String namespace)
            throws ApiException, InterruptedException {
        return with(byNode(kube, namespace), kube);
    }

    /** Returns the nodes of a cluster in which nothing is installed. */
    public static List<NodeDisks> none(KubeClient kube) throws ApiException, InterruptedException {
        return with(Map.of(), kube);
    }

    private static List<NodeDisks> with(Map<String, List<Disk>> published, KubeClient kube)
            throws ApiException, InterruptedException {
        return AgentNodes.DEFAULT.among(kube.list(Types.NODE, ListOptions.all()).items()).stream()
                .map(node -> new NodeDisks(node, Optional.ofNullable(published.get(node.name()))))
                .sorted(Comparator.comparing(entry -> entry.node().name()))
                .toList();
    }

    private static Map<String, List<Disk>> byNode(KubeClient kube, String namespace)
            throws ApiException, InterruptedException {
        return kube
                .list(LvmVolumeGroupNodeStatus.TYPE, ListOptions.all().namespace(namespace))
                .items()
                .stream()
                .map(LvmVolumeGroupNodeStatus::of)
                .filter(status -> !status.disks().isEmpty())
                .collect(
                        Collectors.toMap(
                                LvmVolumeGroupNodeStatus::node, LvmVolumeGroupNodeStatus::disks));
    }
}
