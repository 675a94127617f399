package lvms.tests.bench;

import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.tests.training.Cluster;

/** Bound volumes of the driver, as they look at rest. */
final class Volumes {
    private static final String GROUP_UUID = "rOiJZS-tVWJ-RKl5-4xYR-S9Ch-eviH-2Dyen9";

    private final KubeClient kube;

    Volumes(KubeClient kube) {
        this.kube = kube.withFieldManager("bench");
    }

    /** Makes the claim, the volume and the logical volume of each number below {@code count}. */
    void make(int count) throws ApiException, InterruptedException {
        for (int i = 0; i < count; i++) {
            make("00000000-0000-4000-8000-%012d".formatted(i));
        }
    }

    private void make(String id) throws ApiException, InterruptedException {
        var claim =
                apply(
                        Types.PVC,
                        """
                        apiVersion: v1
                        kind: PersistentVolumeClaim
                        metadata:
                          name: data-ID
                          namespace: default
                          annotations:
                            pv.kubernetes.io/bind-completed: "yes"
                            pv.kubernetes.io/bound-by-controller: "yes"
                            volume.kubernetes.io/selected-node: NODE
                            volume.kubernetes.io/storage-provisioner: topolvm.io
                        spec:
                          storageClassName: lvms-vg1
                          volumeName: pvc-ID
                          accessModes: [ReadWriteOnce]
                          resources:
                            requests:
                              storage: 1Gi
                        """,
                        id);
        var volume =
                apply(
                        LogicalVolume.TYPE,
                        """
                        apiVersion: topolvm.io/v1
                        kind: LogicalVolume
                        metadata:
                          name: pvc-ID
                          labels:
                            app.kubernetes.io/created-by: topolvm-controller
                          finalizers: [topolvm.io/logicalvolume]
                        spec:
                          name: pvc-ID
                          nodeName: NODE
                          deviceClass: vg1
                          size: 1Gi
                        """,
                        id);
        var text =
                """
                apiVersion: v1
                kind: PersistentVolume
                metadata:
                  name: pvc-ID
                  annotations:
                    pv.kubernetes.io/provisioned-by: topolvm.io
                spec:
                  storageClassName: lvms-vg1
                  capacity:
                    storage: 1Gi
                  accessModes: [ReadWriteOnce]
                  volumeMode: Filesystem
                  persistentVolumeReclaimPolicy: Delete
                  claimRef:
                    apiVersion: v1
                    kind: PersistentVolumeClaim
                    namespace: default
                    name: data-ID
                    uid: CLAIM
                  csi:
                    driver: topolvm.io
                    fsType: xfs
                    volumeHandle: HANDLE
                  nodeAffinity:
                    required:
                      nodeSelectorTerms:
                        - matchExpressions:
                            - key: topology.topolvm.io/node
                              operator: In
                              values: [NODE]
                """;
        var persistent =
                apply(
                        Types.PV,
                        text.replace("CLAIM", claim.uid()).replace("HANDLE", volume.uid()),
                        id);
        status(
                LogicalVolume.TYPE,
                volume,
                "volumeID",
                volume.uid(),
                "currentSize",
                "1Gi",
                "volumeGroupUUID",
                GROUP_UUID,
                "nodeUID",
                nodeUid());
        status(Types.PV, persistent, "phase", "Bound");
        status(Types.PVC, claim, "phase", "Bound");
    }

    private String nodeUid() throws ApiException, InterruptedException {
        return kube.get(Types.NODE, ObjectKey.cluster(Cluster.NODE)).uid();
    }

    private KubeObject apply(ResourceType type, String text, String id)
            throws ApiException, InterruptedException {
        var yaml = text.replace("ID", id).replace("NODE", Cluster.NODE);
        return kube.apply(type, KubeObject.of(Yaml.read(yaml).asObject()));
    }

    private void status(ResourceType type, KubeObject object, String... fields)
            throws ApiException, InterruptedException {
        var status = ObjectTree.builder();
        for (int i = 0; i < fields.length; i += 2) {
            status.put(fields[i], fields[i + 1]);
        }
        var patch = ObjectTree.builder();
        patch.put("status", status.build());
        kube.mergePatchStatus(type, object.key(), patch.build());
    }
}
