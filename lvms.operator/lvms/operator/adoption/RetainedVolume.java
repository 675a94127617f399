package lvms.operator.adoption;

import lvms.api.Drivers;
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

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * A volume that no claim has, and how a person deletes it with its data. Its PersistentVolume goes
 * first, and only if nobody has changed it since it was shown: a claim that got it meanwhile keeps
 * it. The node then removes the volume of the LogicalVolume.
 */
public final class RetainedVolume {
    private static final Set<String> FREE = Set.of("Released", "Available", "Failed");

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
        var known = KnownVolumes.read(kube);
        var pv = kube.find(Types.PV, ObjectKey.cluster(name));
        if (pv.isPresent()) {
            requireOurs(pv.get(), known.drivers());
            requireFree(pv.get());
            return of(kube, known, pv.get());
        }
        var object =
                known.objects().stream()
                        .filter(volume -> volume.name().equals(name))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new NotAdoptable(
                                                "there is no PersistentVolume and no LogicalVolume "
                                                        + name));
        requireOrphan(kube, known, object);
        return new RetainedVolume(kube, pv, Optional.of(object));
    }

    /**
     * Volumes that were found, and why others were not.
     *
     * @param volumes in the order of their names
     * @param refusals one line each
     */
    public record Found(List<RetainedVolume> volumes, List<String> refusals) {}

    /**
     * Finds all that were released before some time and that nobody but a person removes: their
     * policy is Retain. Where the server does not say since when, it is not long enough.
     *
     * @param kube with the rights of the person who asks
     */
    public static Found releasedBefore(KubeClient kube, Instant time)
            throws ApiException, InterruptedException {
        var known = KnownVolumes.read(kube);
        var volumes = new ArrayList<RetainedVolume>();
        var refusals = new ArrayList<String>();
        for (var pv : known.persistentVolumes()) {
            if (isReleasedBefore(pv, time)) {
                try {
                    volumes.add(of(kube, known, pv));
                } catch (NotAdoptable e) {
                    refusals.add("PersistentVolume " + pv.name() + ": " + e.getMessage());
                }
            }
        }
        volumes.sort(Comparator.comparing(RetainedVolume::name));
        return new Found(List.copyOf(volumes), List.copyOf(refusals));
    }

    private static boolean isReleasedBefore(KubeObject pv, Instant time) {
        return !pv.terminating()
                && pv.text("status", "phase").filter("Released"::equals).isPresent()
                && pv.text("spec", "persistentVolumeReclaimPolicy")
                        .filter("Retain"::equals)
                        .isPresent()
                && pv.time("status", "lastPhaseTransitionTime").filter(time::isAfter).isPresent();
    }

    private static RetainedVolume of(KubeClient kube, KnownVolumes known, KubeObject pv)
            throws NotAdoptable {
        var id = KnownVolumes.handle(pv);
        known.persistentVolume(id); // another one may be in use
        return new RetainedVolume(kube, Optional.of(pv), known.object(id));
    }

    /** Whether no claim has a PersistentVolume; a new one, without a phase, may get one yet. */
    public static boolean isFree(KubeObject persistentVolume) {
        return persistentVolume.text("status", "phase").filter(FREE::contains).isPresent();
    }

    private static void requireOurs(KubeObject pv, Drivers drivers) throws NotAdoptable {
        if (drivers.ofVolume(pv).isEmpty()) {
            var driver = pv.text("spec", "csi", "driver").orElse("none");
            throw new NotAdoptable(
                    "PersistentVolume " + pv.name() + " is of the driver " + driver + ", not ours");
        }
    }

    private static void requireFree(KubeObject pv) throws NotAdoptable {
        if (isFree(pv)) {
            return;
        }
        var phase = pv.text("status", "phase").orElse("Pending");
        throw new NotAdoptable(
                "PersistentVolume "
                        + pv.name()
                        + " is "
                        + phase
                        + (phase.equals("Pending")
                                ? ": Kubernetes has not looked at it yet"
                                : ": delete its claim " + claim(pv) + " first"));
    }

    private static void requireOrphan(KubeClient kube, KnownVolumes known, LogicalVolume object)
            throws ApiException, NotAdoptable, InterruptedException {
        var subject = "LogicalVolume " + object.name();
        if (object.state() != LogicalVolume.State.READY
                || ClaimMark.of(object.object(), object.driver()).isPresent()) {
            throw new NotAdoptable(subject + " is being made, handed out or removed");
        }
        for (var type : List.of(Types.PV, Types.VOLUME_SNAPSHOT_CONTENT)) {
            var holder = kube.serves(type) ? holder(kube, type, object) : Optional.<String>empty();
            if (holder.isPresent()) {
                throw new NotAdoptable(subject + " belongs to " + holder.get());
            }
        }
        known.requireOwner(object);
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

    private static String claim(KubeObject pv) {
        return pv.text("spec", "claimRef", "namespace").orElse("")
                + "/"
                + pv.text("spec", "claimRef", "name").orElse("");
    }

    private String name() {
        return persistentVolume.map(KubeObject::name).orElseGet(() -> object.orElseThrow().name());
    }

    /** Returns what will be deleted, in one line. */
    public String line() {
        var subject =
                persistentVolume.isPresent()
                        ? "PersistentVolume " + name()
                        : "LogicalVolume " + name();
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
            var type = object.get().driver().logicalVolumes();
            kube.delete(type, volume.key(), DeleteOptions.uid(volume.uid()));
        }
    }
}
