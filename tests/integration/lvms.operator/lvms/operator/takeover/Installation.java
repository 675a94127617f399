package lvms.operator.takeover;

import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.k8s.admission.WebhookConfiguration;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.JsonPatch;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** A server with the objects that LVMS makes and is made of, and nobody who acts on them. */
final class Installation implements AutoCloseable {
    static final String NAMESPACE = "openshift-storage";
    static final ObjectKey OPERATOR = ObjectKey.of(NAMESPACE, Names.OPERATOR);
    static final ObjectKey AGENTS = ObjectKey.of(NAMESPACE, Names.VG_MANAGER);
    static final ObjectKey CLUSTER = ObjectKey.of(NAMESPACE, "my");
    static final ObjectKey DRIVER = ObjectKey.cluster("topolvm.io");
    static final ResourceType VALIDATING = WebhookConfiguration.validating("").type();
    static final ObjectKey WEBHOOK = ObjectKey.cluster("lvms-validating-webhook-configuration");

    private static final String LABELS =
            "{app.kubernetes.io/name: vg-manager, app.kubernetes.io/managed-by: lvms-operator,"
                    + " app.kubernetes.io/part-of: lvms-provisioner,"
                    + " app.kubernetes.io/component: vg-manager}";

    private static final List<String> ON_NODES =
            List.of(
                    "currentNumberScheduled",
                    "numberMisscheduled",
                    "desiredNumberScheduled",
                    "updatedNumberScheduled",
                    "numberReady");
    private static final List<String> IN_REPLICAS =
            List.of("replicas", "updatedReplicas", "readyReplicas");

    final KubeClient kube;
    private final ApiServer server;

    private Installation(ApiServer server) {
        this.server = server;
        this.kube = KubeClient.open(server.config(), "test").withFieldManager("test");
    }

    /** A server with our definitions, and nothing else. */
    static Installation empty() throws Exception {
        var made = new Installation(Servers.start());
        Definitions.install(made.kube, Definitions.ALL);
        return made;
    }

    /** The present LVMS with an LVMCluster of one class that may wipe its disk. */
    static Installation present() throws Exception {
        var made = empty();
        made.create(Types.NAMESPACE, "metadata: {name: openshift-storage}");
        made.accounts();
        made.create(
                LvmCluster.TYPE,
                """
                metadata: {name: my, namespace: openshift-storage}
                spec:
                  storage:
                    deviceClasses:
                      - name: vg1
                        deviceSelector:
                          paths: [/dev/vda]
                          forceWipeDevicesAndDestroyAllData: true
                        thinPoolConfig: {name: pool, overprovisionRatio: 10}
                """);
        made.volumeGroup();
        made.create(
                Types.CSI_DRIVER, "metadata: {name: topolvm.io}\nspec: {attachRequired: false}");
        made.workload(Types.DEPLOYMENT, Names.OPERATOR, "{app.kubernetes.io/name: lvms-operator}");
        made.workload(Types.DAEMON_SET, Names.VG_MANAGER, LABELS);
        made.create(
                Types.POD,
                """
                metadata:
                  name: lvms-operator-0
                  namespace: openshift-storage
                  labels: {app.kubernetes.io/name: lvms-operator}
                spec: {nodeName: n1, containers: [{name: manager, image: lvms}]}
                """);
        made.webhook();
        return made;
    }

    private void accounts() throws Exception {
        for (var name : new String[] {"lvms-operator", "vg-manager"}) {
            create(Types.SERVICE_ACCOUNT, meta(name));
        }
        create(Types.CLUSTER_ROLE, "metadata: {name: manager-role}\nrules: []");
        create(Types.CLUSTER_ROLE, "metadata: {name: proxy-role}\nrules: []");
        binding("manager-rolebinding", "manager-role", "lvms-operator", NAMESPACE);
        binding("proxy-rolebinding", "proxy-role", "vg-manager", NAMESPACE);
        binding("others", "proxy-role", "somebody", "default");
        binding("proxy-rolebinding-2", "manager", "lvms-operator", "elsewhere");
        create(
                Types.SERVICE,
                meta("lvms-webhook-service")
                        + "\nspec: {selector: {app.kubernetes.io/name: lvms-operator},"
                        + " ports: [{port: 443}]}");
        create(
                Types.SERVICE,
                meta("vg-manager-metrics-service")
                        + "\nspec: {selector: {app: of-somebody-else}, ports: [{port: 443}]}");
    }

    private void volumeGroup() throws Exception {
        create(
                LvmVolumeGroup.TYPE,
                """
                metadata: {name: vg1, namespace: openshift-storage}
                spec:
                  deviceSelector: {paths: [/dev/vda], forceWipeDevicesAndDestroyAllData: true}
                  thinPoolConfig: {name: pool, overprovisionRatio: 10}
                """);
        for (var node : new String[] {"n1", "n2"}) {
            create(
                    LvmVolumeGroupNodeStatus.TYPE,
                    """
                    metadata: {name: %s, namespace: openshift-storage}
                    spec:
                      nodeStatus:
                        - {name: vg1, status: %s}
                    """
                            .formatted(
                                    node,
                                    node.equals("n1")
                                            ? "Ready, devices: [/dev/vda]"
                                            : "Failed, devices: []"));
        }
    }

    /** Nobody answers it, as after an operator that was stopped by hand. */
    private void webhook() throws Exception {
        create(
                VALIDATING,
                """
                metadata: {name: lvms-validating-webhook-configuration}
                webhooks:
                  - name: vlvmcluster.kb.io
                    admissionReviewVersions: [v1]
                    sideEffects: None
                    failurePolicy: Fail
                    clientConfig:
                      service: {name: lvms-webhook-service, namespace: openshift-storage}
                    rules:
                      - apiGroups: [lvm.topolvm.io]
                        apiVersions: [v1alpha1]
                        operations: [UPDATE]
                        resources: [lvmclusters]
                """);
    }

    private static String meta(String name) {
        return "metadata: {name: " + name + ", namespace: " + NAMESPACE + "}";
    }

    void binding(String name, String role, String account, String namespace) throws Exception {
        create(
                Types.CLUSTER_ROLE_BINDING,
                """
                metadata: {name: %s}
                roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: %s}
                subjects: [{kind: ServiceAccount, name: %s, namespace: %s}]
                """
                        .formatted(name, role, account, namespace));
    }

    /** Creates a Deployment or DaemonSet of LVMS with these labels. */
    KubeObject workload(ResourceType type, String name, String labels) throws Exception {
        return create(
                type,
                """
                metadata: {name: %s, namespace: openshift-storage}
                spec:
                  selector: {matchLabels: %s}
                  template:
                    metadata: {labels: %s}
                    spec:
                      containers: [{name: manager, image: lvms, command: [/lvms, operator]}]
                """
                        .formatted(name, labels, labels));
    }

    /** Has a workload run a program, all of its pods ready. */
    void rollOut(ResourceType type, ObjectKey key, String program) throws Exception {
        String[] command = {"spec", "template", "spec", "containers", "0", "command", "0"};
        kube.jsonPatch(type, key, JsonPatch.create().replace(program, command));
        var status = ObjectTree.builder();
        status.put("observedGeneration", kube.get(type, key).generation());
        for (var count : type == Types.DAEMON_SET ? ON_NODES : IN_REPLICAS) {
            status.put(count, 1);
        }
        kube.mergePatchStatus(type, key, ObjectTree.EMPTY.with(status.build(), "status"));
    }

    KubeObject create(ResourceType type, String yaml) throws ApiException, InterruptedException {
        var object = KubeObject.of(Yaml.read(yaml).asObject());
        return kube.create(
                type, object.with(type.apiVersion(), "apiVersion").with(type.kind(), "kind"));
    }

    Optional<KubeObject> find(ResourceType type, ObjectKey key) throws Exception {
        return kube.find(type, key);
    }

    /** Ends the pods of the operator, as its ReplicaSet would. */
    void endOperator() throws Exception {
        for (var pod : kube.list(Types.POD, ListOptions.all().namespace(NAMESPACE)).items()) {
            kube.delete(Types.POD, pod.key(), DeleteOptions.any().gracePeriodSeconds(0));
        }
    }

    @Override
    public void close() throws IOException {
        kube.close();
        server.close();
    }
}
