package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.LvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import org.junit.jupiter.api.Test;

import java.util.List;

/**
 * An LVMCluster that is deleted goes when nothing uses it any more, and takes everything with it;
 * what was installed then goes as well. Whoever comes next installs again.
 */
class UninstallTests {
    private static final int MIB = 4;

    @Test
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
}
