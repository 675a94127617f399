package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.operator.uninstall.Uninstallation;
import lvms.operator.uninstall.Wishes;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * Whatever is deleted first in a cluster with a volume in use: it is refused with the reason, or it
 * waits, and the right order after that leaves nothing, neither in the cluster nor on the disks.
 */
@Safety(39)
@Lasts(seconds = 240)
@FullOnly("each order takes two minutes")
class RemovalOrderTests {
    private static final String APP = "app";
    private static final Duration PATIENCE = Duration.ofMinutes(4);

    @ParameterizedTest
    @ValueSource(
            strings = {
                "manifests cluster pod claim",
                "cluster manifests claim namespace pod",
                "namespace pod manifests claim cluster",
                "claim cluster namespace pod manifests",
                "pod manifests namespace cluster claim",
                "cluster claim pod namespace manifests",
            })
    void itIsRefusedWithTheReasonOrEndsClean(String order) throws Exception {
        var product = Product.shared();
        var box = Sandbox.open(product, "order");
        box.start(Claim.of(APP, Product.THICK_CLASS, "32Mi"));
        awaitGuard(product);
        for (var what : order.split(" ")) {
            for (var reason : delete(product, box, what)) {
                assertTrue(reason.contains("still exists; delete "), reason);
            }
        }
        product.patience()
                .until(
                        "LVMCluster is gone",
                        () -> product.kube().find(LvmCluster.TYPE, Product.LVM_CLUSTER).isEmpty());
        product.patience()
                .until(
                        "what was refused goes",
                        () ->
                                product.cluster()
                                        .kubectl("delete", "-k", "deploy", "--ignore-not-found")
                                        .succeeded());
        product.kubectl("delete", "-k", "deploy/guard");
        box.clear();
        assertEquals(List.of(), Traces.inCluster(product));
        assertEquals(List.of(), Traces.onNodes(product));
    }

    /**
     * The API server looks for new types, and for the objects of a type that came back, at times.
     */
    private static void awaitGuard(Product product) throws Exception {
        product.patience()
                .until(
                        "the guard is in force",
                        () ->
                                product.cluster()
                                        .kubectl("delete", "-k", "deploy", "--dry-run=server")
                                        .err()
                                        .contains("still exists; delete "));
    }

    /** Returns why it was refused. */
    private static List<String> delete(Product product, Sandbox box, String what) throws Exception {
        switch (what) {
            case "pod" -> box.delete(Types.POD, APP);
            case "claim" -> box.delete(Types.PVC, APP);
            case "cluster" ->
                    product.kube()
                            .delete(LvmCluster.TYPE, Product.LVM_CLUSTER, DeleteOptions.any());
            case "manifests" -> {
                var run = product.cluster().kubectl("delete", "-k", "deploy", "--wait=false");
                return run.err().lines().filter(line -> line.contains("Error")).toList();
            }
            case "namespace" -> {
                try {
                    product.kube()
                            .delete(
                                    Types.NAMESPACE,
                                    ObjectKey.cluster(Product.SYSTEM),
                                    DeleteOptions.any());
                } catch (ApiException.Forbidden e) {
                    return List.of(e.getMessage());
                }
            }
            default -> throw new AssertionError(what);
        }
        return List.of();
    }

    @Test
    void uninstallGetsOutOfANamespaceThatTerminatesForEver() throws Exception {
        var product = Product.shared();
        product.kubectl("delete", "-k", "deploy/guard");
        product.kubectl("delete", "-k", "deploy", "--wait=false");
        var stuck = Uninstallation.plan(product.kube(), wishes(Wishes.Disks.BLANK));
        assertTrue(
                stuck.obstacles().toString().contains("no node agent can blank the disks"),
                stuck.obstacles().toString());
        run(product, Wishes.Disks.KEEP);
        assertEquals(List.of(), Traces.inCluster(product));
        // the way to blank disks
        product.install();
        run(product, Wishes.Disks.BLANK);
        assertEquals(List.of(), Traces.inCluster(product));
        assertEquals(List.of(), Traces.onNodes(product));
    }

    @Test
    void uninstallTakesNoVolumeThatIsUsedAndThenEverything() throws Exception {
        var product = Product.shared();
        var box = Sandbox.open(product, "uninstall-used");
        box.start(Claim.of(APP, Product.THIN_CLASS, "320Mi"));
        var written = box.write(APP, "/data/file", 4);
        var used = Uninstallation.plan(product.kube(), wishes(Wishes.Disks.KEEP));
        assertTrue(used.obstacles().toString().contains("pods use volume"));
        assertEquals(written, box.checksum(APP, "/data/file", 4));
        box.clear();
        run(product, Wishes.Disks.BLANK);
        assertEquals(List.of(), Traces.inCluster(product));
        assertEquals(List.of(), Traces.onNodes(product));
    }

    private static Wishes wishes(Wishes.Disks disks) {
        return new Wishes(disks, Set.of(), Set.of());
    }

    private static void run(Product product, Wishes.Disks disks) throws Exception {
        product.patience()
                .until(
                        "nothing is in the way",
                        () ->
                                Uninstallation.plan(product.kube(), wishes(disks))
                                        .obstacles()
                                        .isEmpty());
        var said = new ArrayList<String>();
        Uninstallation.plan(product.kube(), wishes(disks)).run(PATIENCE, said::add);
        assertTrue(said.size() > 10, said.toString());
    }
}
