package lvms.operator.unit;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.api.NodeTerms;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Toleration;
import lvms.k8s.object.Types;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.util.List;
import java.util.Map;

/** The DaemonSet of the node agent, as a cluster asks for it. */
public final class AgentDaemonSet {
    /** Labels of the object and its pods. They are its selector, so they can never change. */
    static final Map<String, String> LABELS =
            Map.of(
                    "app.kubernetes.io/name", Names.VG_MANAGER,
                    "app.kubernetes.io/managed-by", Names.OPERATOR,
                    "app.kubernetes.io/part-of", "lvms-provisioner",
                    "app.kubernetes.io/component", Names.VG_MANAGER);

    // The request is the measured use of agent and worker together, see docs/performance.md.
    // No memory limit: an out-of-memory kill while a device is suspended freezes a pod's I/O.
    private static final String CONTAINER =
            """
            {
              "name": "vg-manager",
              "imagePullPolicy": "IfNotPresent",
              "terminationMessagePolicy": "FallbackToLogsOnError",
              "securityContext": {"privileged": true, "runAsUser": 0},
              "resources": {"requests": {"cpu": "5m", "memory": "160Mi"}},
              "ports": [{"name": "healthz", "containerPort": 8081, "protocol": "TCP"}],
              "startupProbe": {
                "httpGet": {"path": "/healthz", "port": "healthz", "scheme": "HTTP"},
                "initialDelaySeconds": 2, "timeoutSeconds": 2, "periodSeconds": 10,
                "failureThreshold": 60
              },
              "livenessProbe": {
                "httpGet": {"path": "/healthz", "port": "healthz", "scheme": "HTTP"},
                "initialDelaySeconds": 1, "timeoutSeconds": 10, "periodSeconds": 30,
                "failureThreshold": 3
              },
              "readinessProbe": {
                "httpGet": {"path": "/readyz", "port": "healthz", "scheme": "HTTP"},
                "initialDelaySeconds": 1, "timeoutSeconds": 1, "periodSeconds": 5,
                "failureThreshold": 3
              },
              "env": [
                {"name": "NODE_NAME", "valueFrom": {"fieldRef": {"fieldPath": "spec.nodeName"}}},
                {"name": "NAMESPACE",
                 "valueFrom": {"fieldRef": {"fieldPath": "metadata.namespace"}}},
                {"name": "NAME", "valueFrom": {"fieldRef": {"fieldPath": "metadata.name"}}}
              ]
            }
            """;

    // The priority class exists in every cluster, unlike OpenShift's.
    private static final String POD =
            """
            {
              "hostPID": true,
              "serviceAccountName": "vg-manager",
              "automountServiceAccountToken": true,
              "enableServiceLinks": false,
              "priorityClassName": "system-node-critical",
              "terminationGracePeriodSeconds": 30
            }
            """;

    private static final String CERTIFICATE = "metrics-cert";

    private static final String WORKLOAD_PARTITIONING =
            "{\"effect\": \"PreferredDuringScheduling\"}";

    private AgentDaemonSet() {}

    public static KubeObject desired(LvmCluster cluster, AgentSettings settings) {
        var labels = Trees.of(LABELS);
        var key = ObjectKey.of(cluster.namespace(), Names.VG_MANAGER);
        var annotations = Map.of("target.workload.openshift.io/management", WORKLOAD_PARTITIONING);
        return Trees.owned(KubeObject.create(Types.DAEMON_SET, key), cluster)
                .with(labels, "metadata", "labels")
                .with(labels, "spec", "selector", "matchLabels")
                .with(labels, "spec", "template", "metadata", "labels")
                .with(Trees.of(annotations), "spec", "template", "metadata", "annotations")
                .with(pod(cluster, settings), "spec", "template", "spec");
    }

    private static ObjectTree pod(LvmCluster cluster, AgentSettings settings) {
        var mounts = HostMount.all(settings.kubeletRoot());
        var pod = Json.parse(POD).asObject().toBuilder();
        pod.put("containers", Trees.of(List.of(container(settings, mounts))));
        var volumes = ListTree.builder();
        mounts.forEach(mount -> volumes.add(mount.volume()));
        pod.put("volumes", volumes.add(certificate()).build());
        if (!cluster.tolerations().isEmpty()) { // the server drops an empty list
            pod.put(
                    "tolerations",
                    Trees.of(cluster.tolerations().stream().map(Toleration::json).toList()));
        }
        cluster.nodeSelector().ifPresent(terms -> pod.put("affinity", affinity(terms)));
        return pod.build();
    }

    private static ObjectTree container(AgentSettings settings, List<HostMount> mounts) {
        var container = Json.parse(CONTAINER).asObject().toBuilder();
        container.put("image", settings.image());
        var command = ListTree.builder();
        settings.command().forEach(command::add);
        container.put("command", command.build());
        var all = ListTree.builder();
        mounts.forEach(mount -> all.add(mount.mount()));
        container.put("volumeMounts", all.add(certificateMount()).build());
        return container.build();
    }

    /** Metrics are served once there is one. */
    private static ObjectTree certificate() {
        var secret = ObjectTree.builder();
        secret.put("secretName", Names.VG_MANAGER + "-metrics-cert");
        secret.put("optional", true);
        return ObjectTree.builder().put("name", CERTIFICATE).put("secret", secret.build()).build();
    }

    private static ObjectTree certificateMount() {
        return ObjectTree.builder()
                .put("name", CERTIFICATE)
                .put("mountPath", "/tmp/k8s-metrics-server/serving-certs")
                .put("readOnly", true)
                .build();
    }

    private static ObjectTree affinity(NodeTerms terms) {
        var node = ObjectTree.builder();
        node.put("requiredDuringSchedulingIgnoredDuringExecution", terms.json());
        var affinity = ObjectTree.builder();
        affinity.put("nodeAffinity", node.build());
        return affinity.build();
    }
}
