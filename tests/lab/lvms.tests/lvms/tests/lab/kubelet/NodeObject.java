package lvms.tests.lab.kubelet;

import static lvms.tests.lab.standin.Trees.list;
import static lvms.tests.lab.standin.Trees.object;

import com.google.gson.JsonArray;
import com.google.gson.JsonObject;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;

/** What kubelet writes about its node: the Node, and the drivers in its CSINode. */
final class NodeObject {
    private static final String NODE_IDS = "csi.volume.kubernetes.io/nodeid";

    private final KubeClient kube;
    private final ObjectKey key;
    private final String address;

    NodeObject(KubeClient kube, String name, String address) {
        this.kube = kube;
        this.key = ObjectKey.cluster(name);
        this.address = address;
    }

    /** Makes the Node if it is new, and says that it is ready. */
    void ready() throws ApiException, InterruptedException {
        if (kube.find(Types.NODE, key).isEmpty()) {
            var labels =
                    object(
                            "kubernetes.io/hostname", key.name(),
                            "kubernetes.io/os", "linux",
                            "kubernetes.io/arch", "amd64");
            var node = KubeObject.create(Types.NODE, key).with(labels, "metadata", "labels");
            kube.create(Types.NODE, node);
        }
        kube.mergePatch(Types.NODE, key, object("spec", object("taints", list())));
        kube.mergePatchStatus(Types.NODE, key, object("status", status()));
    }

    /** Says what the node controller says when a kubelet is silent. */
    void lost() throws ApiException, InterruptedException {
        var conditions = list(condition("Unknown", "NodeStatusUnknown", "silent"));
        var status = object("status", object("conditions", conditions));
        kube.mergePatchStatus(Types.NODE, key, status);
        var taint = object("key", "node.kubernetes.io/unreachable", "effect", "NoExecute");
        kube.mergePatch(Types.NODE, key, object("spec", object("taints", list(taint))));
    }

    private JsonObject status() {
        var amounts = object("cpu", "1", "memory", "2Gi", "pods", "110");
        return object(
                "conditions",
                list(condition("True", "KubeletReady", "kubelet is ready")),
                "addresses",
                list(
                        object("type", "InternalIP", "address", address),
                        object("type", "Hostname", "address", key.name())),
                "capacity",
                amounts,
                "allocatable",
                amounts);
    }

    private static JsonObject condition(String status, String reason, String message) {
        var now = Instant.now().truncatedTo(ChronoUnit.SECONDS).toString();
        return object(
                "type", "Ready",
                "status", status,
                "reason", reason,
                "message", message,
                "lastHeartbeatTime", now,
                "lastTransitionTime", now);
    }

    /** Enters a driver: its id and topology on the Node first, then the CSINode. */
    void register(String driver, String nodeId, Map<String, String> topology, long maxVolumes)
            throws ApiException, InterruptedException {
        var node = kube.get(Types.NODE, key);
        var labels = new JsonObject();
        topology.forEach(labels::addProperty);
        var annotations = object(NODE_IDS, object(driver, nodeId).toString());
        var metadata = object("labels", labels, "annotations", annotations);
        kube.mergePatch(Types.NODE, key, object("metadata", metadata));
        var keys = new JsonArray();
        topology.keySet().forEach(keys::add);
        var entry = object("name", driver, "nodeID", nodeId, "topologyKeys", keys);
        if (maxVolumes > 0) {
            entry.add("allocatable", object("count", Math.min(maxVolumes, Integer.MAX_VALUE)));
        }
        setDriver(node, driver, list(entry));
    }

    /** Takes a driver out of the CSINode; the labels of the Node stay. */
    void deregister(String driver) throws ApiException, InterruptedException {
        var node = kube.find(Types.NODE, key);
        if (node.isPresent()) {
            setDriver(node.get(), driver, list());
        }
    }

    private void setDriver(KubeObject node, String driver, JsonArray entries)
            throws ApiException, InterruptedException {
        var present = kube.find(Types.CSI_NODE, key);
        present.ifPresent(
                csiNode ->
                        csiNode.objects("spec", "drivers").stream()
                                .filter(e -> !e.get("name").getAsString().equals(driver))
                                .forEach(entries::add));
        if (present.isPresent()) {
            var spec = object("spec", object("drivers", entries));
            kube.mergePatch(Types.CSI_NODE, key, spec);
            return;
        }
        var owner =
                object("apiVersion", "v1", "kind", "Node", "name", key.name(), "uid", node.uid());
        var csiNode =
                KubeObject.create(Types.CSI_NODE, key)
                        .with(list(owner), "metadata", "ownerReferences")
                        .with(entries, "spec", "drivers");
        kube.create(Types.CSI_NODE, csiNode);
    }
}
