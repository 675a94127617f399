package lvms.tests.server;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;

/** Node objects as the kubelet and the node controller leave them. */
public final class Nodes {
    private Nodes() {}

    /** Creates a node and takes away the taint that the server gives to one that is not ready. */
    public static KubeObject create(KubeClient kube, KubeObject node)
            throws ApiException, InterruptedException {
        var created = kube.create(Types.NODE, node);
        var spec = new JsonObject();
        spec.add(
                "taints",
                node.list("spec", "taints").stream()
                        .collect(JsonArray::new, JsonArray::add, JsonArray::addAll));
        var patch = new JsonObject();
        patch.add("spec", spec);
        return kube.mergePatch(Types.NODE, created.key(), patch);
    }
}
