package lvms.tests.bench.scale;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.ClientOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.tests.bench.Volumes;
import lvms.tests.cluster.ControlPlane;
import lvms.tests.cluster.Programs;
import lvms.tests.cluster.workload.Patience;
import lvms.tests.server.Definitions;
import lvms.tests.support.Nodes;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutionException;

/**
 * A real etcd and kube-apiserver with the objects of a cluster that has many volumes, each complete
 * and at rest. No controller of Kubernetes runs, and no node.
 */
final class VolumeCluster implements AutoCloseable {
    /** Where the operator lives. */
    static final String NAMESPACE = "lvms-system";

    static final String STORAGE_CLASS = "lvms-vg1";

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String QUOTA = "--quota-backend-bytes=" + (8L << 30); // of etcd's 2 GiB
    private static final int NO_LIMIT = 100_000;
    private static final String CLASS =
            """
            apiVersion: storage.k8s.io/v1
            kind: StorageClass
            metadata:
              name: lvms-vg1
            provisioner: topolvm.io
            parameters:
              topolvm.io/device-class: vg1
              csi.storage.k8s.io/fstype: xfs
            reclaimPolicy: Delete
            allowVolumeExpansion: true
            volumeBindingMode: WaitForFirstConsumer
            """;
    private static final String NODE =
            """
            apiVersion: v1
            kind: Node
            metadata:
              name: $NODE
              labels:
                kubernetes.io/hostname: $NODE
                kubernetes.io/os: linux
                topology.topolvm.io/node: $NODE
              annotations:
                capacity.topolvm.io/vg1: "10995116277760"
                capacity.topolvm.io/00default: "10995116277760"
            """;
    private static final String CSI_NODE =
            """
            apiVersion: storage.k8s.io/v1
            kind: CSINode
            metadata:
              name: $NODE
            spec:
              drivers:
                - name: topolvm.io
                  nodeID: $NODE
                  topologyKeys: [topology.topolvm.io/node]
            """;
    private static final String CAPACITY =
            """
            apiVersion: storage.k8s.io/v1
            kind: CSIStorageCapacity
            metadata:
              name: csisc-$NODE
              namespace: lvms-system
              labels:
                csi.storage.k8s.io/drivername: topolvm.io
                csi.storage.k8s.io/managed-by: external-provisioner
            nodeTopology:
              matchLabels:
                topology.topolvm.io/node: $NODE
            storageClassName: lvms-vg1
            capacity: 10Ti
            maximumVolumeSize: 10Ti
            """;
    private static final String READY =
            """
            conditions:
              - type: Ready
                status: "True"
                reason: KubeletReady
                message: kubelet is posting ready status
            """;

    private final ControlPlane plane;
    private final KubeClient kube;
    private final int volumesOfNode;
    private final List<KubeObject> nodes = new ArrayList<>();
    private int volumes;

    private VolumeCluster(ControlPlane plane, KubeClient kube, int volumesOfNode) {
        this.plane = plane;
        this.kube = kube;
        this.volumesOfNode = volumesOfNode;
    }

    /**
     * Starts one without volumes.
     *
     * @param folder for the data of etcd, and for logs
     * @param volumesOfNode how many volumes a node gets
     */
    static VolumeCluster start(Path folder, int volumesOfNode) throws Exception {
        var plane =
                ControlPlane.options(Programs.find(), folder)
                        .flags("kube-apiserver", "--disable-admission-plugins=ServiceAccount")
                        .flags("etcd", QUOTA)
                        .start();
        var config = KubeConfig.load(Optional.of(plane.kubeconfig()));
        var options = ClientOptions.of("bench/1").rateLimit(NO_LIMIT, NO_LIMIT);
        var kube = KubeClient.open(config, options).withFieldManager("bench");
        var cluster = new VolumeCluster(plane, kube, volumesOfNode);
        try {
            cluster.prepare();
            return cluster;
        } catch (Exception e) {
            cluster.close();
            throw e;
        }
    }

    private void prepare() throws Exception {
        Definitions.install(kube, Definitions.ALL);
        var namespace = ObjectKey.cluster(NAMESPACE);
        kube.create(Types.NAMESPACE, KubeObject.create(Types.NAMESPACE, namespace));
        var ofVolumes = ObjectKey.cluster("default"); // the API server makes it when it likes
        new Patience(PATIENCE, () -> "see " + plane.logs())
                .until("namespace", () -> kube.find(Types.NAMESPACE, ofVolumes).isPresent());
        create(Types.STORAGE_CLASS, CLASS);
    }

    /** Adds volumes, and nodes that have them, until there are so many. */
    void grow(int wanted) throws ApiException, ExecutionException, InterruptedException {
        while (nodes.size() < Math.ceilDiv(wanted, volumesOfNode)) {
            nodes.add(node("node-" + nodes.size()));
        }
        new Volumes(kube, i -> nodes.get(i / volumesOfNode)).make(volumes, wanted);
        volumes = wanted;
    }

    /** Adds a node, with what its kubelet and its agent write about it. */
    KubeObject node(String name) throws ApiException, InterruptedException {
        var node = Nodes.create(kube, read(NODE.replace("$NODE", name)));
        var ready = Yaml.read(READY).asObject();
        kube.mergePatchStatus(Types.NODE, MergePatch.of(node).status(ready));
        create(Types.CSI_NODE, CSI_NODE.replace("$NODE", name));
        create(Types.CSI_STORAGE_CAPACITY, CAPACITY.replace("$NODE", name));
        return node;
    }

    private void create(ResourceType type, String yaml) throws ApiException, InterruptedException {
        kube.create(type, read(yaml));
    }

    private static KubeObject read(String yaml) {
        return KubeObject.of(Yaml.read(yaml).asObject());
    }

    /** Returns a client that may do everything. */
    KubeClient client() {
        return kube;
    }

    /** Returns the environment of a process of ours. */
    Map<String, String> environment(String namespace, String pod) {
        return Map.of(
                "KUBECONFIG",
                plane.kubeconfig().toString(),
                "NAMESPACE",
                namespace,
                "NAME",
                pod,
                "NODE_NAME",
                nodes.getFirst().name());
    }

    /** Returns the version of Kubernetes. */
    String version() {
        return plane.version();
    }

    @Override
    public void close() throws IOException {
        kube.close();
        plane.close();
    }
}
