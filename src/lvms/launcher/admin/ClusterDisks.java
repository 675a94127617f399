package lvms.launcher.admin;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.disk.Disk;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.launcher.flag.UsageException;
import lvms.operator.agent.OperatorImage;
import lvms.operator.overview.DiskPods;
import lvms.operator.preview.NodeDisks;
import lvms.operator.preview.PublishedDisks;
import lvms.operator.uninstall.InstalledNamespace;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The disks of a cluster's nodes: what agents have published, and what pods see elsewhere. */
final class ClusterDisks {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** A namespace that is in every cluster and takes privileged pods. */
    private static final String ELSEWHERE = "kube-system";

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
        boolean installed = kube.find(Types.NAMESPACE, ObjectKey.cluster(namespace)).isPresent();
        var pods = new DiskPods(kube, installed ? namespace : ELSEWHERE, image(namespace));
        var end = Thread.ofPlatform().unstarted(() -> remove(pods));
        Runtime.getRuntime().addShutdownHook(end); // Ctrl-C
        try {
            var found = pods.look(unknown, PATIENCE);
            gaps.addAll(pods.gaps());
            return nodes.stream().map(entry -> entry.or(found(found, entry))).toList();
        } finally {
            pods.remove();
        }
    }

    private static Optional<List<Disk>> found(Map<String, List<Disk>> disks, NodeDisks entry) {
        return Optional.ofNullable(disks.get(entry.node().name()));
    }

    private static void remove(DiskPods pods) {
        try {
            pods.remove();
        } catch (ApiException | InterruptedException e) {
            System.err.println("lvms: pods that looked at disks are left: " + e.getMessage());
        }
    }

    private OperatorImage image(String namespace)
            throws UsageException, ApiException, InterruptedException {
        if (!image.isEmpty()) {
            return new OperatorImage(image, List.of());
        }
        var operator = kube.find(Types.DEPLOYMENT, ObjectKey.of(namespace, Names.OPERATOR));
        if (operator.isEmpty()) {
            throw new UsageException(
                    "no node agent has looked at the disks of some nodes, and there is no operator"
                            + " to take an image from for a pod that looks: name one with --image");
        }
        var pod = operator.get().object("spec", "template").map(KubeObject::of).orElseThrow();
        return OperatorImage.of(pod);
    }
}
