package lvms.tests.conformance;

import lvms.api.Driver;
import lvms.k8s.client.ApiException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Product;

import java.util.ArrayList;
import java.util.List;

/** What an uninstallation left behind. */
final class Traces {
    private Traces() {}

    /** Every object of ours that is left, and every word of ours in those of others. */
    static List<String> inCluster(Product product) throws ApiException, InterruptedException {
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
    static List<String> onNodes(Product product) throws Exception {
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
