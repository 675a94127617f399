package lvms.operator.volume;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.api.attribute.VolumeAttributes;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.Deletion;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.operator.informer.OperatorInformers;

import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * The LogicalVolume objects: read from a cache that shows our own writes at once, and written with
 * one request each. Any thread may use it.
 */
public final class VolumeStore {
    private final KubeClient kube;
    private final Driver driver;
    private final Informer informer;
    private final InstantSource clock;

    VolumeStore(KubeClient kube, Driver driver, Informer informer, InstantSource clock) {
        this.kube = kube;
        this.driver = driver;
        this.clock = clock;
        this.informer = informer;
    }

    /** Returns the cache, for controllers to watch. */
    public Informer informer() {
        return informer;
    }

    /** Returns the volume or snapshot whose object has this name. */
    public Optional<LogicalVolume> find(String name) {
        return informer.get(ObjectKey.cluster(name)).map(LogicalVolume::tolerant);
    }

    /** Reads the object from the server, past the cache. */
    public Optional<LogicalVolume> read(String name) throws ApiException, InterruptedException {
        var found = kube.find(driver.logicalVolumes(), ObjectKey.cluster(name));
        found.ifPresent(informer::observed);
        return found.map(LogicalVolume::tolerant);
    }

    /**
     * Returns the volume or snapshot with this id, see {@link OperatorInformers#withId}.
     *
     * @throws VolumeException INTERNAL if several objects have the id and none has that UID
     */
    public Optional<LogicalVolume> byId(String id) throws VolumeException {
        var found = OperatorInformers.withId(informer, id);
        if (found.size() > 1) {
            throw new VolumeException(
                    StatusCode.INTERNAL,
                    ("several LogicalVolumes have the id %s: %s; clear status.volumeID of the"
                                    + " wrong ones")
                            .formatted(
                                    id,
                                    found.stream()
                                            .map(KubeObject::name)
                                            .sorted()
                                            .collect(Collectors.joining(", "))));
        }
        return found.stream().findFirst().map(LogicalVolume::tolerant);
    }

    /** Returns the volumes and snapshots with this id: several, if objects were copied. */
    public List<LogicalVolume> withId(String id) {
        return OperatorInformers.withId(informer, id).stream()
                .map(LogicalVolume::tolerant)
                .toList();
    }

    /** Returns the volumes that are marked as being provisioned for a claim of this name. */
    public List<LogicalVolume> ofClaim(ObjectKey claim) {
        return informer.byIndex(OperatorInformers.BY_CLAIM, claim.toString()).stream()
                .map(LogicalVolume::tolerant)
                .toList();
    }

    /** Returns the snapshots, restores and clones of the object of this name. */
    public List<LogicalVolume> cutFrom(String name) {
        return informer.byIndex(OperatorInformers.BY_SOURCE, name).stream()
                .map(LogicalVolume::tolerant)
                .toList();
    }

    /** Returns the snapshots of one group, sorted by name. */
    public List<LogicalVolume> ofGroup(String id) {
        return all().stream()
                .filter(LogicalVolume::isSnapshot)
                .filter(volume -> GroupSnapshot.idOf(volume).equals(id))
                .toList();
    }

    /** Returns everything, sorted by name. */
    public List<LogicalVolume> all() {
        return informer.list().stream()
                .map(LogicalVolume::tolerant)
                .sorted((a, b) -> a.name().compareTo(b.name()))
                .toList();
    }

    LogicalVolume create(KubeObject object) throws ApiException, InterruptedException {
        return LogicalVolume.tolerant(informer.create(object));
    }

    /** Deletes exactly this object; its node removes the logical volume first. */
    public Deletion delete(LogicalVolume volume) throws ApiException, InterruptedException {
        return kube.delete(
                driver.logicalVolumes(), volume.object().key(), DeleteOptions.uid(volume.uid()));
    }

    /**
     * Asks the node for another size.
     *
     * @param limitBytes the most that the caller accepts, 0 for any
     */
    LogicalVolume resize(LogicalVolume volume, long bytes, long limitBytes)
            throws ApiException, InterruptedException {
        var patch =
                MergePatch.of(volume.object())
                        .annotation(driver.resizeRequestedAnnotation(), goTime(clock.instant()))
                        .set(Quantity.ofBytes(bytes).toString(), "spec", "size");
        var limit = driver.sizeLimitAnnotation();
        return LogicalVolume.tolerant(
                informer.patch(
                        limitBytes == 0
                                ? patch.withoutAnnotation(limit)
                                : patch.annotation(limit, Long.toString(limitBytes))));
    }

    /** Asks the node for other attributes, or once more for those that it refused. */
    LogicalVolume ask(LogicalVolume volume, VolumeAttributes attributes)
            throws ApiException, InterruptedException {
        return LogicalVolume.tolerant(
                informer.patch(
                        MergePatch.of(volume.object())
                                .annotation(driver.attributesAnnotation(), attributes.text())
                                .withoutAnnotation(driver.refusedAttributesAnnotation())));
    }

    /** Forgets the last failure, so that the next one can be told apart from it. */
    LogicalVolume clearFailure(LogicalVolume volume) throws ApiException, InterruptedException {
        return LogicalVolume.tolerant(
                informer.patchStatus(
                        MergePatch.of(volume.object())
                                .without("status", "code")
                                .without("status", "message")));
    }

    /**
     * Replaces the mark of the claim, which has its PersistentVolume now, by the id of the volume:
     * so a backup of the object leads to the volume.
     */
    public void unmark(LogicalVolume volume) throws ApiException, InterruptedException {
        var patch = MergePatch.of(volume.object()).withoutAnnotation(driver.claimAnnotation());
        var id = volume.status().volumeId();
        informer.patch(id.isEmpty() ? patch : patch.annotation(driver.volumeIdAnnotation(), id));
    }

    private static String goTime(Instant time) {
        return GoTime.FORMAT.format(time.atOffset(ZoneOffset.UTC)) + " +0000 UTC";
    }

    /** Go's default text of a time, which TopoLVM writes; made only when first needed. */
    private static final class GoTime {
        private static final DateTimeFormatter FORMAT =
                DateTimeFormatter.ofPattern("yyyy-MM-dd HH:mm:ss.nnnnnnnnn");
    }
}
