package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Types;
import lvms.tests.cluster.Cluster;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.CommandLine;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * An LVMCluster that is deleted goes when nothing uses it any more, and takes everything with it;
 * what was installed then goes as well. Whoever comes next looks at the disks, and installs again.
 */
@Lasts(seconds = 30)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
class UninstallTests {
    private static final int MIB = 4;
    private static final Pattern IMAGE = Pattern.compile("image: (localhost/lvms:\\S+)");

    @TempDir private Path folder;

    @Test
    @Order(1)
    void aClusterWithVolumesStaysAndSaysWhyAndOneWithoutLeavesNothing() throws Exception {
        var product = Product.shared();
        var box = Sandbox.open(product, "uninstall");
        box.start(Claim.of("app", Product.THICK_CLASS, "32Mi"));
        var written = box.write("app", "/data/file", MIB);
        product.kube().delete(LvmCluster.TYPE, Product.LVM_CLUSTER, DeleteOptions.any());
        awaitRefusal(product, box.namespace() + "/app");
        assertEquals(written, box.checksum("app", "/data/file", MIB));
        assertTrue(product.kube().find(LvmCluster.TYPE, Product.LVM_CLUSTER).isPresent());
        box.clear();
        product.uninstall();
        assertEquals(List.of(), Traces.inCluster(product));
        assertEquals(List.of(), Traces.onNodes(product));
    }

    private static void awaitRefusal(Product product, String claim) throws Exception {
        product.patience()
                .untilNothingMissing(
                        "event that names " + claim,
                        () -> {
                            var notes = refusals(product);
                            return notes.stream().anyMatch(note -> note.contains(claim))
                                    ? ""
                                    : notes.toString();
                        });
    }

    private static List<String> refusals(Product product)
            throws ApiException, InterruptedException {
        var inSystem = ListOptions.all().namespace(Product.SYSTEM);
        return product.kube().list(Types.EVENT, inSystem).items().stream()
                .filter(event -> event.text("reason").orElse("").equals("DeletionPending"))
                .map(event -> event.text("note").orElse(""))
                .toList();
    }

    /** There is no agent that has looked, and no operator whose image the pods could have. */
    @Test
    @Order(2)
    void disksAreShownBeforeAnythingIsInstalled() throws Exception {
        var product = withoutInstallation();
        var lvms = CommandLine.lvms(product, folder);
        var file = Files.writeString(folder.resolve("c.yaml"), Product.lvmCluster().toJson());
        var writes = sectorsWritten(product);
        var said = lvms.run("disks", "-f=" + file, "--image=" + image());
        assertEquals(List.of("", 0), List.of(said.err(), said.code()), said::out);
        assertEquals(List.of(), diskPods(product));
        for (var node : product.cluster().nodes()) {
            for (var taken :
                    List.of("thin +" + node + " +/dev/ubdc", "thick +" + node + " +/dev/ubdd")) {
                assertTrue(
                        said.out().matches("(?s).*\n" + taken + " +4GiB +- +taken .*"), said::out);
            }
        }
        assertEquals(List.of(), Traces.onNodes(product));
        assertEquals(writes, sectorsWritten(product));

        var interrupted = lvms.begin("disks", "--image=" + image());
        product.patience().until("a pod looks", () -> !diskPods(product).isEmpty());
        interrupted.destroy(); // as Ctrl-C, which a process in the background ignores
        assertEquals(143, lvms.end(interrupted).code());
        assertEquals(List.of(), diskPods(product));

        for (var command : List.of("doctor", "status")) {
            said = lvms.run(command);
            assertEquals(1, said.code(), said::out);
            assertEquals(1, said.err().lines().count(), said::err);
            assertTrue(said.err().contains("\"kubectl apply -k deploy\" installs"), said::err);
        }
    }

    private static Product withoutInstallation() throws Exception {
        var product = Product.on(Cluster.shared());
        if (!product.clusterState().isEmpty()) {
            product.uninstall();
        }
        for (var node : product.cluster().nodes()) {
            node.shell("rm --force /dev/termination-log"); // agents left it; a new host has none
        }
        return product;
    }

    private static String image() throws Exception {
        var matcher = IMAGE.matcher(Files.readString(Path.of("deploy/base/operator.yaml")));
        assertTrue(matcher.find());
        return matcher.group(1);
    }

    private static List<String> diskPods(Product product) throws Exception {
        var selector = ListOptions.all().labels("app.kubernetes.io/name=lvms-disks");
        return product.kube().list(Types.POD, selector).items().stream()
                .map(pod -> pod.key().toString())
                .toList();
    }

    /** The kernel counts what was written to each disk. */
    private static List<String> sectorsWritten(Product product) throws Exception {
        var written = new ArrayList<String>();
        for (var node : product.cluster().nodes()) {
            for (var disk : List.of("ubdc", "ubdd")) {
                written.add(node.shell("awk '{print $7}' /sys/block/" + disk + "/stat").strip());
            }
        }
        return written;
    }
}
