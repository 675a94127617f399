package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.attribute.AttributeChange;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Times;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.time.Instant;
import java.util.LinkedHashSet;
import java.util.Optional;

/**
 * Writes to LogicalVolume objects: one patch for finalizer and label, one for the status, none if
 * nothing changes. Each patch carries the UID, so that it cannot hit a successor of the same name.
 * Any thread may call.
 */
final class VolumeStatusWriter {
    private final Informer volumes;

    VolumeStatusWriter(Informer volumes) {
        this.volumes = volumes;
    }

    /** Sets finalizer and label; refused if somebody changed the object meanwhile. */
    LogicalVolume claim(LogicalVolume volume) throws ApiException, InterruptedException {
        var finalizers = new LinkedHashSet<>(volume.object().finalizers());
        finalizers.add(volume.driver().volumeFinalizer());
        return LogicalVolume.of(
                volumes.patch(
                        MergePatch.of(volume.object())
                                .ifUnchanged()
                                .finalizers(finalizers)
                                .label(Names.CREATED_BY_LABEL, Names.CREATED_BY)));
    }

    /** Keeps the id of the volume that the object had before it was made again. */
    void remember(LogicalVolume volume, String id) throws ApiException, InterruptedException {
        volumes.patch(
                MergePatch.of(volume.object())
                        .annotation(volume.driver().volumeIdAnnotation(), id));
    }

    /** Writes that the volume is there as before, and forgets an earlier failure. */
    void recovered(LogicalVolume volume) throws ApiException, InterruptedException {
        succeeded(volume, volume.status().volumeId(), volume.bytes(), volume.status().home());
    }

    /**
     * Writes that the volume is there, and forgets an earlier failure.
     *
     * @param home where it is; empty leaves what is recorded
     * @return the object, as the server has it
     */
    LogicalVolume succeeded(
            LogicalVolume volume,
            String volumeId,
            long sizeBytes,
            Optional<LogicalVolume.Home> home)
            throws ApiException, InterruptedException {
        var size = Quantity.ofBytes(sizeBytes);
        var now = volume.status();
        boolean same =
                now.volumeId().equals(volumeId)
                        && now.code() == StatusCode.OK
                        && now.currentSize().filter(size::equals).isPresent()
                        && (home.isEmpty() || now.home().equals(home));
        if (same) {
            return volume;
        }
        var status = ObjectTree.builder();
        status.put("volumeID", volumeId);
        status.put("currentSize", size.toString());
        status.put("code", Tree.NULL);
        status.put("message", Tree.NULL);
        home.ifPresent(where -> where.addTo(status));
        return patch(volume, status.build());
    }

    /**
     * Writes a failure; what is known about the volume stays. Of a growth, it is written only if
     * nobody asked for another size meanwhile, to whom it would be the answer.
     *
     * @throws ApiException.Conflict if the volume was to grow, and somebody changed the object
     */
    void failed(LogicalVolume volume, StatusCode code, String message)
            throws ApiException, InterruptedException {
        if (volume.status().code() == code && volume.status().message().equals(message)) {
            return;
        }
        var status = ObjectTree.builder();
        status.put("code", code.number());
        status.put("message", message);
        var patch = MergePatch.of(volume.object()).status(status.build());
        boolean grows = volume.spec().size().bytes() > volume.bytes();
        volumes.patchStatus(grows ? patch.ifUnchanged() : patch);
    }

    /**
     * Writes which attributes the volume has, and why it did not get what was asked for, if so. It
     * stays true if somebody asks for something else meanwhile.
     */
    void adjusted(LogicalVolume volume, String applied, Optional<AttributeChange.Refusal> refusal)
            throws ApiException, InterruptedException {
        var driver = volume.driver();
        var refused = driver.refusedAttributesAnnotation();
        var patch =
                MergePatch.of(volume.object())
                        .annotation(driver.appliedAttributesAnnotation(), applied);
        volumes.patch(
                refusal.isPresent()
                        ? patch.annotation(refused, refusal.get().text())
                        : patch.withoutAnnotation(refused));
    }

    /** Writes that a snapshot was taken together with the others of its group. */
    LogicalVolume taken(LogicalVolume volume, String group, Instant time)
            throws ApiException, InterruptedException {
        var driver = volume.driver();
        return LogicalVolume.of(
                volumes.patch(
                        MergePatch.of(volume.object())
                                .annotation(driver.takenInGroupAnnotation(), group)
                                .annotation(driver.takenAtAnnotation(), text(time))));
    }

    /** Writes when a snapshot had been taken. */
    LogicalVolume taken(LogicalVolume volume, Instant time)
            throws ApiException, InterruptedException {
        return LogicalVolume.of(
                volumes.patch(
                        MergePatch.of(volume.object())
                                .annotation(volume.driver().takenAtAnnotation(), text(time))));
    }

    /** Writes what a snapshot was taken from whose spec does not say that it is one. */
    LogicalVolume isSnapshotOf(LogicalVolume volume, String sourceId)
            throws ApiException, InterruptedException {
        return LogicalVolume.of(
                volumes.patch(
                        MergePatch.of(volume.object())
                                .annotation(volume.driver().sourceVolumeAnnotation(), sourceId)));
    }

    /** A time without its last digits must not lie before the snapshot. */
    private static String text(Instant time) {
        return Times.micros(time.plusNanos(999));
    }

    /** Removes our finalizer: LVM holds nothing for the object any more. */
    void release(LogicalVolume volume) throws ApiException, InterruptedException {
        volumes.removeFinalizer(volume.object(), volume.driver().volumeFinalizer());
    }

    private LogicalVolume patch(LogicalVolume volume, ObjectTree status)
            throws ApiException, InterruptedException {
        return LogicalVolume.of(volumes.patchStatus(MergePatch.of(volume.object()).status(status)));
    }
}
