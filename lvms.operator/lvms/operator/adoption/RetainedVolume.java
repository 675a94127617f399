package lvms.operator.adoption;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.operator.claim.ClaimMark;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A volume that no claim has, and how a person deletes it with its data. Its PersistentVolume goes
 * first, and only if nobody has changed it since it was shown: a claim that got it meanwhile keeps
 * it. The node then removes the volume of the LogicalVolume.
 */
public final class RetainedVolume {
    private static final Driver DRIVER = Driver.TOPOLVM;

    private final KubeClient kube;
    private final Optional<KubeObject> persistentVolume;
    private final Optional<LogicalVolume> object;

    private RetainedVolume(
            KubeClient kube,
            Optional<KubeObject> persistentVolume,
            Optional<LogicalVolume> object) {
        this.kube = kube;
        this.persistentVolume = persistentVolume;
        this.object = object;
    }

    /**
     * Finds a volume by the name of its PersistentVolume, or of its LogicalVolume if it has none.
     *
     * @param kube with the rights of the person who asks
     * @throws NotAdoptable if there is none of ours, or somebody has it
     */
    public static RetainedVolume find(KubeClient kube, String name)
            throws ApiException, NotAdoptable, InterruptedException {
        var pv = kube.find(Types.PV, ObjectKey.cluster(name));
        if (pv.isPresent()) {
            requireFree(pv.get());
            return new RetainedVolume(kube, pv, objectOf(kube, handle(pv.get())));
        }
        var object =
                kube.find(DRIVER.logicalVolumes(), ObjectKey.cluster(name))
                        .map(LogicalVolume::tolerant)
                        .orElseThrow(
                                () ->
                                        new NotAdoptable(
                                                "there is no PersistentVolume and no LogicalVolume "
                                                        + name));
        requireOrphan(kube, object);
        return new RetainedVolume(kube, pv, Optional.of(object));
    }

    private static void requireFree(KubeObject pv) throws NotAdoptable {
        var driver = pv.text("spec", "csi", "driver").orElse("none");
        if (!driver.equals(DRIVER.name())) {
            throw new NotAdoptable(
                    "PersistentVolume " + pv.name() + " is of the driver " + driver + ", not ours");
        }
        var phase = pv.text("status", "phase").orElse("Pending");
        if (!phase.equals("Released") && !phase.equals("Available") && !phase.equals("Failed")) {
            throw new NotAdoptable(
                    "PersistentVolume "
                            + pv.name()
                            + " is "
                            + phase
                            + ": delete its claim "
                            + claim(pv)
                            + " first");
        }
    }

    private static void requireOrphan(KubeClient kube, LogicalVolume object)
            throws ApiException, NotAdoptable, InterruptedException {
        var subject = "LogicalVolume " + object.name();
        if (object.state() != LogicalVolume.State.READY
                || ClaimMark.of(object.object(), DRIVER).isPresent()) {
            throw new NotAdoptable(subject + " is being made, handed out or removed");
        }
        for (var type : List.of(Types.PV, Types.VOLUME_SNAPSHOT_CONTENT)) {
            var holder = kube.serves(type) ? holder(kube, type, object) : Optional.<String>empty();
            if (holder.isPresent()) {
                throw new NotAdoptable(subject + " belongs to " + holder.get());
            }
        }
    }

    private static Optional<String> holder(KubeClient kube, ResourceType type, LogicalVolume object)
            throws ApiException, InterruptedException {
        return kube.list(type, ListOptions.all()).items().stream()
                .filter(named -> handles(named).anyMatch(object.volumeName()::equals))
                .map(named -> type.kind() + " " + named.name())
                .findFirst();
    }

    private static Stream<String> handles(KubeObject named) {
        return Stream.of(
                        named.text("spec", "csi", "volumeHandle"),
                        named.text("status", "snapshotHandle"),
                        named.text("spec", "source", "snapshotHandle"))
                .flatMap(Optional::stream);
    }

    private static Optional<LogicalVolume> objectOf(KubeClient kube, String handle)
            throws ApiException, InterruptedException {
        return kube.list(DRIVER.logicalVolumes(), ListOptions.all()).items().stream()
                .map(LogicalVolume::tolerant)
                .filter(object -> object.volumeName().equals(handle))
                .findFirst();
    }

    private static String handle(KubeObject pv) {
        return pv.text("spec", "csi", "volumeHandle").orElse("");
    }

    private static String claim(KubeObject pv) {
        return pv.text("spec", "claimRef", "namespace").orElse("")
                + "/"
                + pv.text("spec", "claimRef", "name").orElse("");
    }

    /** Returns what will be deleted, in one line. */
    public String line() {
        var subject =
                persistentVolume.isPresent()
                        ? "PersistentVolume " + persistentVolume.get().name()
                        : "LogicalVolume " + object.orElseThrow().name();
        var claim =
                persistentVolume
                        .filter(pv -> pv.object("spec", "claimRef").isPresent())
                        .map(pv -> ", last claim " + claim(pv))
                        .orElse("");
        var place =
                object.map(
                                o ->
                                        ", "
                                                + Quantity.ofBytes(o.bytes())
                                                + " of class "
                                                + o.spec().deviceClass()
                                                + " on node "
                                                + o.spec().nodeName())
                        .orElse(", which has no LogicalVolume");
        return subject + claim + place + ": it and its data will be deleted";
    }

    /**
     * Deletes it; the node removes its data soon after.
     *
     * @throws ApiException.Conflict if the PersistentVolume was changed since {@link #find}
     */
    public void delete() throws ApiException, InterruptedException {
        if (persistentVolume.isPresent()) {
            var pv = persistentVolume.get();
            kube.delete(
                    Types.PV,
                    pv.key(),
                    DeleteOptions.uid(pv.uid()).resourceVersion(pv.resourceVersion()));
        }
        if (object.isPresent()) {
            var volume = object.get().object();
            kube.delete(DRIVER.logicalVolumes(), volume.key(), DeleteOptions.uid(volume.uid()));
        }
    }
}
