package lvms.node.volume;

import com.google.gson.JsonArray;
import com.google.gson.JsonNull;
import com.google.gson.JsonObject;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.KubeClient;
import lvms.k8s.informer.Informer;
import lvms.k8s.object.Quantity;

/**
 * The writes to LogicalVolume objects: one patch for finalizer and label, one for a status, none if
 * nothing changes. Each carries the UID, so that it cannot hit a successor of the same name. Any
 * thread may call.
 */
final class VolumeStatusWriter {
    private final KubeClient kube;
    private final Informer volumes;

    VolumeStatusWriter(KubeClient kube, Informer volumes) {
        this.kube = kube;
        this.volumes = volumes;
    }

    /** Sets finalizer and label; refused if somebody changed the object meanwhile. */
    LogicalVolume claim(LogicalVolume volume) throws ApiException, InterruptedException {
        var metadata = precondition(volume);
        metadata.addProperty("resourceVersion", volume.object().resourceVersion());
        var finalizers = new JsonArray();
        volume.object().finalizers().forEach(finalizers::add);
        if (!volume.object().finalizers().contains(volume.driver().volumeFinalizer())) {
            finalizers.add(volume.driver().volumeFinalizer());
        }
        metadata.add("finalizers", finalizers);
        var labels = new JsonObject();
        labels.addProperty(Names.CREATED_BY_LABEL, Names.CREATED_BY);
        metadata.add("labels", labels);
        var patch = new JsonObject();
        patch.add("metadata", metadata);
        var written =
                kube.mergePatch(volume.driver().logicalVolumes(), volume.object().key(), patch);
        volumes.observed(written);
        return LogicalVolume.of(written);
    }

    /** Writes that the volume is there, and forgets an earlier failure. */
    void succeeded(LogicalVolume volume, String volumeId, long sizeBytes)
            throws ApiException, InterruptedException {
        var size = Quantity.ofBytes(sizeBytes);
        var now = volume.status();
        boolean same =
                now.volumeId().equals(volumeId)
                        && now.code() == StatusCode.OK
                        && now.currentSize().filter(size::equals).isPresent();
        if (same) {
            return;
        }
        var status = new JsonObject();
        status.addProperty("volumeID", volumeId);
        status.addProperty("currentSize", size.toString());
        status.add("code", JsonNull.INSTANCE);
        status.add("message", JsonNull.INSTANCE);
        patch(volume, status);
    }

    /** Writes a failure; what is known of the volume stays. */
    void failed(LogicalVolume volume, StatusCode code, String message)
            throws ApiException, InterruptedException {
        if (volume.status().code() == code && volume.status().message().equals(message)) {
            return;
        }
        var status = new JsonObject();
        status.addProperty("code", code.number());
        status.addProperty("message", message);
        patch(volume, status);
    }

    /** Removes our finalizer: LVM holds nothing for the object any more. */
    void release(LogicalVolume volume) throws ApiException, InterruptedException {
        kube.removeFinalizer(
                        volume.driver().logicalVolumes(),
                        volume.object(),
                        volume.driver().volumeFinalizer())
                .ifPresent(volumes::observed);
    }

    private void patch(LogicalVolume volume, JsonObject status)
            throws ApiException, InterruptedException {
        var patch = new JsonObject();
        patch.add("metadata", precondition(volume));
        patch.add("status", status);
        volumes.observed(
                kube.mergePatchStatus(
                        volume.driver().logicalVolumes(), volume.object().key(), patch));
    }

    private static JsonObject precondition(LogicalVolume volume) {
        var metadata = new JsonObject();
        metadata.addProperty("uid", volume.object().uid());
        return metadata;
    }
}
