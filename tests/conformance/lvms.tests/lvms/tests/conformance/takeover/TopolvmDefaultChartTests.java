package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.cluster.workload.VolumeLife;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.List;

/**
 * What TopoLVM's chart renders by default runs with another image and nothing else changed: lvmd in
 * a DaemonSet of its own, the node service on its socket, and the standard sidecars.
 */
@Lasts(seconds = 300)
@FullOnly("a cluster of its own")
class TopolvmDefaultChartTests {
    private static final List<String> OURS = List.of("lvmd", "topolvm-node", "topolvm-controller");

    @BeforeEach
    void itsManifests() {
        TopolvmChart.Kind.DEFAULT.file();
        TopolvmSite.requireSidecars();
    }

    @Test
    void onlyTheImageIsAnother() throws Exception {
        var folder = Path.of("out/conformance/topolvm-default");
        var options =
                ClusterOptions.of(
                        folder.resolve("cluster"),
                        TopolvmSite.node("node1"),
                        TopolvmSite.node("node2"));
        try (var cluster = Cluster.start(options)) {
            var product = Product.on(cluster);
            var chart =
                    new TopolvmChart(
                            product,
                            TopolvmChart.Kind.DEFAULT,
                            folder.resolve("chart").toAbsolutePath());
            chart.install();
            var box = Sandbox.open(product, "app");
            new VolumeLife(product, box, TopolvmSite.THICK_CLASS, TopolvmSite.THIN_CLASS).live("a");
            assertEquals(
                    "",
                    product.kubectl(system("exec", "daemonset/topolvm-lvmd-0 -- /lvmd health")));
            var said = product.kubectl(system("logs", "daemonset/topolvm-node -c topolvm-node"));
            assertTrue(
                    said.contains("this cluster lets topolvm-node write about other nodes"), said);
            assertEquals(List.of(), restarted(product));
        }
    }

    private static String[] system(String verb, String words) {
        return (verb + " --namespace=" + TopolvmChart.NAMESPACE + " " + words).split(" ");
    }

    /** Probes of TopoLVM's manifests kill no program of ours. */
    private static List<String> restarted(Product product) throws Exception {
        var pods =
                product.kube()
                        .list(Types.POD, ListOptions.all().namespace(TopolvmChart.NAMESPACE))
                        .items();
        return pods.stream()
                .flatMap(pod -> pod.objects("status", "containerStatuses").stream())
                .map(KubeObject::of)
                .filter(container -> OURS.contains(container.text("name").orElse("")))
                .filter(container -> container.number("restartCount").orElse(0) > 0)
                .map(KubeObject::toJson)
                .toList();
    }
}
