package lvms.operator.unit;

import lvms.api.Driver;
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
import lvms.k8s.tree.Tree;
import lvms.operator.agent.AgentSettings;
import lvms.operator.agent.HostPaths;
import lvms.operator.agent.OperatorImage;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The DaemonSet of the node agent, as a cluster asks for it. */
public final class AgentDaemonSet {
    /** Labels of the object and its pods. They are its selector, so they can never change. */
    public static final Map<String, String> LABELS =
            Map.of(
                    "app.kubernetes.io/name", Names.VG_MANAGER,
                    "app.kubernetes.io/managed-by", Names.OPERATOR,
                    "app.kubernetes.io/part-of", "lvms-provisioner",
                    "app.kubernetes.io/component", Names.VG_MANAGER);

    // No memory limit: an out-of-memory kill while a device is suspended freezes a pod's I/O.
    private static final String CONTAINER =
            """
            {
              "name": "vg-manager",
              "imagePullPolicy": "IfNotPresent",
              "terminationMessagePolicy": "FallbackToLogsOnError",
              "securityContext": {"privileged": true, "runAsUser": 0},
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

    // LVM runs modprobe. A folder that a node may not have, and may not be able to make, cannot be
    // mounted; the node's first process, whose id the pod shares, sees it in any case.
    private static final ObjectTree MODULES_OF_NODE =
            Trees.of(Map.of("name", "MODPROBE_OPTIONS", "value", "-d /proc/1/root"));

    private static final String CERTIFICATE = "metrics-cert";
    private static final String USER_CLASSES = "user-device-classes";
    private static final String USER_CLASSES_FOLDER = "/etc/lvms/user-device-classes";

    // Whoever drives pods away still needs the agent, which unmounts their volumes. The first
    // toleration of a taint counts, so no other one may limit the time.
    private static final Toleration STAYS = Toleration.exists("", "NoExecute");

    private static final String OLD_DRIVER = Driver.TOPOLVM.name() + "/old-driver";
    private static final String WORKLOAD_PARTITIONING =
            "{\"effect\": \"PreferredDuringScheduling\"}";

    private AgentDaemonSet() {}

    /**
     * Returns the object that the cluster asks for.
     *
     * @param config folder of lvmd.yaml on the nodes
     */
    public static KubeObject desired(
            LvmCluster cluster, OperatorImage image, AgentSettings settings, String config) {
        var labels = Trees.of(LABELS);
        var key = ObjectKey.of(cluster.namespace(), Names.VG_MANAGER);
        return Trees.owned(KubeObject.create(Types.DAEMON_SET, key), cluster)
                .with(labels, "metadata", "labels")
                .with(labels, "spec", "selector", "matchLabels")
                .with(update(settings.maxUnavailable()), "spec", "updateStrategy")
                .with(labels, "spec", "template", "metadata", "labels")
                .with(annotations(settings), "spec", "template", "metadata", "annotations")
                .with(pod(cluster, image, settings, config), "spec", "template", "spec");
    }

    private static ObjectTree annotations(AgentSettings settings) {
        var annotations = new HashMap<String, String>();
        annotations.put("target.workload.openshift.io/management", WORKLOAD_PARTITIONING);
        if (settings.features().oldDriver()) { // an agent looks for it when it starts
            annotations.put(OLD_DRIVER, Driver.CONVERTED.name());
        }
        return Trees.of(annotations);
    }

    private static ObjectTree update(String maxUnavailable) {
        var count =
                maxUnavailable.endsWith("%")
                        ? Tree.of(maxUnavailable)
                        : Tree.of(Long.parseLong(maxUnavailable));
        return ObjectTree.EMPTY
                .with(Tree.of("RollingUpdate"), "type")
                .with(count, "rollingUpdate", "maxUnavailable");
    }

    private static ObjectTree pod(
            LvmCluster cluster, OperatorImage image, AgentSettings settings, String config) {
        var mounts = HostMount.all(settings.paths(), config, settings.features().rawDevices());
        var pod = Json.parse(POD).asObject().toBuilder();
        pod.put("containers", Trees.of(List.of(container(image, settings, mounts))));
        var volumes = ListTree.builder();
        mounts.forEach(mount -> volumes.add(mount.volume()));
        volumes.add(certificate());
        if (!settings.userClasses().isEmpty()) {
            volumes.add(userClasses(settings.userClasses()));
        }
        pod.put("volumes", volumes.build());
        pod.put("nodeSelector", Trees.of(settings.nodes().selector()));
        pod.put("affinity", affinity(settings.nodes().terms(cluster.nodeSelector())));
        pod.put("tolerations", tolerations(cluster));
        if (!image.pullSecrets().isEmpty()) { // the server drops an empty list
            pod.put("imagePullSecrets", named(image.pullSecrets()));
        }
        return pod.build();
    }

    private static ListTree tolerations(LvmCluster cluster) {
        return Trees.of(
                Stream.concat(
                                Stream.of(STAYS, NodeEligibility.STARTUP),
                                cluster.tolerations().stream())
                        .map(Toleration::json)
                        .toList());
    }

    private static ListTree named(List<String> names) {
        return Trees.of(names.stream().map(name -> Trees.of(Map.of("name", name))).toList());
    }

    private static ObjectTree container(
            OperatorImage image, AgentSettings settings, List<HostMount> mounts) {
        var command = new ArrayList<>(settings.command());
        if (!settings.paths().kubelet().equals(HostPaths.KUBELET)) {
            command.add("--kubelet-root=" + settings.paths().kubelet());
        }
        command.addAll(settings.features().flags());
        var places = ListTree.builder();
        mounts.forEach(mount -> places.add(mount.mount()));
        places.add(certificateMount());
        if (!settings.userClasses().isEmpty()) {
            command.add("--user-device-classes=" + USER_CLASSES_FOLDER);
            places.add(mount(USER_CLASSES, USER_CLASSES_FOLDER));
        }
        var container = Json.parse(CONTAINER).asObject();
        return container
                .with(variables(container, settings), "env")
                .with(Tree.of(image.name()), "image")
                .with(ListTree.ofTexts(command), "command")
                .with(Trees.of(settings.requests()), "resources", "requests")
                .with(places.build(), "volumeMounts");
    }

    private static ListTree variables(ObjectTree container, AgentSettings settings) {
        var env = ListTree.builder();
        container.objects("env").forEach(env::add);
        if (settings.paths().modules().isEmpty()) {
            env.add(MODULES_OF_NODE);
        }
        settings.features()
                .variables()
                .forEach((name, value) -> env.add(Trees.of(Map.of("name", name, "value", value))));
        return env.build();
    }

    /** Metrics are served once there is one. */
    private static ObjectTree certificate() {
        var secret = ObjectTree.builder();
        secret.put("secretName", Names.VG_MANAGER + "-metrics-cert");
        secret.put("optional", true);
        return ObjectTree.builder().put("name", CERTIFICATE).put("secret", secret.build()).build();
    }

    private static ObjectTree certificateMount() {
        return mount(CERTIFICATE, "/tmp/k8s-metrics-server/serving-certs");
    }

    private static ObjectTree mount(String name, String folder) {
        return ObjectTree.builder()
                .put("name", name)
                .put("mountPath", folder)
                .put("readOnly", true)
                .build();
    }

    /** Agents serve the other classes while the ConfigMap is missing. */
    private static ObjectTree userClasses(String name) {
        var map = ObjectTree.builder();
        map.put("name", name);
        map.put("optional", true);
        return ObjectTree.builder().put("name", USER_CLASSES).put("configMap", map.build()).build();
    }

    private static ObjectTree affinity(NodeTerms terms) {
        var node = ObjectTree.builder();
        node.put("requiredDuringSchedulingIgnoredDuringExecution", terms.json());
        var affinity = ObjectTree.builder();
        affinity.put("nodeAffinity", node.build());
        return affinity.build();
    }
}
