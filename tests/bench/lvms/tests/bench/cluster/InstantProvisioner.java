package lvms.tests.bench.cluster;

import static java.lang.System.Logger.Level.WARNING;

import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A provisioner that answers at once, with volumes of nothing: what is left is the time that
 * Kubernetes itself takes.
 */
public final class InstantProvisioner implements AutoCloseable {
    private static final String CLASS = "floor";
    private static final String NAME = "floor.bench";
    private static final Duration SYNC = Duration.ofSeconds(30);

    private final KubeClient kube;
    private final Informer claims;
    private final Informer volumes;
    private final Set<String> answered = ConcurrentHashMap.newKeySet();
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    private InstantProvisioner(KubeClient kube) {
        this.kube = kube.withFieldManager(NAME);
        claims = Informer.of(kube, Types.PVC).build();
        volumes = Informer.of(kube, Types.PV).build();
        claims.addHandler((_, after) -> after.ifPresent(this::claimSeen));
        volumes.addHandler((_, after) -> after.ifPresent(this::volumeSeen));
    }

    /**
     * Starts it, with its StorageClass.
     *
     * @param binding when claims of the class get their volume
     */
    public static InstantProvisioner start(KubeClient kube, String binding) throws Exception {
        var storageClass =
                KubeObject.create(Types.STORAGE_CLASS, ObjectKey.cluster(CLASS))
                        .with(NAME, "provisioner")
                        .with(binding, "volumeBindingMode");
        kube.withFieldManager(NAME).apply(Types.STORAGE_CLASS, storageClass);
        var driver =
                KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster(NAME))
                        .with(false, "spec", "attachRequired");
        kube.withFieldManager(NAME).apply(Types.CSI_DRIVER, driver);
        var provisioner = new InstantProvisioner(kube);
        for (var informer : Set.of(provisioner.claims, provisioner.volumes)) {
            informer.start();
            informer.awaitSync(SYNC);
        }
        return provisioner;
    }

    public String storageClass() {
        return CLASS;
    }

    /** As every provisioner, it waits until the controller manager has said that it is its turn. */
    private void claimSeen(KubeObject claim) {
        var turn = claim.annotation("volume.kubernetes.io/storage-provisioner");
        if (turn.equals(Optional.of(NAME)) && answered.add(claim.uid())) {
            answer(() -> kube.create(Types.PV, volumeOf(claim)));
        }
    }

    private static KubeObject volumeOf(KubeObject claim) {
        var name = "pvc-" + claim.uid();
        var spec =
                """
                storageClassName: %s
                persistentVolumeReclaimPolicy: Delete
                accessModes: [ReadWriteOnce]
                capacity: {storage: %s}
                csi: {driver: %s, volumeHandle: %s}
                claimRef: {apiVersion: v1, kind: PersistentVolumeClaim,
                           namespace: %s, name: %s, uid: %s}
                """
                        .formatted(
                                CLASS,
                                claim.text("spec", "resources", "requests", "storage")
                                        .orElseThrow(),
                                NAME,
                                name,
                                claim.namespace(),
                                claim.name(),
                                claim.uid());
        return KubeObject.create(Types.PV, ObjectKey.cluster(name))
                .with(NAME, "metadata", "annotations", "pv.kubernetes.io/provisioned-by")
                .with(Yaml.read(spec), "spec");
    }

    private void volumeSeen(KubeObject volume) {
        boolean released = volume.text("status", "phase").equals(Optional.of("Released"));
        boolean ours = volume.text("spec", "storageClassName").equals(Optional.of(CLASS));
        if (ours && released && !volume.terminating()) {
            answer(() -> kube.delete(Types.PV, volume.key(), DeleteOptions.uid(volume.uid())));
        }
    }

    private void answer(Callable<?> work) {
        threads.submit(
                () -> {
                    try {
                        work.call();
                    } catch (ApiException e) {
                        System.getLogger(NAME).log(WARNING, "the floor is not level", e);
                    }
                    return null;
                });
    }

    @Override
    public void close() {
        claims.close();
        volumes.close();
        threads.shutdownNow();
    }
}
