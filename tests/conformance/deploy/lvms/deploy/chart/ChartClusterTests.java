package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.LogicalVolume;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Patience;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.cluster.workload.VolumeLife;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/** A person installs the chart, with values as for TopoLVM's chart, and uses volumes. */
@Lasts(seconds = 180)
@FullOnly("a cluster of its own")
class ChartClusterTests {
    private static final long GIB = 1L << 30;
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final String FILE = "/data/file";

    private static final String VALUES =
            Release.VALUES
                    + """
                    \s\s- name: thin
                        storageClass:
                          volumeBindingMode: WaitForFirstConsumer
                          allowVolumeExpansion: true
                          fsType: xfs
                          additionalParameters: {topolvm.io/device-class: thin}
                    """;

    private static final String WITH_THIN =
            VALUES.replace(
                    "node: ",
                    """
                        - name: thin
                          volume-group: myvg1
                          type: thin
                          thin-pool: {name: pool0, overprovision-ratio: 5}
                    node:\s\
                    """);

    private static final String SNAPSHOT_CLASS =
            """
            apiVersion: snapshot.storage.k8s.io/v1
            kind: VolumeSnapshotClass
            metadata: {name: %s}
            driver: topolvm.io
            deletionPolicy: Delete
            """
                    .formatted(Product.THIN_CLASS);

    private final Path folder = Path.of("out/conformance/chart").toAbsolutePath();
    private Product product;
    private Release release;

    @Test
    void volumesOfAReleaseLive() throws Exception {
        var options =
                ClusterOptions.of(
                        folder.resolve("cluster"), NodeSpec.debian("node1").disks(6 * GIB));
        try (var cluster = Cluster.start(options)) {
            product = Product.on(cluster);
            release = Release.of(cluster, folder);
            cluster.node("node1")
                    .shell(
                            "mkdir -p /run/lock; vgcreate myvg1 /dev/ubdc;"
                                    + " lvcreate --type thin-pool --size 2G --name pool0 myvg1");
            apply("snapshot-class", SNAPSHOT_CLASS);
            release.apply("install", VALUES, "--create-namespace", "--wait", "--timeout=4m");
            var box = Sandbox.open(product, "app");
            box.start(Claim.of("early", "fast", "320Mi"));
            var bytes = box.write("early", FILE, 4);
            release.apply("upgrade", WITH_THIN, "--wait", "--timeout=4m");
            patience(box)
                    .until(
                            "the class that the values have now is served",
                            () ->
                                    product.kube()
                                            .get(Types.NODE, ObjectKey.cluster("node1"))
                                            .annotation("capacity.topolvm.io/thin")
                                            .isPresent());
            new VolumeLife(product, box, "fast", "thin").live("a");
            release.uninstall();
            assertEquals(bytes, box.checksum("early", FILE, 4));
            assertEquals(1, product.all(LogicalVolume.TYPE).size());
            release.apply("install", WITH_THIN, "--wait", "--timeout=4m");
            box.grow("early", "384Mi");
            box.awaitCapacity("early", "384Mi");
            assertEquals(bytes, box.checksum("early", FILE, 4));
            assertEquals(0, box.restarts("early"));
        }
    }

    private Patience patience(Sandbox box) {
        return product.patience(DEADLINE, box.namespace());
    }

    private void apply(String name, String manifest) throws IOException, InterruptedException {
        var file = Files.writeString(folder.resolve(name + ".yaml"), manifest);
        product.kubectl("apply", "--filename=" + file);
    }
}
