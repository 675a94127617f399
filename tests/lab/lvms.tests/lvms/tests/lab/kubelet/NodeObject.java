package lvms.tests.lab.kubelet;

import static lvms.tests.lab.standin.Trees.list;
import static lvms.tests.lab.standin.Trees.object;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
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

    private ObjectTree status() {
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

    private static ObjectTree condition(String status, String reason, String message) {
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
        var labels = ObjectTree.builder();
        topology.forEach(labels::put);
        var annotations = object(NODE_IDS, object(driver, nodeId).toString());
        var metadata = object("labels", labels.build(), "annotations", annotations);
        kube.mergePatch(Types.NODE, key, object("metadata", metadata));
        var keys = ListTree.builder();
        topology.keySet().forEach(keys::add);
        var entry =
                object("name", driver, "nodeID", nodeId, "topologyKeys", keys.build()).toBuilder();
        if (maxVolumes > 0) {
            entry.put("allocatable", object("count", Math.min(maxVolumes, Integer.MAX_VALUE)));
        }
        setDriver(node, driver, list(entry.build()));
    }

    /** Takes a driver out of the CSINode; the labels of the Node stay. */
    void deregister(String driver) throws ApiException, InterruptedException {
        var node = kube.find(Types.NODE, key);
        if (node.isPresent()) {
            setDriver(node.get(), driver, list());
        }
    }

    private void setDriver(KubeObject node, String driver, ListTree entries)
            throws ApiException, InterruptedException {
        var present = kube.find(Types.CSI_NODE, key);
        if (present.isPresent()) {
            var drivers = new ArrayList<>(entries.elements());
            present.get().objects("spec", "drivers").stream()
                    .filter(e -> !e.at("name").asText().equals(driver))
                    .forEach(drivers::add);
            var spec = object("spec", object("drivers", ListTree.of(drivers)));
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
