package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.ClusterOptions;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * A release of TopoLVM's chart becomes one of ours by {@code helm upgrade} while pods write, and
 * goes back by {@code helm rollback}: no volume is remounted, no byte differs, and users who come
 * meanwhile get what they ask for.
 */
@Lasts(seconds = 480)
@FullOnly("two installations in a cluster of its own")
class ReleaseTakeoverTests {
    private static final String OURS = "--own-sidecars";
    private static final String THEIRS = "--lvmd-socket";
    private static final List<String> NODE_PARTS = List.of(OURS, THEIRS);
    private static final String FILE = "/data/file";
    private static final ObjectKey DEFINITION = ObjectKey.cluster("logicalvolumes.topolvm.io");

    private Product product;
    private Sandbox box;
    private Apps apps;
    private TopolvmRelease release;
    private PodWebhook webhook;
    private String content;
    private String ours;

    @BeforeEach
    void itsPrograms() {
        TopolvmRelease.require();
    }

    @Test
    void theChartIsSwappedAndSwappedBackWhilePodsWrite() throws Exception {
        var folder = Path.of("out/conformance/takeover-release").toAbsolutePath();
        var options = ClusterOptions.of(folder.resolve("cluster"), TopolvmSite.node("node1"));
        try (var cluster = Cluster.start(options)) {
            product = Product.on(cluster);
            release = new TopolvmRelease(product, folder.resolve("release"), Driver.TOPOLVM);
            release.install();
            apps = Apps.start(product, "ssd", "thin");
            snapshotOfTheirs();
            webhook = PodWebhook.of(product, box, folder);
            release.protect();
            var definition = definition();
            theirsBecomesOurs();
            oursBecomesTheirs();
            release.upgrade();
            apps.requireUntouched("again");
            assertEquals(definition, definition());
        }
    }

    private void theirsBecomesOurs() throws Exception {
        var theirs = Inheritance.make(product, box, "made-by-theirs");
        whileUsersCome("helm upgrade", release::upgrade);
        requireOneNodePart(OURS);
        ours = new Leases(product).awaitOneHolder(product.patience());
        requireCapacities();
        apps.requireUntouched("ours");
        theirs.liveOn();
        restore("from-theirs", "theirs");
    }

    private void oursBecomesTheirs() throws Exception {
        box.snapshot("ours", "source");
        var made = Inheritance.make(product, box, "made-by-ours");
        whileUsersCome("helm rollback", release::rollback);
        requireOneNodePart(THEIRS);
        new Leases(product).awaitOthers(ours, product.patience());
        requireCapacities();
        apps.requireUntouched("theirs");
        made.liveOn();
        restore("from-ours", "ours");
    }

    private interface Change {
        void make() throws Exception;
    }

    private void whileUsersCome(String name, Change change) throws Exception {
        webhook.begin();
        var arrivals = Arrivals.begin(product, TopolvmSite.THICK_CLASS);
        long began = System.nanoTime();
        change.make();
        long seconds = Duration.ofNanos(System.nanoTime() - began).toSeconds();
        var waits = arrivals.end();
        var refused = webhook.end();
        System.out.printf(
                "%s took %d s: %s; the webhook of pods refused for %d s%n",
                name, seconds, waits, refused.toSeconds());
    }

    private void requireCapacities() throws Exception {
        for (var each : List.of(TopolvmSite.THICK_CLASS, TopolvmSite.THIN_CLASS)) {
            new Capacities(product).awaitOneOf(each);
        }
    }

    private void snapshotOfTheirs() throws Exception {
        box = Sandbox.open(product, "copies");
        box.start(Claim.of("source", TopolvmSite.THIN_CLASS, "320Mi"));
        content = box.write("source", FILE, 4);
        box.run("source", "sync");
        box.snapshot("theirs", "source");
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
