package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.CommandLine;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

/** Kubernetes knows addresses of IPv6 alone: of nodes, pods and services. Nothing has to be set. */
@Lasts(seconds = 150)
@FullOnly("a cluster of its own")
class Ipv6ClusterTests {
    private final Path folder = Path.of("out/conformance/ipv6").toAbsolutePath();

    @Test
    void aVolumeIsMadeGrownSnapshottedAndRemoved() throws Exception {
        var options = ClusterOptions.twoNodes(folder.resolve("cluster")).ofIpv6Alone();
        try (var cluster = Cluster.start(options)) {
            var product = Product.on(cluster);
            product.install();
            everyAddressIsOfIpv6(product);
            var box = Sandbox.open(product, "app");
            box.start(Claim.of("data", Product.THIN_CLASS, "320Mi"));
            var bytes = box.write("data", "/data/file", 4);
            box.grow("data", "512Mi");
            box.awaitCapacity("data", "512Mi");
            box.snapshot("then", "data");
            assertEquals(bytes, box.checksum("data", "/data/file", 4));
            var lvms = CommandLine.lvms(product, folder);
            assertEquals(List.of(), lvms.errors());
            assertEquals(0, lvms.run("report", "--html=" + folder.resolve("page.html")).code());
            box.clear();
            product.removeCluster();
            assertEquals(List.of(), product.leftovers());
            product.uninstall();
        }
    }

    private static void everyAddressIsOfIpv6(Product product) throws Exception {
        for (var pod : product.kube().list(Types.POD, ListOptions.all()).items()) {
            var addresses = pod.objects("status", "podIPs").stream().map(KubeObject::of).toList();
            assertEquals(1, addresses.size(), pod.name());
            assertTrue(addresses.getFirst().text("ip").orElseThrow().contains(":"), pod.name());
        }
    }
}
