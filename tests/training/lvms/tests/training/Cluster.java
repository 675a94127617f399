package lvms.tests.training;

import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.Deletion;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.config.KubeConfigException;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * An API server with our manifests, a node, an LVMCluster and a claim that asks for a volume there.
 */
public final class Cluster implements AutoCloseable {
    /** Where the operator lives. */
    public static final String NAMESPACE = "lvms-system";

    private static final String POD = "lvms-operator-training";

    public static final String NODE = "training";

    private static final String MANAGER = "training";
    private static final ObjectKey MADE = ObjectKey.cluster("made");
    private static final Duration DEADLINE = Duration.ofMinutes(3); // by QEMU
    private static final List<ResourceType> CUSTOM =
            List.of(
                    LvmCluster.TYPE,
                    LvmVolumeGroup.TYPE,
                    LvmVolumeGroupNodeStatus.TYPE,
                    LogicalVolume.TYPE);

    private final ApiServer server;
    private final KubeClient kube;

    private Cluster(ApiServer server) throws IOException, KubeConfigException {
        this.server = server;
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig())), MANAGER)
                        .withFieldManager(MANAGER);
    }

    public static Cluster start()
            throws IOException, KubeConfigException, ApiException, InterruptedException {
        var cluster = new Cluster(ApiServer.start());
        cluster.fill();
        return cluster;
    }

    private void fill() throws IOException, ApiException, InterruptedException {
        apply(Types.NAMESPACE, Path.of("deploy/base/namespace.yaml"));
        try (var crds = Files.list(Path.of("deploy/base/crds"))) {
            for (var crd : crds.sorted().toList()) {
                apply(Types.CRD, crd);
            }
        }
        for (var type : CUSTOM) {
            await(type.plural(), () -> kube.serves(type));
        }
        apply(
                Types.NODE,
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: training
                  labels:
                    topology.topolvm.io/node: training
                  annotations:
                    capacity.topolvm.io/vg1: "107374182400"
                    capacity.topolvm.io/00default: "107374182400"
                """);
        var ready = ObjectTree.builder();
        ready.put("taints", Tree.NULL);
        var patch = ObjectTree.builder();
        patch.put("spec", ready.build());
        kube.mergePatch(Types.NODE, ObjectKey.cluster("training"), patch.build());
        apply(
                Types.CSI_NODE,
                """
                apiVersion: storage.k8s.io/v1
                kind: CSINode
                metadata:
                  name: training
                spec:
                  drivers:
                    - name: topolvm.io
                      nodeID: training
                      topologyKeys: [topology.topolvm.io/node]
                """);
        apply(
                Types.POD,
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: lvms-operator-training
                  namespace: lvms-system
                spec:
                  containers:
                    - name: manager
                      image: localhost/lvms
                """);
    }

    /** Asks for device classes; no node makes volume groups for them. */
    public void askForClasses() throws IOException, ApiException, InterruptedException {
        apply(LvmCluster.TYPE, Path.of("deploy/samples/lvmcluster-every-free-disk.yaml"));
    }

    /** What makes the operator and the agent work. */
    void ask() throws IOException, ApiException, InterruptedException {
        askForClasses();
        await(
                "storage class",
                () -> kube.find(Types.STORAGE_CLASS, ObjectKey.cluster("lvms-vg1")).isPresent());
        apply(
                Types.PVC,
                """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  name: training
                  namespace: default
                  annotations:
                    volume.kubernetes.io/selected-node: training
                    volume.kubernetes.io/storage-provisioner: topolvm.io
                spec:
                  storageClassName: lvms-vg1
                  accessModes: [ReadWriteOnce]
                  resources:
                    requests:
                      storage: 1Gi
                """);
        await("logical volume", () -> !volumes().isEmpty());
        for (var volume : volumes()) {
            var status = ObjectTree.builder();
            var fields = ObjectTree.builder();
            fields.put("volumeID", volume.uid());
            fields.put("currentSize", "1Gi");
            status.put("status", fields.build());
            kube.mergePatchStatus(LogicalVolume.TYPE, volume.key(), status.build());
        }
    }

    /** Asks the node for a volume, and waits until it has said why it cannot make it. */
    public void refuseVolume() throws ApiException, InterruptedException {
        var volume = askForVolume("refused", NODE, "vg1");
        await(
                "reason why there is no volume",
                () -> kube.get(LogicalVolume.TYPE, volume).text("status", "message").isPresent());
    }

    /** Asks a node's agent for a volume, and returns its handle. */
    String makeVolume(String node, String deviceClass) throws ApiException, InterruptedException {
        apply(
                Types.NODE,
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: %s
                """
                        .formatted(node));
        var volume = askForVolume(MADE.name(), node, deviceClass);
        await("volume of " + node, () -> handle(volume).isPresent());
        return handle(volume).orElseThrow();
    }

    private Optional<String> handle(ObjectKey volume) throws ApiException, InterruptedException {
        return kube.get(LogicalVolume.TYPE, volume).text("status", "volumeID");
    }

    /** Removes that volume, and waits until it is gone. */
    void removeVolume() throws ApiException, InterruptedException {
        var uid = kube.get(LogicalVolume.TYPE, MADE).uid();
        var end = kube.deleteAndWait(LogicalVolume.TYPE, MADE, DeleteOptions.uid(uid), DEADLINE);
        if (end != Deletion.GONE) {
            throw new IllegalStateException("training: the volume is not removed: " + end);
        }
    }

    private ObjectKey askForVolume(String name, String node, String deviceClass)
            throws ApiException, InterruptedException {
        apply(
                LogicalVolume.TYPE,
                """
                apiVersion: topolvm.io/v1
                kind: LogicalVolume
                metadata:
                  name: %s
                  finalizers: [topolvm.io/logicalvolume]
                spec:
                  name: %s
                  nodeName: %s
                  deviceClass: %s
                  size: 1Gi
                """
                        .formatted(name, name, node, deviceClass));
        return ObjectKey.cluster(name);
    }

    private interface State {
        boolean holds() throws ApiException, InterruptedException;
    }

    private static void await(String what, State state) throws ApiException, InterruptedException {
        long deadline = System.nanoTime() + DEADLINE.toNanos();
        while (!state.holds()) {
            if (System.nanoTime() > deadline) {
                throw new IllegalStateException("training: no " + what + " after " + DEADLINE);
            }
            Thread.sleep(20);
        }
    }

    private List<KubeObject> volumes() throws ApiException, InterruptedException {
        return kube.list(LogicalVolume.TYPE, ListOptions.all()).items();
    }

    private void apply(ResourceType type, Path file)
            throws IOException, ApiException, InterruptedException {
        apply(type, Files.readString(file));
    }

    private void apply(ResourceType type, String yaml) throws ApiException, InterruptedException {
        kube.apply(type, KubeObject.of(Yaml.read(yaml).asObject()));
    }

    /** Returns a client that may do everything. */
    public KubeClient client() {
        return kube;
    }

    /** Returns a token for a user, who may do everything. */
    public String token(String user) {
        return server.issueToken(user);
    }

    /** Returns where a client is told how to reach the API server. */
    public Path kubeconfig() throws IOException {
        return server.kubeconfig();
    }

    /** Returns the environment of a process of ours that works in the namespace. */
    public Map<String, String> environment(String namespace) throws IOException {
        return Map.of(
                "KUBECONFIG",
                server.kubeconfig().toString(),
                "NAMESPACE",
                namespace,
                "NAME",
                POD,
                "NODE_NAME",
                NODE);
    }

    @Override
    public void close() throws IOException {
        kube.close();
        server.close();
    }
}
