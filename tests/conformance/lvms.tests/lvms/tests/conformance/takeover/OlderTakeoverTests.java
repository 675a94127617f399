package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Peers;
import lvms.tests.runner.Peers.Program;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.nio.file.Path;
import java.util.List;

/**
 * LVMS up to 4.15, which ran TopoLVM's programs in workloads of its own, is taken over with volumes
 * that pods have mounted and write to, and given back: no volume is remounted, no byte differs, and
 * at no time do two node parts serve one driver.
 */
@Lasts(seconds = 340)
@EnabledIfSystemProperty(
        named = "lvms.full",
        matches = "true",
        disabledReason = "only with --full: two installations in a cluster of its own")
class OlderTakeoverTests {
    private static final String NAMESPACE = "openshift-storage";
    private static final String OURS = "/lvms-vgmanager";
    private static final String THEIRS = "--embed-lvmd";
    private static final List<String> NODE_PARTS = List.of(OURS, THEIRS);

    @BeforeEach
    void itsPrograms() {
        PeerLvms.manifests();
        Peers.find().require(Program.HYPERTOPOLVM, Program.NODE_DRIVER_REGISTRAR);
    }

    /** As 4.14 and 4.15 left it. */
    @Test
    void oneWithLabelsIsTakenOverAndGivenBackWhilePodsWrite() throws Exception {
        var folder = Path.of("out/conformance/takeover-older");
        try (var cluster = Cluster.start(options(folder))) {
            var product = Product.on(cluster);
            var lvms = new OlderLvms(product, NAMESPACE, true, folder.resolve("peer"));
            lvms.install();
            var apps = Apps.start(product, "vg1", "vg2");
            var handover = new Handover(product, NAMESPACE);
            take(product, handover);
            apps.requireUntouched("ours");
            handover.back(line -> actAsItsOperator(lvms, line));
            lvms.awaitWorkloads();
            lvms.awaitRegistered();
            requireOneNodePart(product, THEIRS);
            apps.requireUntouched("theirs");
            take(product, handover);
            handover.confirm();
            apps.requireUntouched("confirmed");
            requireNothingLeft(product);
        }
    }

    /** As 4.12 and 4.13 left it. */
    @Test
    void oneWithoutLabelsIsTakenOverWhilePodsWrite() throws Exception {
        var folder = Path.of("out/conformance/takeover-oldest");
        try (var cluster = Cluster.start(options(folder))) {
            var product = Product.on(cluster);
            new OlderLvms(product, NAMESPACE, false, folder.resolve("peer")).install();
            var apps = Apps.start(product, "vg1", "vg2");
            var handover = new Handover(product, NAMESPACE);
            take(product, handover);
            apps.requireUntouched("ours");
            handover.confirm();
            requireNothingLeft(product);
        }
    }

    private static ClusterOptions options(Path folder) {
        return ClusterOptions.of(folder.resolve("cluster"), NodeSpec.debian("node1"));
    }

    private static void take(Product product, Handover handover) throws Exception {
        handover.take();
        product.patience()
                .untilNothingMissing(
                        "LVMCluster is Ready",
                        () ->
                                product
                                        .kube()
                                        .list(LvmCluster.TYPE, ListOptions.all())
                                        .items()
                                        .stream()
                                        .filter(
                                                c ->
                                                        !c.text("status", "state")
                                                                .orElse("")
                                                                .equals("Ready"))
                                        .map(c -> c.object("status").toString())
                                        .findFirst()
                                        .orElse(""));
        requireOneNodePart(product, OURS);
    }

    /** Whoever serves the driver on the node has the only socket there, and the only pod. */
    private static void requireOneNodePart(Product product, String program) throws Exception {
        var sockets = "ls /var/lib/kubelet/plugins_registry | grep topolvm";
        assertEquals("topolvm.io-reg.sock", product.cluster().node("node1").shell(sockets).strip());
        var pods = product.kube().list(Types.POD, ListOptions.all().namespace(NAMESPACE)).items();
        var serving =
                pods.stream()
                        .map(pod -> pod.json().toString())
                        .flatMap(pod -> NODE_PARTS.stream().filter(pod::contains))
                        .toList();
        assertEquals(List.of(program), serving);
    }

    private static void actAsItsOperator(OlderLvms lvms, String line) {
        try {
            if (line.startsWith("wait until DaemonSet " + NAMESPACE + "/vg-manager")) {
                lvms.restoreAgents();
            }
        } catch (Exception e) {
            throw new AssertionError(line, e);
        }
    }

    private static void requireNothingLeft(Product product) throws Exception {
        var kinds =
                "deployments,daemonsets,services,serviceaccounts,roles,rolebindings,leases,"
                        + "clusterroles,clusterrolebindings,csistoragecapacities";
        var left =
                product.kubectl("get", kinds, "--namespace=" + NAMESPACE, "--output=name")
                        .lines()
                        .filter(name -> name.contains("topolvm"))
                        .toList();
        assertTrue(
                left.stream().allMatch("lease.coordination.k8s.io/1136b8a6.topolvm.io"::equals),
                left.toString());
    }
}
