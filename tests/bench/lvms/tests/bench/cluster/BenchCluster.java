package lvms.tests.bench.cluster;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Product;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * A cluster of one node with LVM and without udev, so that plain LVM beside the product is as fast
 * as it can be. The controller manager may send more requests than by default: at its 20 a second
 * it would take eleven seconds for 50 claims whatever the provisioner does.
 */
final class BenchCluster implements AutoCloseable {
    private static final long GIB = 1L << 30;
    private static final String NODE = "node1";
    private static final List<String> REQUEST_RATE =
            List.of("--kube-api-qps=500", "--kube-api-burst=1000");

    private final Cluster cluster;
    private final Product product;
    private final AuditLog audit;

    private BenchCluster(Cluster cluster, AuditLog audit) throws Exception {
        this.cluster = cluster;
        this.audit = audit;
        product = Product.on(cluster);
        var namespace = KubeObject.create(Types.NAMESPACE, ObjectKey.cluster(Crowd.NAMESPACE));
        kube().create(Types.NAMESPACE, namespace);
    }

    static BenchCluster start() throws Exception {
        return start(false);
    }

    /** The same with systemd-udevd, which TopoLVM's LVM waits for. */
    static BenchCluster withUdev() throws Exception {
        return start(true);
    }

    private static BenchCluster start(boolean udev) throws Exception {
        var audit = AuditLog.in(Path.of("out/bench/audit").toAbsolutePath());
        var node =
                new NodeSpec(
                        NODE,
                        List.of(4 * GIB, 4 * GIB),
                        true,
                        udev,
                        true,
                        "/var/lib/kubelet",
                        3072);
        var options =
                ClusterOptions.twoNodes(Path.of("out/bench/cluster"))
                        .nodes(List.of(node))
                        .flags(
                                Map.of(
                                        "kube-apiserver",
                                        audit.flags(),
                                        "kube-controller-manager",
                                        REQUEST_RATE));
        return new BenchCluster(Cluster.start(options), audit);
    }

    KubeClient kube() {
        return product.kube();
    }

    Product product() {
        return product;
    }

    ClusterNode node() {
        return cluster.node(NODE);
    }

    AuditLog audit() {
        return audit;
    }

    /** Makes a class of ext4 volumes; returns its name. */
    String storageClass(String deviceClass, String binding)
            throws ApiException, InterruptedException {
        var name = deviceClass + "-" + binding.toLowerCase(Locale.ROOT);
        var yaml =
                """
                {topolvm.io/device-class: %s, csi.storage.k8s.io/fstype: ext4}
                """
                        .formatted(deviceClass);
        var object =
                KubeObject.create(Types.STORAGE_CLASS, ObjectKey.cluster(name))
                        .with("topolvm.io", "provisioner")
                        .with(binding, "volumeBindingMode")
                        .with(Yaml.read(yaml), "parameters");
        kube().apply(Types.STORAGE_CLASS, object);
        return name;
    }

    @Override
    public void close() throws IOException {
        cluster.close();
    }
}
