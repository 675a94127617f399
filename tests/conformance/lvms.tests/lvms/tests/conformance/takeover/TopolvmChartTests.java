package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.Driver;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.Programs;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.cluster.workload.VolumeLife;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * TopoLVM's own manifests run our programs: beside the standard sidecars, which do their work over
 * our sockets; behind a scheduler that asks the extender; and, in the same cluster, without
 * sidecars, while a pod goes on.
 */
@Lasts(seconds = 400)
@EnabledIfSystemProperty(
        named = "lvms.full",
        matches = "true",
        disabledReason = "only with --full: a cluster of its own, and sidecars that take minutes")
class TopolvmChartTests {
    private static final long GIB = 1L << 30;
    private static final String FILE = "/data/file";
    private static final String WEBHOOK = "topolvm.io/webhook";
    private static final String SCHEDULER = "with-extender";
    private static final List<String> LEASES =
            List.of(
                    "topolvm",
                    "topolvm-io",
                    "external-resizer-topolvm-io",
                    "external-snapshotter-leader-topolvm-io");
    private static final String SCHEDULER_CONFIG =
            """
            apiVersion: kubescheduler.config.k8s.io/v1
            kind: KubeSchedulerConfiguration
            leaderElection: {leaderElect: false}
            clientConnection: {kubeconfig: "%s"}
            profiles: [{schedulerName: %s}]
            extenders:
              - urlPrefix: http://%s:9251
                filterVerb: predicate
                prioritizeVerb: prioritize
                nodeCacheCapable: false
                weight: 1
                managedResources: [{name: topolvm.io/capacity, ignoredByScheduler: true}]
            """;

    private Product product;
    private TopolvmChart chart;
    private Sandbox box;

    @BeforeEach
    void itsManifests() {
        assumeTrue(
                Files.exists(TopolvmChart.Rendered.SCHEDULER.file()),
                "needs TopoLVM's manifests in " + PeerLvms.FOLDER);
    }

    @Test
    void ourProgramsTakeItsPlaces() throws Exception {
        var folder = Path.of("out/conformance/topolvm-chart");
        var options =
                ClusterOptions.twoNodes(folder.resolve("cluster"))
                        .nodes(
                                List.of(
                                        NodeSpec.debian("node1").disks(4 * GIB, 3 * GIB),
                                        NodeSpec.debian("node2").disks(8 * GIB, 3 * GIB)));
        try (var cluster = Cluster.start(options)) {
            product = Product.on(cluster);
            chart =
                    new TopolvmChart(
                            product,
                            TopolvmChart.Rendered.SCHEDULER,
                            folder.resolve("chart").toAbsolutePath());
            chart.install();
            box = Sandbox.open(product, "app");
            webhook(WEBHOOK + "=ignore");
            standardSidecarsWork();
            extenderPlacesPods(folder.toAbsolutePath());
            sidecarsAreReplaced();
            deletedNodeTakesItsClaims();
        }
    }

    private void standardSidecarsWork() throws Exception {
        chart.patience()
                .until(
                        "external-provisioner publishes the capacity",
                        () -> capacities().stream().anyMatch(this::ofNode2));
        lifeOfAVolume("a");
    }

    private List<KubeObject> capacities() throws Exception {
        return product.kube().list(Types.CSI_STORAGE_CAPACITY, ListOptions.all()).items();
    }

    private boolean ofNode2(KubeObject capacity) {
        return capacity.toJson().contains("\"node2\"")
                && !capacity.text("capacity").orElse("0").equals("0");
    }

    private void lifeOfAVolume(String name) throws Exception {
        new VolumeLife(product, box, TopolvmSite.THICK_CLASS, TopolvmSite.THIN_CLASS).live(name);
        for (var each : product.cluster().nodes()) {
            assertEquals("pool0", each.shell("lvs --noheadings --options lv_name").strip());
        }
    }

    /** A scheduler of its own asks, since the cluster's was there before any node. */
    private void extenderPlacesPods(Path folder) throws Exception {
        webhook(WEBHOOK + "-");
        product.kubectl(
                "patch",
                "csidriver",
                "topolvm.io",
                "--patch={\"spec\":{\"storageCapacity\":false}}");
        var config =
                Files.writeString(
                        folder.resolve("scheduler.yaml"),
                        SCHEDULER_CONFIG.formatted(
                                product.cluster().kubeconfig(),
                                SCHEDULER,
                                product.cluster().node("node1").address()));
        var scheduler =
                new ProcessBuilder(
                                "setpriv",
                                "--pdeathsig",
                                "KILL",
                                "nsenter",
                                "--net=" + product.cluster().networkNamespace(),
                                Programs.find()
                                        .kubernetes(Programs.NEWEST, "kube-scheduler")
                                        .toString(),
                                "--config=" + config,
                                "--secure-port=0")
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("scheduler.log").toFile())
                        .start();
        try {
            var large = scheduled("large", "5Gi");
            assertEquals("node2", box.awaitReady("large").text("spec", "nodeName").orElse(""));
            assertEquals(
                    Long.toString(5 * GIB),
                    large.annotation(Driver.TOPOLVM.capacityAnnotation(TopolvmSite.THICK))
                            .orElse(""));
            scheduled("huge", "30Gi");
            box.awaitEvent("huge", "FailedScheduling", "2 out of VG free space");
            for (var each : List.of("large", "huge")) {
                box.remove(Types.POD, each);
                box.remove(Types.PVC, each);
            }
        } finally {
            scheduler.destroy();
            scheduler.waitFor();
        }
        product.kubectl(
                "patch",
                "csidriver",
                "topolvm.io",
                "--patch={\"spec\":{\"storageCapacity\":true}}");
        webhook(WEBHOOK + "=ignore");
    }

    /** A scheduler without the extender has no node with what the webhook asks for. */
    private void webhook(String label) throws Exception {
        product.kubectl("label", "--overwrite", "namespace", box.namespace(), label);
    }

    private KubeObject scheduled(String name, String size) throws Exception {
        box.create(Claim.of(name, TopolvmSite.THICK_CLASS, size));
        return product.kube()
                .create(
                        Types.POD,
                        Pod.with(name, name)
                                .object(box.namespace())
                                .with(SCHEDULER, "spec", "schedulerName"));
    }

    private void sidecarsAreReplaced() throws Exception {
        box.start(Claim.of("stays", TopolvmSite.THICK_CLASS, "320Mi"));
        var bytes = box.write("stays", FILE, 8);
        chart.replaceSidecars();
        chart.patience()
                .until(
                        "one process holds all Leases",
                        () ->
                                !chart.holder("topolvm").isEmpty()
                                        && LEASES.stream().map(this::holder).distinct().count()
                                                == 1);
        assertEquals(bytes, box.checksum("stays", FILE, 8));
        assertEquals(0, box.restarts("stays"));
        box.grow("stays", "384Mi");
        box.awaitCapacity("stays", "384Mi");
        box.remove(Types.POD, "stays");
        box.remove(Types.PVC, "stays");
        lifeOfAVolume("b");
    }

    private String holder(String lease) {
        try {
            return chart.holder(lease);
        } catch (Exception e) {
            throw new IllegalStateException(e); // asked again
        }
    }

    /** The claims go with their Node; the data stay on its disks. */
    private void deletedNodeTakesItsClaims() throws Exception {
        var claim = Claim.of("gone", TopolvmSite.THICK_CLASS, "320Mi");
        box.create(claim);
        box.create(Pod.with("gone", "gone").on("node2"));
        box.awaitReady("gone");
        var volume = box.logicalVolumeOf("gone").object().uid();
        product.kubectl("drain", "node2", "--ignore-daemonsets", "--force", "--timeout=120s");
        product.kubectl("delete", "node", "node2", "--wait=false");
        box.awaitGone(Types.PVC, "gone");
        chart.patience()
                .until(
                        "the Node is gone",
                        () ->
                                product.kube()
                                        .find(Types.NODE, ObjectKey.cluster("node2"))
                                        .isEmpty());
        assertTrue(
                product.cluster()
                        .node("node2")
                        .shell("lvs --noheadings --options lv_name myvg1")
                        .contains(volume));
    }
}
