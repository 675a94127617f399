package lvms.tests.support;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

/** Node objects as the kubelet and the node controller leave them. */
public final class Nodes {
    private Nodes() {}

    /** Creates a node and takes away the taint that the server gives to one that is not ready. */
    public static KubeObject create(KubeClient kube, KubeObject node)
            throws ApiException, InterruptedException {
        var created = kube.create(Types.NODE, node);
        var patch = MergePatch.of(created).set(node.list("spec", "taints"), "spec", "taints");
        return kube.mergePatch(Types.NODE, patch);
    }
}
