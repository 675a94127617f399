package lvms.tests.conformance.fault;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import java.util.List;

/** Claims that get their volume on a certain node without a pod. */
public final class Claims {
    private Claims() {}

    /** Creates a claim as if the scheduler had sent its first pod to this node. */
    static void create(Product product, Sandbox sandbox, Claim claim, String node)
            throws Exception {
        var object = on(node, claim.object(sandbox.namespace()));
        product.kube().create(Types.PVC, object);
    }

    /** Returns the claim as the scheduler leaves it that has chosen this node. */
    public static KubeObject on(String node, KubeObject claim) {
        return claim.with(node, "metadata", "annotations", Names.SELECTED_NODE_ANNOTATION);
    }

    /** Returns the events that say that making a volume for the claim failed. */
    static List<String> failures(Sandbox sandbox, String claim) throws Exception {
        return sandbox.events(claim).stream()
                .filter(event -> event.startsWith("ProvisioningFailed"))
                .toList();
    }
}
