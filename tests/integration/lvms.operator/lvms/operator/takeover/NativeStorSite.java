package lvms.operator.takeover;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.tests.server.Definitions;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * A server with what NativeStor leaves in a cluster of two nodes, written by hand after what is
 * known of it, and nobody who acts on it but the API server's own controllers.
 */
final class NativeStorSite implements AutoCloseable {
    static final String NAMESPACE = "nativestor-system";
    static final ObjectKey CLUSTER = ObjectKey.of(NAMESPACE, "topolvmcluster-sample");
    static final ObjectKey OPERATOR = deployment("nativestor");
    static final ObjectKey CONTROLLER = deployment("topolvm-controller");
    static final ObjectKey DRIVER = ObjectKey.cluster("topolvm.cybozu.com");
    static final ObjectKey RAW_DEVICE = ObjectKey.cluster("0123456789abcdef0123456789abcdef");
    static final ResourceType JOB = Types.JOB;
    static final List<String> NODES = List.of("n1", "n2");

    final Installation server = Installation.empty();
    final KubeClient kube = server.kube;

    NativeStorSite() throws Exception {
        Definitions.install(kube, Definitions.NATIVESTOR);
        Definitions.install(kube, Path.of("deploy/legacy/topolvm.cybozu.com_logicalvolumes.yaml"));
        create(Types.NAMESPACE, "metadata: {name: nativestor-system}");
        cluster();
        accounts();
        var operator = deployment("nativestor", "app: topolvm-operator", "/topolvm, operator", "");
        var owner =
                """
                  ownerReferences:
                    - {apiVersion: apps/v1, kind: Deployment, name: nativestor, uid: %s,
                       controller: true, blockOwnerDeletion: false}
                """
                        .formatted(operator.uid());
        deployment("topolvm-controller", "a: controller", "/topolvm-controller", owner);
        deployment("raw-device-provisioner", "a: raw", "/raw-device-provisioner", owner);
        daemonSet("discover-device", "/topolvm, discover", owner);
        daemonSet("raw-device-plugin", "/raw-device-plugin", owner);
        for (var node : NODES) {
            node(node);
        }
        drivers();
        metrics();
    }

    static ObjectKey deployment(String name) {
        return ObjectKey.of(NAMESPACE, name);
    }

    KubeObject create(ResourceType type, String yaml) throws Exception {
        return server.create(type, yaml);
    }

    private void cluster() throws Exception {
        create(
                TopolvmCluster.TYPE,
                """
                metadata:
                  name: topolvmcluster-sample
                  namespace: nativestor-system
                  finalizers: [topolvmcluster.topolvm.cybozu.com]
                spec:
                  topolvmVersion: quay.io/topolvm/topolvm-with-sidecar:0.10
                  cleanup: false
                  storage:
                    useAllNodes: false
                    useAllDevices: false
                    useLoop: false
                    deviceClasses:
                      - nodeName: n1
                        classes:
                          - {className: fast, volumeGroup: data, default: true, spareGb: 5,
                             devices: [{name: /dev/sdb, type: disk}]}
                      - nodeName: n2
                        classes:
                          - {className: fast, volumeGroup: data, default: true,
                             devices: [{name: /dev/sdb, type: disk}]}
                """);
        status(
                TopolvmCluster.TYPE,
                CLUSTER,
                """
                phase: Ready
                nodeStorageState:
                  - {node: n1, phase: Ready, successClasses: [{className: fast, vgName: data,
                     state: Ready, message: create successful}]}
                  - {node: n2, phase: Ready, successClasses: [{className: fast, vgName: data,
                     state: Ready, message: create successful}]}
                """);
    }

    void status(ResourceType type, ObjectKey key, String yaml) throws Exception {
        kube.mergePatchStatus(type, key, ObjectTree.EMPTY.with(Yaml.read(yaml), "status"));
    }

    private KubeObject deployment(String name, String label, String command, String more)
            throws Exception {
        var made =
                create(
                        Types.DEPLOYMENT,
                        """
                        metadata:
                          name: %1$s
                          namespace: nativestor-system
                        %4$s
                        spec:
                          replicas: 1
                          selector: {matchLabels: {%2$s}}
                          template:
                            metadata: {labels: {%2$s}}
                            spec:
                              containers: [{name: main, image: theirs, command: [%3$s]}]
                        """
                                .formatted(name, label, command, more));
        pod(name, label, "n1");
        return made;
    }

    private void pod(String deployment, String label, String node) throws Exception {
        create(
                Types.POD,
                """
                metadata:
                  name: %1$s-5d4f7-abcde
                  namespace: nativestor-system
                  labels: {%2$s}
                  ownerReferences:
                    - {apiVersion: v1, kind: ReplicaSet, name: %1$s-5d4f7, uid: not-checked}
                spec: {nodeName: %3$s, containers: [{name: main, image: theirs}]}
                """
                        .formatted(deployment, label, node)
                        .replace("apiVersion: v1, kind: Rep", "apiVersion: apps/v1, kind: Rep"));
    }

    void daemonSet(String name, String command, String owner) throws Exception {
        create(
                Types.DAEMON_SET,
                """
                metadata:
                  name: %1$s
                  namespace: nativestor-system
                %3$s
                spec:
                  selector: {matchLabels: {app.kubernetes.io/name: %1$s}}
                  template:
                    metadata: {labels: {app.kubernetes.io/name: %1$s}}
                    spec:
                      containers: [{name: main, image: theirs, command: [%2$s]}]
                """
                        .formatted(name, command, owner));
    }

    /** All Deployments of nodes select the same label. */
    private void node(String node) throws Exception {
        create(
                Types.NODE,
                """
                metadata:
                  name: %s
                  finalizers: [topolvm.cybozu.com/node]
                  annotations: {capacity.topolvm.cybozu.com/fast: "1073741824"}
                """
                        .formatted(node));
        create(
                Types.DEPLOYMENT,
                """
                metadata:
                  name: topolvm-node-%1$s
                  namespace: nativestor-system
                  ownerReferences:
                    - {apiVersion: topolvm.cybozu.com/v2, kind: TopolvmCluster,
                       name: topolvmcluster-sample, uid: %2$s, controller: true}
                spec:
                  replicas: 1
                  selector: {matchLabels: {app.kubernetes.io/name: topolvm-node}}
                  template:
                    metadata: {labels: {app.kubernetes.io/name: topolvm-node}}
                    spec:
                      nodeSelector: {kubernetes.io/hostname: %1$s}
                      containers:
                        - {name: lvmd, image: theirs, command: [/lvmd, --container=true]}
                        - {name: csi-topolvm-plugin, image: theirs, command: [/topolvm-node]}
                """
                        .formatted(node, kube.get(TopolvmCluster.TYPE, CLUSTER).uid()));
        pod("topolvm-node-" + node, "app.kubernetes.io/name: topolvm-node", node);
        file(node, node.equals("n1") ? 5 : 0);
        volume("pvc-" + node, node, "fast");
        create(
                JOB,
                """
                metadata:
                  name: topolvm-prepare-vg-%s
                  namespace: nativestor-system
                  labels: {app.kubernetes.io/name: prepare-volume-group}
                spec:
                  template:
                    spec:
                      restartPolicy: Never
                      containers: [{name: preparevg, image: theirs}]
                """
                        .formatted(node));
    }

    private void file(String node, int spare) throws Exception {
        create(
                Types.CONFIG_MAP,
                """
                metadata:
                  name: lvmdconfig-%1$s
                  namespace: nativestor-system
                  labels: {topolvm/lvmdconfig: lvmdconfig}
                  annotations: {node-name: %1$s}
                data:
                  lvmd.yaml: |
                    socket-name: /run/topolvm/lvmd.sock
                    device-classes:
                      - name: fast
                        volume-group: data
                        default: true
                %2$s
                  status.json: '{"node":"%1$s"}'
                """
                        .formatted(node, spare == 0 ? "" : "        spare-gb: " + spare));
    }

    LogicalVolume volume(String name, String node, String deviceClass) throws Exception {
        var type = Driver.LEGACY.logicalVolumes();
        var made =
                create(
                        type,
                        """
                        metadata: {name: %1$s, finalizers: [topolvm.cybozu.com/logicalvolume]}
                        spec: {name: %1$s, nodeName: %2$s, size: 1Gi, deviceClass: %3$s}
                        """
                                .formatted(name, node, deviceClass));
        status(type, made.key(), "{volumeID: " + made.uid() + ", currentSize: 1Gi}");
        create(
                Types.PV,
                """
                metadata: {name: %s}
                spec:
                  capacity: {storage: 1Gi}
                  accessModes: [ReadWriteOnce]
                  csi: {driver: topolvm.cybozu.com, volumeHandle: %s}
                """
                        .formatted(name, made.uid()));
        return LogicalVolume.of(kube.get(type, made.key()));
    }

    private void drivers() throws Exception {
        for (var name : List.of("topolvm.cybozu.com", "nativestor.alauda.io")) {
            create(
                    Types.CSI_DRIVER,
                    "metadata: {name: " + name + "}\nspec: {attachRequired: false}");
        }
        create(Types.STORAGE_CLASS, "metadata: {name: topolvm}\nprovisioner: topolvm.cybozu.com");
        create(
                Types.CONFIG_MAP,
                """
                metadata: {name: nativestor-setting, namespace: nativestor-system}
                data: {TOPOLVM_ENABLE: "true", RAW_DEVICE_ENABLE: "true"}
                """);
        create(
                RawDevice.TYPE,
                """
                metadata: {name: 0123456789abcdef0123456789abcdef, labels: {node: n1}}
                spec: {nodeName: n1, size: 5368709120, type: disk, realPath: /dev/sdc, major: 8,
                       minor: 32, uuid: "", available: true}
                """);
        status(RawDevice.TYPE, RAW_DEVICE, "{name: 0123456789abcdef0123456789abcdef}");
    }

    private void accounts() throws Exception {
        for (var name : List.of("nativestor-operator", "nativestor-discover", "topolvm-node")) {
            create(
                    Types.SERVICE_ACCOUNT,
                    "metadata: {name: " + name + ", namespace: nativestor-system}");
        }
        for (var role : List.of("nativestor-global", "nativestor-preparevg")) {
            create(Types.CLUSTER_ROLE, "metadata: {name: " + role + "}\nrules: []");
        }
        server.binding("nativestor-global", "nativestor-global", "nativestor-operator", NAMESPACE);
        server.binding(
                "nativestor-preparevg", "nativestor-preparevg", "nativestor-discover", NAMESPACE);
        server.binding("others", "nativestor-preparevg", "somebody", "default");
    }

    private void metrics() throws Exception {
        create(
                Types.SERVICE,
                """
                metadata: {name: nativestor-cluster-metric, namespace: nativestor-system}
                spec: {selector: {name: topolvm-operator}, ports: [{port: 8080}]}
                """);
        create(
                Types.SERVICE,
                """
                metadata: {name: node-metric, namespace: nativestor-system}
                spec: {selector: {app: of-somebody-else}, ports: [{port: 8080}]}
                """);
        lease("topolvm-cybozu-com", "1700000000000-8081-topolvm-controller-7d9c-x");
        lease("external-resizer-topolvm-cybozu-com", "of-somebody-else");
    }

    private void lease(String name, String holder) throws Exception {
        create(
                Types.LEASE,
                "metadata: {name: %s, namespace: nativestor-system}\nspec: {holderIdentity: %s}"
                        .formatted(name, holder));
    }

    /** Ends the pods of a Deployment, as its ReplicaSet does. */
    void endPods(String deployment) throws Exception {
        for (var pod : kube.list(Types.POD, ListOptions.all().namespace(NAMESPACE)).items()) {
            if (pod.name().equals(deployment + "-5d4f7-abcde")) {
                kube.delete(Types.POD, pod.key(), DeleteOptions.any().gracePeriodSeconds(0));
            }
        }
    }

    boolean there(ResourceType type, ObjectKey key) throws Exception {
        return kube.find(type, key).isPresent();
    }

    @Override
    public void close() throws IOException {
        server.close();
    }
}
