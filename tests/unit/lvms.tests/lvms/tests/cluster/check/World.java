package lvms.tests.cluster.check;

import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.lvm2.filesystem.MountTable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One node with one thin volume that a running pod has mounted; everything agrees. */
final class World {
    static final String ID = "5e9e1f0a-0000-4000-8000-000000000001";
    private static final long GIB = 1L << 30;

    List<KubeObject> nodes = new ArrayList<>(List.of(node()));
    List<KubeObject> pods = new ArrayList<>(List.of(pod()));
    List<KubeObject> claims = new ArrayList<>(List.of(claim()));
    List<KubeObject> persistentVolumes = new ArrayList<>(List.of(persistentVolume()));
    List<KubeObject> contents = new ArrayList<>();
    List<KubeObject> capacities = new ArrayList<>(List.of(capacity()));
    List<KubeObject> logicalVolumes = new ArrayList<>(List.of(logicalVolume()));
    List<NodeView.Group> groups =
            new ArrayList<>(List.of(new NodeView.Group("vg1", "GROUP", GIB, Set.of("lvms"))));
    List<NodeView.Volume> volumes = new ArrayList<>(List.of(pool(), volume(ID)));
    List<NodeView.Mapped> devices = new ArrayList<>();
    String mounts =
            "90 20 253:4 / /var/lib/kubelet/pods/pod-uid/volumes/kubernetes.io~csi/pvc-1/mount"
                    + " rw shared:1 - xfs /dev/vg1/x rw\n";
    Map<String, String> loops = new HashMap<>();
    List<String> paths = new ArrayList<>();

    List<String> disagreements() {
        var cluster =
                new ClusterView(
                        nodes,
                        pods,
                        claims,
                        persistentVolumes,
                        contents,
                        List.of(storageClass()),
                        capacities,
                        logicalVolumes.stream().map(LogicalVolume::of).toList(),
                        List.of(LvmCluster.of(lvmCluster())));
        var node =
                new NodeView(
                        "node1", groups, volumes, devices, MountTable.parse(mounts), loops, paths);
        return Agreement.check(cluster, List.of(node)).stream()
                .map(Disagreement::toString)
                .toList();
    }

    private static KubeObject yaml(String text) {
        return KubeObject.of(Yaml.read(text).asObject());
    }

    static NodeView.Volume pool() {
        return new NodeView.Volume(
                "pool", "POOL", "vg1", 2 * GIB, "thin-pool", "", Set.of(), Optional.empty());
    }

    static NodeView.Volume volume(String name) {
        return new NodeView.Volume(
                name,
                "VOLUME",
                "vg1",
                GIB,
                "thin",
                "pool",
                Set.of("lvms", "lvms.volume=pvc-1"),
                Optional.of("253:4"));
    }

    private static KubeObject node() {
        return yaml(
                """
                apiVersion: v1
                kind: Node
                metadata:
                  name: node1
                  labels:
                    topology.topolvm.io/node: node1
                  annotations:
                    capacity.topolvm.io/vg1: "20401094656"
                """);
    }

    private static KubeObject pod() {
        return yaml(
                """
                apiVersion: v1
                kind: Pod
                metadata:
                  name: app
                  namespace: default
                  uid: pod-uid
                spec:
                  nodeName: node1
                  volumes:
                    - name: data
                      persistentVolumeClaim:
                        claimName: data
                status:
                  conditions:
                    - type: Ready
                      status: "True"
                """);
    }

    private static KubeObject claim() {
        return yaml(
                """
                apiVersion: v1
                kind: PersistentVolumeClaim
                metadata:
                  name: data
                  namespace: default
                  uid: claim-uid
                spec:
                  storageClassName: lvms-vg1
                  volumeName: pvc-1
                status:
                  phase: Bound
                """);
    }

    private static KubeObject persistentVolume() {
        return yaml(
                """
                apiVersion: v1
                kind: PersistentVolume
                metadata:
                  name: pvc-1
                spec:
                  capacity:
                    storage: 1Gi
                  persistentVolumeReclaimPolicy: Delete
                  csi:
                    driver: topolvm.io
                    volumeHandle: 5e9e1f0a-0000-4000-8000-000000000001
                  claimRef:
                    name: data
                    namespace: default
                    uid: claim-uid
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                        - matchExpressions:
                            - key: topology.topolvm.io/node
                              operator: In
                              values:
                                - node1
                status:
                  phase: Bound
                """);
    }

    private static KubeObject logicalVolume() {
        return yaml(
                """
                apiVersion: topolvm.io/v1
                kind: LogicalVolume
                metadata:
                  name: pvc-1
                  uid: 5e9e1f0a-0000-4000-8000-000000000001
                spec:
                  name: pvc-1
                  nodeName: node1
                  deviceClass: vg1
                  size: 1Gi
                status:
                  volumeID: 5e9e1f0a-0000-4000-8000-000000000001
                  currentSize: "1073741824"
                """);
    }

    private static KubeObject storageClass() {
        return yaml(
                """
                apiVersion: storage.k8s.io/v1
                kind: StorageClass
                metadata:
                  name: lvms-vg1
                provisioner: topolvm.io
                volumeBindingMode: WaitForFirstConsumer
                parameters:
                  topolvm.io/device-class: vg1
                """);
    }

    private static KubeObject capacity() {
        return yaml(
                """
                apiVersion: storage.k8s.io/v1
                kind: CSIStorageCapacity
                metadata:
                  name: csisc-1
                  namespace: lvms-system
                storageClassName: lvms-vg1
                capacity: 19456Mi
                nodeTopology:
                  matchLabels:
                    topology.topolvm.io/node: node1
                """);
    }

    private static KubeObject lvmCluster() {
        return yaml(
                """
                apiVersion: lvm.topolvm.io/v1alpha1
                kind: LVMCluster
                metadata:
                  name: lvmcluster
                  namespace: lvms-system
                spec:
                  storage:
                    deviceClasses:
                      - name: vg1
                        thinPoolConfig:
                          name: pool
                          overprovisionRatio: 10
                """);
    }

    /** The present content of a snapshot with that handle. */
    static KubeObject content(String handle) {
        var spec = ObjectTree.builder();
        spec.put("driver", "topolvm.io");
        return KubeObject.of(ObjectTree.EMPTY)
                .with("snapcontent-1", "metadata", "name")
                .with(spec.build(), "spec")
                .with(handle, "status", "snapshotHandle");
    }

    /** The object as one that is being deleted. */
    static KubeObject terminating(KubeObject object) {
        var finalizers = ListTree.builder();
        finalizers.add("topolvm.io/logicalvolume");
        return object.with("2026-01-01T00:00:00Z", "metadata", "deletionTimestamp")
                .with(finalizers.build(), "metadata", "finalizers");
    }
}
