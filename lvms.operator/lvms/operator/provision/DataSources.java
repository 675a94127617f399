package lvms.operator.provision;

import lvms.api.Driver;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.operator.claim.Claim;
import lvms.operator.informer.OperatorInformers;
import lvms.operator.volume.Origin;

import java.util.Optional;
import java.util.function.Consumer;

/** Finds the source that a claim's volume is copied from, and protects it during the copy. */
final class DataSources {
    /** Finalizer of a claim that volumes are being cloned from. */
    static final String CLONING = "provisioner.storage.kubernetes.io/cloning-protection";

    /** Finalizer of a snapshot that volumes are being restored from. */
    static final String RESTORING =
            "provisioner.storage.kubernetes.io/volumesnapshot-as-source-protection";

    private static final String MODE_CHANGE =
            "snapshot.storage.kubernetes.io/allow-volume-mode-change";

    private final KubeClient kube;
    private final OperatorInformers informers;
    private final ReferenceGrants grants;
    private final Consumer<ObjectKey> onProtection;

    /**
     * Builds it.
     *
     * @param grants what may be copied from other namespaces
     * @param onProtection told of each snapshot that may have got the finalizer: the claim may have
     *     gone meanwhile, and its end found nothing to take off
     */
    DataSources(
            KubeClient kube,
            OperatorInformers informers,
            ReferenceGrants grants,
            Consumer<ObjectKey> onProtection) {
        this.kube = kube;
        this.informers = informers;
        this.grants = grants;
        this.onProtection = onProtection;
    }

    /**
     * Returns the origin of the claim's volume.
     *
     * @param driver driver of the claim; nothing is copied from one driver to another
     * @param bytes what the claim's volume will have: a filesystem may need more than was asked
     *     for, and who asked so for the source asks so for the copy
     * @throws VolumeException if the source cannot be used, or cannot be used yet
     */
    Origin resolve(Driver driver, Claim claim, long bytes, Claim.DataSource source)
            throws VolumeException, ApiException, InterruptedException {
        grants.require(claim, source);
        var key = source.key(claim.key());
        return source.isSnapshot()
                ? snapshot(driver, claim, bytes, key)
                : clone(driver, claim, bytes, key);
    }

    /**
     * Returns the origin of a copy that was begun. It was judged and protected before that; if it
     * has grown or gone since, the copy is none the worse.
     *
     * @param id id of the source, empty if it is gone
     */
    static Origin ofCopy(String id, Claim.DataSource source) {
        return source.isSnapshot() ? new Origin.FromSnapshot(id) : new Origin.FromVolume(id);
    }

    private Origin clone(Driver driver, Claim claim, long bytes, ObjectKey key)
            throws VolumeException, ApiException, InterruptedException {
        var source =
                informers
                        .claims()
                        .get(key)
                        .map(Claim::new)
                        .orElseThrow(() -> notYet("source claim " + key + " does not exist"));
        var volume = boundVolume(driver, source);
        check(
                !source.object().terminating() || isProtected(source.object(), CLONING),
                "source claim " + key + " is being deleted");
        check(
                bytes >= capacity(volume),
                "the claim is smaller than its source, which has " + capacity(volume) + " bytes");
        check(
                claim.volumeMode().equals(source.volumeMode()),
                "the claim's volume mode differs from that of its source");
        if (!isProtected(source.object(), CLONING)) {
            informers.claims().addFinalizer(source.object(), CLONING);
        }
        return new Origin.FromVolume(handle(volume));
    }

    /** A driver that was converted has its volumes among those of another one. */
    private boolean sharesVolumes(Driver driver, Optional<String> other) {
        return other.flatMap(informers.drivers()::named)
                .filter(found -> found.group().equals(driver.group()))
                .isPresent();
    }

    private KubeObject boundVolume(Driver driver, Claim source)
            throws VolumeException, ApiException, InterruptedException {
        var volume =
                volume(source)
                        .orElseThrow(
                                () -> notYet("source claim " + source.key() + " is not bound"));
        check(
                sharesVolumes(driver, volume.text("spec", "csi", "driver")),
                "the source's volume belongs to another driver");
        check(bound(volume, source), "source claim " + source.key() + " is not bound");
        return volume;
    }

    /** Claims and volumes come by two watches: one may show a binding before the other does. */
    private Optional<KubeObject> volume(Claim source) throws ApiException, InterruptedException {
        var key = ObjectKey.cluster(source.volumeName());
        var cached = informers.persistentVolumes().get(key).filter(v -> bound(v, source));
        return cached.isPresent() || !source.bound() ? cached : kube.find(Types.PV, key);
    }

    private static boolean bound(KubeObject volume, Claim source) {
        return volume.text("spec", "claimRef", "uid").orElse("").equals(source.uid())
                && volume.text("status", "phase").orElse("").equals("Bound");
    }

    private Origin snapshot(Driver driver, Claim claim, long bytes, ObjectKey key)
            throws VolumeException, ApiException, InterruptedException {
        var snapshot =
                kube.find(Types.VOLUME_SNAPSHOT, key)
                        .orElseThrow(() -> notYet("snapshot " + key + " does not exist"));
        check(
                !snapshot.terminating() || isProtected(snapshot, RESTORING),
                "snapshot " + key + " is being deleted");
        var content = boundContent(driver, snapshot);
        var handle = content.text("status", "snapshotHandle").orElse("");
        var error = content.text("status", "error", "message").map(text -> ": " + text);
        check(
                content.flag("status", "readyToUse").orElse(false) && !handle.isEmpty(),
                "snapshot " + key + " is not ready" + error.orElse(""));
        long needed = content.number("status", "restoreSize").orElse(0);
        check(
                bytes >= needed,
                "the claim is smaller than its snapshot, which has " + needed + " bytes");
        checkMode(claim, content);
        if (!isProtected(snapshot, RESTORING)) {
            try {
                kube.addFinalizer(Types.VOLUME_SNAPSHOT, snapshot, RESTORING);
            } finally {
                onProtection.accept(key);
            }
        }
        return new Origin.FromSnapshot(handle, content.text("spec", "sourceVolumeMode"));
    }

    private KubeObject boundContent(Driver driver, KubeObject snapshot)
            throws VolumeException, ApiException, InterruptedException {
        var name = snapshot.text("status", "boundVolumeSnapshotContentName").orElse("");
        check(!name.isEmpty(), "snapshot " + snapshot.key() + " is not bound");
        var content =
                kube.find(Types.VOLUME_SNAPSHOT_CONTENT, ObjectKey.cluster(name))
                        .orElseThrow(() -> notYet("snapshot content " + name + " does not exist"));
        check(
                content.text("spec", "volumeSnapshotRef", "uid").orElse("").equals(snapshot.uid()),
                "snapshot content " + name + " belongs to another snapshot");
        check(
                sharesVolumes(driver, content.text("spec", "driver")),
                "the snapshot belongs to another driver");
        return content;
    }

    private static void checkMode(Claim claim, KubeObject content) throws VolumeException {
        var mode = content.text("spec", "sourceVolumeMode").orElse(claim.volumeMode());
        check(
                mode.equals(claim.volumeMode())
                        || content.annotation(MODE_CHANGE).orElse("").equals("true"),
                "the claim's volume mode differs from that of the snapshot, and the content's"
                        + " annotation "
                        + MODE_CHANGE
                        + " does not allow it");
    }

    private static boolean isProtected(KubeObject object, String finalizer) {
        return object.finalizers().contains(finalizer);
    }

    private static long capacity(KubeObject volume) {
        return volume.value("spec", "capacity", "storage")
                .map(Quantity::parse)
                .map(Quantity::bytes)
                .orElse(0L);
    }

    private static String handle(KubeObject volume) {
        return volume.text("spec", "csi", "volumeHandle").orElse("");
    }

    private static void check(boolean holds, String otherwise) throws VolumeException {
        if (!holds) {
            throw notYet(otherwise);
        }
    }

    private static VolumeException notYet(String text) {
        return new VolumeException(StatusCode.FAILED_PRECONDITION, text);
    }
}
