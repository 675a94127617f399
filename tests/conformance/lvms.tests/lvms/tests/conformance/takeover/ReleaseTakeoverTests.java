package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.takeover.Takeover;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.NodeSpec;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A release of TopoLVM's chart becomes one of ours by {@code helm upgrade} while pods write, and
 * goes back by {@code helm rollback}: no volume is remounted, and no byte differs.
 */
@Lasts(seconds = 400)
@EnabledIfSystemProperty(
        named = "lvms.full",
        matches = "true",
        disabledReason = "only with --full: two installations in a cluster of its own")
class ReleaseTakeoverTests {
    private static final long GIB = 1L << 30;
    private static final String OURS = "--own-sidecars";
    private static final String THEIRS = "--lvmd-socket";
    private static final List<String> NODE_PARTS = List.of(OURS, THEIRS);
    private static final String FILE = "/data/file";
    private static final ObjectKey DEFINITION = ObjectKey.cluster("logicalvolumes.topolvm.io");

    private Product product;
    private Sandbox box;
    private String content;

    @BeforeEach
    void itsPrograms() {
        assumeTrue(
                Files.exists(PeerLvms.FOLDER.resolve("hypertopolvm.xz")),
                "needs TopoLVM itself in " + PeerLvms.FOLDER);
    }

    @Test
    void theChartIsSwappedAndSwappedBackWhilePodsWrite() throws Exception {
        var folder = Path.of("out/conformance/takeover-release").toAbsolutePath();
        var options =
                ClusterOptions.twoNodes(folder.resolve("cluster"))
                        .nodes(List.of(NodeSpec.debian("node1").disks(4 * GIB, 3 * GIB)));
        try (var cluster = Cluster.start(options)) {
            product = Product.on(cluster);
            var release = new TopolvmRelease(product, folder.resolve("release"));
            release.install();
            var apps = Apps.start(product, "ssd", "thin");
            snapshotOfTheirs();
            protect();
            var definition = definition();
            release.upgrade();
            requireOneNodePart(OURS);
            apps.requireUntouched("ours");
            restore("from-theirs", "theirs");
            box.snapshot("ours", "source");
            release.rollback();
            requireOneNodePart(THEIRS);
            apps.requireUntouched("theirs");
            restore("from-ours", "ours");
            release.upgrade();
            apps.requireUntouched("again");
            assertEquals(definition, definition());
        }
    }

    private void snapshotOfTheirs() throws Exception {
        box = Sandbox.open(product, "copies");
        box.start(Claim.of("source", TopolvmSite.THIN_CLASS, "320Mi"));
        content = box.write("source", FILE, 4);
        box.run("source", "sync");
        box.snapshot("theirs", "source");
    }

    /** What the plan calls a danger is taken away by the command, as an administrator does it. */
    private void protect() throws Exception {
        var takeover = new Takeover(product.kube(), "topolvm", "topolvm-system");
        var plan = takeover.plan();
        assertEquals(List.of(), plan.obstacles());
        var notes = String.join("\n", plan.notes());
        assertTrue(notes.contains("DANGER"), notes);
        takeover.run(plan, Duration.ofMinutes(1), System.out::println);
        var left = String.join("\n", takeover.plan().notes());
        assertTrue(!left.contains("DANGER"), left);
    }

    private String definition() throws Exception {
        return product.kube().get(Types.CRD, DEFINITION).uid();
    }

    private void restore(String name, String snapshot) throws Exception {
        box.create(Claim.of(name, TopolvmSite.THIN_CLASS, "320Mi").ofSnapshot(snapshot));
        box.create(Pod.with(name, name).on("node1"));
        box.awaitReady(name);
        assertEquals(content, box.checksum(name, FILE, 4));
    }

    private void requireOneNodePart(String flag) throws Exception {
        var node = product.cluster().node("node1");
        product.patience()
                .until(
                        "kubelet has the socket of one agent",
                        () -> List.of("topolvm.io-reg.sock").equals(registrations(node)));
        var commands = node.shell("pgrep --full --list-full topolvm-node || true");
        var serving = NODE_PARTS.stream().filter(commands::contains).toList();
        assertEquals(List.of(flag), serving, commands);
    }

    private static List<String> registrations(ClusterNode node) throws Exception {
        return node.shell("ls /var/lib/kubelet/plugins_registry").lines().toList();
    }
}
