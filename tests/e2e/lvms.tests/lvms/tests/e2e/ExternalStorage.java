package lvms.tests.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.Programs;
import lvms.tests.cluster.ginkgo.Case;
import lvms.tests.cluster.ginkgo.GinkgoReport;
import lvms.tests.cluster.workload.Product;
import lvms.tests.lab.machine.HostProgram;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;

/** Runs the suite with one definition of the driver. */
public abstract class ExternalStorage {
    /** Names of StorageClasses whose volumes are all on one node, thin ones and thick ones. */
    protected static final String ONE_NODE = "e2e-one-node";

    protected static final String ONE_NODE_THICK = "e2e-one-node-thick";

    /** Name of a StorageClass whose thin volumes do not wait for a pod. */
    protected static final String AT_ONCE = "e2e-at-once";

    private static final Path FOLDER = Path.of("out/e2e");
    private static final long DISK_BYTES = 16L << 30;
    private static final Duration SETTLED = Duration.ofSeconds(120);
    private static Product product;

    private final DriverDefinition driver;

    protected ExternalStorage(DriverDefinition driver) {
        this.driver = driver;
    }

    /** The product on a cluster of two nodes with larger disks; both end with this process. */
    private static synchronized Product product() throws Exception {
        if (product == null) {
            var nodes = NodeSpec.alternating(2).stream();
            var options =
                    ClusterOptions.twoNodes(FOLDER.resolve("cluster"))
                            .nodes(nodes.map(n -> n.disks(DISK_BYTES, DISK_BYTES)).toList());
            product = Product.on(Cluster.start(options));
            product.install();
            product.kube().create(Types.VOLUME_ATTRIBUTES_CLASS, attributes());
            product.kube().create(Types.STORAGE_CLASS, ofOneNode(ONE_NODE, Product.THIN_CLASS));
            product.kube()
                    .create(Types.STORAGE_CLASS, ofOneNode(ONE_NODE_THICK, Product.THICK_CLASS));
            var atOnce = storageClass(AT_ONCE, Product.THIN_CLASS, "Immediate");
            product.kube().create(Types.STORAGE_CLASS, atOnce);
        }
        return product;
    }

    private static KubeObject attributes() {
        var name = ObjectKey.cluster(DriverDefinition.ATTRIBUTES);
        return KubeObject.create(Types.VOLUME_ATTRIBUTES_CLASS, name)
                .with(Driver.TOPOLVM.name(), "driverName")
                .with("1Mi", "parameters", Driver.TOPOLVM.name() + "/read-ahead");
    }

    private static KubeObject ofOneNode(String name, String like) throws Exception {
        var nodes =
                Yaml.read(
                        "[{matchLabelExpressions: [{key: %s, values: [node1]}]}]"
                                .formatted(Driver.TOPOLVM.topologyKey()));
        return storageClass(name, like, "WaitForFirstConsumer").with(nodes, "allowedTopologies");
    }

    private static KubeObject storageClass(String name, String like, String binding)
            throws Exception {
        var model = product.kube().get(Types.STORAGE_CLASS, ObjectKey.cluster(like));
        return KubeObject.create(Types.STORAGE_CLASS, ObjectKey.cluster(name))
                .with(Driver.TOPOLVM.name(), "provisioner")
                .with(model.object("parameters").orElseThrow(), "parameters")
                .with(binding, "volumeBindingMode")
                .with(true, "allowVolumeExpansion");
    }

    @Test
    void passesAllThatItDeclares() throws Exception {
        assumeTrue(Boolean.getBoolean("lvms.full"), "only with --full");
        var report = runSuite();
        print(report);
        assertEquals(List.of(), report.in(Case.State.FAILED));
        assertEquals(
                List.of(),
                skipped(report).stream().filter(c -> SkippedSpecs.reason(c).isEmpty()).toList());
        assertFalse(passed(report).isEmpty(), "no spec ran");
        product().checker().awaitAgreement(SETTLED);
    }

    private GinkgoReport runSuite() throws Exception {
        var folder = FOLDER.resolve(getClass().getPackageName().replaceFirst(".*\\.", ""));
        HostProgram.run(List.of("rm", "--recursive", "--force", folder.toString()));
        Files.createDirectories(folder);
        var suite = new Suite(Programs.find(), folder);
        TestImages.writeRegistries(folder.resolve("registries.yaml"));
        var cluster = product().cluster();
        TestImages.loadInto(cluster, suite.images());
        return suite.run(cluster, driver, System.getProperty("lvms.focus", ""));
    }

    /** Each failure with its first line, each reason for a skip with how often, and the sums. */
    private void print(GinkgoReport report) {
        System.out.println();
        for (var failed : report.in(Case.State.FAILED)) {
            System.out.println("  failed: " + failed.toString().lines().findFirst().orElse(""));
        }
        var reasons = new TreeMap<String, Integer>();
        for (var skipped : skipped(report)) {
            reasons.merge(
                    SkippedSpecs.reason(skipped).orElse("UNEXPECTED: " + skipped), 1, Integer::sum);
        }
        reasons.forEach((reason, times) -> System.out.printf("  %4d skipped: %s%n", times, reason));
        System.out.println("  left out: " + SkippedSpecs.LEFT_OUT.replace('.', ' '));
        System.out.printf(
                "  %d passed, %d failed, %d skipped%n",
                passed(report).size(), report.in(Case.State.FAILED).size(), skipped(report).size());
    }

    /** Returns the specs alone, not what ginkgo runs before and after all. */
    private static List<Case> passed(GinkgoReport report) {
        return report.in(Case.State.PASSED).stream()
                .filter(c -> c.name().startsWith("External Storage"))
                .toList();
    }

    /** Returns the specs that skipped themselves, not those that are outside of the focus. */
    private static List<Case> skipped(GinkgoReport report) {
        return report.in(Case.State.SKIPPED).stream().filter(c -> !c.message().isEmpty()).toList();
    }
}
