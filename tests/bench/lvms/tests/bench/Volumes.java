package lvms.tests.bench;

import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.ClientOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.tests.training.Cluster;

import java.nio.file.Path;
import java.util.Collections;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntFunction;

/** Bound volumes of the driver, as they look at rest. */
public final class Volumes {
    private static final String GROUP_UUID = "rOiJZS-tVWJ-RKl5-4xYR-S9Ch-eviH-2Dyen9";

    /** Who makes 600,000 requests waits for the server, not for each of its answers. */
    private static final int AT_ONCE = 32;

    private static final int NO_LIMIT = 100_000;

    private static final String CLAIM =
            """
            apiVersion: v1
            kind: PersistentVolumeClaim
            metadata:
              name: data-$ID
              namespace: default
              annotations:
                pv.kubernetes.io/bind-completed: "yes"
                pv.kubernetes.io/bound-by-controller: "yes"
                volume.beta.kubernetes.io/storage-provisioner: topolvm.io
                volume.kubernetes.io/selected-node: $NODE
                volume.kubernetes.io/storage-provisioner: topolvm.io
            spec:
              storageClassName: lvms-vg1
              volumeName: pvc-$ID
              volumeMode: Filesystem
              accessModes: [ReadWriteOnce]
              resources:
                requests:
                  storage: 1Gi
            """;
    private static final String LOGICAL_VOLUME =
            """
            apiVersion: topolvm.io/v1
            kind: LogicalVolume
            metadata:
              name: pvc-$ID
              labels:
                app.kubernetes.io/created-by: topolvm-controller
              annotations:
                topolvm.io/claim: default/data-$ID
                topolvm.io/volume-mode: Filesystem
              finalizers: [topolvm.io/logicalvolume]
            spec:
              name: pvc-$ID
              nodeName: $NODE
              deviceClass: vg1
              size: 1Gi
            """;
    private static final String PERSISTENT_VOLUME =
            """
            apiVersion: v1
            kind: PersistentVolume
            metadata:
              name: pvc-$ID
              labels:
                kubernetes.io/hostname: $NODE
              annotations:
                pv.kubernetes.io/provisioned-by: topolvm.io
                volume.kubernetes.io/provisioner-deletion-secret-name: ""
                volume.kubernetes.io/provisioner-deletion-secret-namespace: ""
              finalizers: [external-provisioner.volume.kubernetes.io/finalizer]
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
                name: data-$ID
                uid: $CLAIM
              csi:
                driver: topolvm.io
                fsType: xfs
                volumeHandle: $HANDLE
                volumeAttributes:
                  storage.kubernetes.io/csiProvisionerIdentity: 1795750000000-1234-topolvm.io
              nodeAffinity:
                required:
                  nodeSelectorTerms:
                    - matchExpressions:
                        - key: topology.topolvm.io/node
                          operator: In
                          values: [$NODE]
            """;
    private static final ObjectTree CLAIM_BOUND =
            Yaml.read(
                            """
                            phase: Bound
                            accessModes: [ReadWriteOnce]
                            capacity:
                              storage: 1Gi
                            """)
                    .asObject();
    private static final ObjectTree VOLUME_BOUND = Yaml.read("phase: Bound\n").asObject();

    private final KubeClient kube;
    private final IntFunction<KubeObject> nodes;

    /**
     * Prepares them.
     *
     * @param nodes the Node that has the volume of a number
     */
    public Volumes(KubeClient kube, IntFunction<KubeObject> nodes) {
        this.kube = kube.withFieldManager("bench");
        this.nodes = nodes;
    }

    /**
     * Makes volumes that are all on the node of a cluster in memory, as fast as it takes them: its
     * own client would send 300 requests a second.
     */
    static void make(Cluster cluster, int count) throws Exception {
        var kubeconfig = Path.of(cluster.environment("default").get("KUBECONFIG"));
        var config = KubeConfig.load(Optional.of(kubeconfig));
        var options = ClientOptions.of("bench/1").rateLimit(NO_LIMIT, NO_LIMIT);
        try (var kube = KubeClient.open(config, options)) {
            var node = kube.get(Types.NODE, ObjectKey.cluster(Cluster.NODE));
            new Volumes(kube, _ -> node).make(0, count);
        }
    }

    /**
     * Makes claim, PersistentVolume and LogicalVolume of each number from the first one to below
     * the second one, many at a time.
     */
    public void make(int from, int to) throws ExecutionException, InterruptedException {
        var next = new AtomicInteger(from);
        Callable<Void> worker =
                () -> {
                    try {
                        for (int i = next.getAndIncrement(); i < to; i = next.getAndIncrement()) {
                            make("00000000-0000-4000-8000-%012d".formatted(i), nodes.apply(i));
                        }
                        return null;
                    } finally {
                        next.set(to); // if one fails, the others need not go on
                    }
                };
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var done : threads.invokeAll(Collections.nCopies(AT_ONCE, worker))) {
                done.get();
            }
        }
    }

    private void make(String id, KubeObject node) throws ApiException, InterruptedException {
        var claim = create(Types.PVC, CLAIM, id, node);
        var volume = create(LogicalVolume.TYPE, LOGICAL_VOLUME, id, node);
        var text =
                PERSISTENT_VOLUME.replace("$CLAIM", claim.uid()).replace("$HANDLE", volume.uid());
        var persistent = create(Types.PV, text, id, node);
        made(volume, node);
        bound(claim, persistent);
    }

    private KubeObject create(ResourceType type, String text, String id, KubeObject node)
            throws ApiException, InterruptedException {
        var yaml = text.replace("$ID", id).replace("$NODE", node.name());
        return kube.create(type, KubeObject.of(Yaml.read(yaml).asObject()));
    }

    /** Writes what the node's agent writes when it has made a volume. */
    public void made(KubeObject volume, KubeObject node) throws ApiException, InterruptedException {
        var status = ObjectTree.builder();
        status.put("volumeID", volume.uid());
        status.put("currentSize", "1Gi");
        status.put("volumeGroupUUID", GROUP_UUID);
        status.put("nodeUID", node.uid());
        var patch = MergePatch.of(volume).status(status.build());
        kube.mergePatchStatus(LogicalVolume.TYPE, patch);
    }

    /** Writes the phases of a claim and its PersistentVolume, which name each other. */
    public void bound(KubeObject claim, KubeObject persistent)
            throws ApiException, InterruptedException {
        kube.mergePatchStatus(Types.PV, MergePatch.of(persistent).status(VOLUME_BOUND));
        kube.mergePatchStatus(Types.PVC, MergePatch.of(claim).status(CLAIM_BOUND));
    }
}
