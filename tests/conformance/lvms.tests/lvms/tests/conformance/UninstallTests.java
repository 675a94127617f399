package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LvmCluster;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import org.junit.jupiter.api.Test;

import java.util.ArrayList;
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
        assertEquals(List.of(), traces(product));
        assertEquals(List.of(), tracesOnNodes(product));
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

    /** Every object of ours that is left, and every word of ours in those of others. */
    private static List<String> traces(Product product) throws ApiException, InterruptedException {
        var left = new ArrayList<String>();
        for (var type : kinds()) {
            for (var object : product.all(type)) {
                if (ours(object)) {
                    left.add(type.kind() + " " + object.key());
                }
            }
        }
        return left;
    }

    private static List<ResourceType> kinds() {
        return List.of(
                Types.NAMESPACE,
                Types.CRD,
                Types.STORAGE_CLASS,
                Types.VOLUME_SNAPSHOT_CLASS,
                Types.CSI_DRIVER,
                Types.CSI_NODE,
                Types.CSI_STORAGE_CAPACITY,
                Types.NODE,
                Types.PV,
                rbac("ClusterRole", "clusterroles"),
                rbac("ClusterRoleBinding", "clusterrolebindings"),
                admission("ValidatingAdmissionPolicy", "validatingadmissionpolicies"),
                admission("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"));
    }

    private static ResourceType rbac(String kind, String plural) {
        return new ResourceType("rbac.authorization.k8s.io", "v1", kind, plural, false);
    }

    private static ResourceType admission(String kind, String plural) {
        return new ResourceType("admissionregistration.k8s.io", "v1", kind, plural, false);
    }

    /**
     * Managed fields tell the past, the status of a node its images. kubelet keeps the label that
     * names a node's topology.
     */
    private static boolean ours(KubeObject object) {
        var text =
                object.without("metadata", "managedFields")
                        .without("status")
                        .without("metadata", "labels", Driver.TOPOLVM.topologyKey())
                        .toJson();
        return text.contains("topolvm.io") || text.contains("lvms");
    }

    /** The host may have no LVM to ask: what counts is the kernel, and the labels on the disks. */
    private static List<String> tracesOnNodes(Product product) throws Exception {
        var left = new ArrayList<String>();
        for (var node : product.cluster().nodes()) {
            node.shell(
                            """
                            ls -d /sys/block/dm-* 2>/dev/null || true
                            blkid --probe /dev/ubdc /dev/ubdd || true
                            find /var/lib/kubelet/plugins* -name '*topolvm*' -type s
                            """)
                    .lines()
                    .forEach(line -> left.add(node + ": " + line));
        }
        return left;
    }
}
