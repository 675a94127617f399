package lvms.launcher.admin;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.disk.Disk;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.launcher.flag.UsageException;
import lvms.operator.preview.NodeDisks;
import lvms.operator.preview.PublishedDisks;
import lvms.operator.uninstall.InstalledNamespace;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The disks of a cluster's nodes: what agents have published, and what pods see elsewhere. */
final class ClusterDisks {
    private final KubeClient kube;
    private final String image;
    private final List<String> gaps = new ArrayList<>();

    /**
     * @param image of the pods; empty takes the operator's
     */
    ClusterDisks(KubeClient kube, String image) {
        this.kube = kube;
        this.image = image;
    }

    /** Nodes that could not be looked at, one line each. */
    List<String> gaps() {
        return gaps;
    }

    /** The LVMCluster that there is. */
    Optional<LvmCluster> cluster() throws ApiException, InterruptedException {
        return kube.serves(LvmCluster.TYPE)
                ? kube.list(LvmCluster.TYPE, ListOptions.all()).items().stream()
                        .map(LvmCluster::of)
                        .findFirst()
                : Optional.empty();
    }

    List<NodeDisks> read() throws UsageException, ApiException, InterruptedException {
        var used = cluster().map(LvmCluster::namespace).stream().toList();
        var namespace = InstalledNamespace.find(kube, used);
        var nodes =
                kube.serves(LvmVolumeGroupNodeStatus.TYPE)
                        ? PublishedDisks.read(kube, namespace)
                        : PublishedDisks.none(kube);
        var unknown = new ArrayList<String>();
        for (var entry : nodes) {
            if (entry.disks().isEmpty()) {
                unknown.add(entry.node().name());
            }
        }
        return unknown.isEmpty() ? nodes : looked(nodes, unknown, namespace);
    }

    private List<NodeDisks> looked(List<NodeDisks> nodes, List<String> unknown, String namespace)
            throws UsageException, ApiException, InterruptedException {
        var looks = new NodeLooks(kube, namespace, image);
        var found = looks.run(pods -> pods.look(unknown, NodeLooks.PATIENCE));
        gaps.addAll(looks.gaps().stream().map(gap -> "disks of " + gap).toList());
        return nodes.stream().map(entry -> entry.or(found(found, entry))).toList();
    }

    private static Optional<List<Disk>> found(Map<String, List<Disk>> disks, NodeDisks entry) {
        return Optional.ofNullable(disks.get(entry.node().name()));
    }
}
