package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.cluster.workload.VolumeLife;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/**
 * TopoLVM's own manifests run our programs: beside the standard sidecars, which do their work over
 * our sockets; behind a scheduler that asks the extender; and, in the same cluster, without
 * sidecars, while a pod goes on.
 */
@Lasts(seconds = 400)
@FullOnly("a cluster of its own, and sidecars that take minutes")
class TopolvmChartTests {
    private static final long GIB = 1L << 30;
    private static final String FILE = "/data/file";
    private static final String WEBHOOK = "topolvm.io/webhook";
    private static final int CROWD = 60;

    private Product product;
    private TopolvmChart chart;
    private Sandbox box;

    @BeforeEach
    void itsManifests() {
        TopolvmChart.Kind.SCHEDULER.file();
        TopolvmSite.requireSidecars();
    }

    @Test
    void ourProgramsTakeItsPlaces() throws Exception {
        var folder = Path.of("out/conformance/topolvm-chart");
        var options =
                ClusterOptions.of(
                        folder.resolve("cluster"),
                        TopolvmSite.node("node1"),
                        NodeSpec.debian("node2").disks(8 * GIB, 3 * GIB));
        try (var cluster = Cluster.start(options)) {
            product = Product.on(cluster);
            chart =
                    new TopolvmChart(
                            product,
                            TopolvmChart.Kind.SCHEDULER,
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
                        () -> new Capacities(product).all().stream().anyMatch(this::ofNode2));
        lifeOfAVolume("a");
        new MoreOfCsi(product, box).all();
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

    private void extenderPlacesPods(Path folder) throws Exception {
        webhook(WEBHOOK + "-");
        capacityTracking(false);
        try (var scheduler = ExtendedScheduler.start(product, folder)) {
            fullNodesAreLeftOut();
            roomCounts(scheduler);
        }
        crowdPassesTheWebhook();
        capacityTracking(true);
        webhook(WEBHOOK + "=ignore");
    }

    private void capacityTracking(boolean on) throws Exception {
        product.kubectl(
                "patch",
                "csidriver",
                "topolvm.io",
                "--patch={\"spec\":{\"storageCapacity\":" + on + "}}");
    }

    private void fullNodesAreLeftOut() throws Exception {
        var large = scheduled("large", "5Gi");
        assertEquals("node2", nodeOf("large"));
        assertEquals(
                Long.toString(5 * GIB),
                large.annotation(Driver.TOPOLVM.capacityAnnotation(TopolvmSite.THICK)).orElse(""));
        scheduled("huge", "30Gi");
        box.awaitEvent("huge", "FailedScheduling", "2 out of VG free space");
        remove("large", "huge");
        product.patience().until("node2 has the room of the large one again", this::isNode2Empty);
    }

    private boolean isNode2Empty() throws Exception {
        return product.kube()
                .get(Types.NODE, ObjectKey.cluster("node2"))
                .annotation(Driver.TOPOLVM.capacityAnnotation(TopolvmSite.THICK))
                .filter(free -> Long.parseLong(free) > 5 * GIB)
                .isPresent();
    }

    /**
     * All else speaks for node1, since node2 is to be avoided; its room alone is for it. A node
     * with any room has at least one point.
     */
    private void roomCounts(ExtendedScheduler scheduler) throws Exception {
        product.kubectl("taint", "node", "node2", "lesser=yes:PreferNoSchedule");
        create(Pod.of("plain"));
        assertEquals("node1", nodeOf("plain"));
        scheduled("roomy", "512Mi");
        assertEquals("node2", nodeOf("roomy"));
        var points = scheduler.points("roomy");
        assertTrue(points.get("node2") > points.get("node1"), points.toString());
        divideBy(1000);
        scheduled("even", "512Mi");
        assertEquals("node1", nodeOf("even"));
        assertEquals(Map.of("node1", 1L, "node2", 1L), scheduler.points("even"));
        remove("roomy", "even");
        box.remove(Types.POD, "plain");
        product.kubectl("taint", "node", "node2", "lesser-");
    }

    /** The extender reads its file when it starts. */
    private void divideBy(int divisor) throws Exception {
        var options = "listen: \\\":9251\\\"\\ndivisors: {ssd: " + divisor + "}\\n";
        product.kubectl(
                "patch",
                "configmap",
                "topolvm-scheduler-options",
                "--namespace=" + TopolvmChart.NAMESPACE,
                "--patch={\"data\":{\"scheduler-options.yaml\":\"" + options + "\"}}");
        var extender = "daemonset/topolvm-scheduler";
        product.kubectl("rollout", "restart", "--namespace=" + TopolvmChart.NAMESPACE, extender);
        product.kubectl(
                "rollout",
                "status",
                "--namespace=" + TopolvmChart.NAMESPACE,
                extender,
                "--timeout=120s");
    }

    /** None is refused because the webhook is slow or busy. */
    private void crowdPassesTheWebhook() throws Exception {
        box.create(Claim.of("crowd", TopolvmSite.THICK_CLASS, "32Mi"));
        var pods = IntStream.range(0, CROWD).mapToObj(i -> Pod.with("crowd" + i, "crowd")).toList();
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var made =
                    threads.invokeAll(
                            pods.stream()
                                    .map(pod -> (Callable<KubeObject>) () -> create(pod))
                                    .toList());
            for (var each : made) {
                var pod = each.get();
                assertTrue(pod.toJson().contains(Driver.TOPOLVM.capacityResource()), pod.name());
            }
        }
        for (var pod : pods) {
            box.remove(Types.POD, pod.name());
        }
        box.remove(Types.PVC, "crowd");
    }

    private String nodeOf(String pod) throws Exception {
        return box.awaitReady(pod).text("spec", "nodeName").orElse("");
    }

    private void remove(String... names) throws Exception {
        for (var each : names) {
            box.remove(Types.POD, each);
            box.remove(Types.PVC, each);
        }
    }

    /** A scheduler without the extender has no node with what the webhook asks for. */
    private void webhook(String label) throws Exception {
        product.kubectl("label", "--overwrite", "namespace", box.namespace(), label);
    }

    private KubeObject scheduled(String name, String size) throws Exception {
        box.create(Claim.of(name, TopolvmSite.THICK_CLASS, size));
        return create(Pod.with(name, name));
    }

    private KubeObject create(Pod pod) throws Exception {
        var object = pod.object(box.namespace());
        return product.kube()
                .create(Types.POD, object.with(ExtendedScheduler.NAME, "spec", "schedulerName"));
    }

    private void sidecarsAreReplaced() throws Exception {
        box.start(Claim.of("stays", TopolvmSite.THICK_CLASS, "320Mi"));
        var bytes = box.write("stays", FILE, 8);
        chart.replaceSidecars();
        new Leases(product).awaitOneHolder(chart.patience());
        assertEquals(bytes, box.checksum("stays", FILE, 8));
        assertEquals(0, box.restarts("stays"));
        box.grow("stays", "384Mi");
        box.awaitCapacity("stays", "384Mi");
        box.remove(Types.POD, "stays");
        box.remove(Types.PVC, "stays");
        lifeOfAVolume("b");
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
