package lvms.operator.rawdevice;

import static java.lang.System.Logger.Level.INFO;

import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.RawVolume;
import lvms.k8s.client.ApiException;
import lvms.k8s.client.MergePatch;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.informer.OperatorInformers;

import java.util.List;

/**
 * Notes on a PersistentVolume which disk it is. If somebody deletes its RawDevice, the node knows
 * by that what to make again.
 */
final class VolumeIdentities implements Reconciler<ObjectKey> {
    private static final System.Logger LOG = System.getLogger(VolumeIdentities.class.getName());

    private final RawDeviceStore store;
    private final OperatorInformers informers;

    VolumeIdentities(RawDeviceStore store, OperatorInformers informers) {
        this.store = store;
        this.informers = informers;
    }

    /** Returns the RawDevice of a PersistentVolume. */
    List<ObjectKey> of(KubeObject volume) {
        return RawVolume.is(volume)
                ? List.of(ObjectKey.cluster(new RawVolume(volume).handle()))
                : List.of();
    }

    @Override
    public Result reconcile(ObjectKey key) throws ApiException, InterruptedException {
        var found = store.informer().get(key).map(RawDevice::of).filter(RawDevice::allocated);
        if (found.isEmpty() || found.get().identity().isEmpty()) {
            return Result.done();
        }
        var device = found.get();
        for (var object : LostDevices.volumesOf(informers, device).toList()) {
            var volume = new RawVolume(object);
            if (has(volume, device) && !volume.identity().equals(device.identity())) {
                informers
                        .persistentVolumes()
                        .patch(
                                MergePatch.of(object)
                                        .annotation(
                                                RawDevice.IDENTITY,
                                                RawDevice.text(device.identity())));
                LOG.log(
                        INFO,
                        () ->
                                "disk noted on its volume name=%s volume=%s"
                                        .formatted(device.name(), volume.name()));
            }
        }
        return Result.done();
    }

    /** An id is used again, so a volume whose claim is gone may have had the device before. */
    private static boolean has(RawVolume volume, RawDevice device) {
        return !volume.released() || device.volume().filter(volume.name()::equals).isPresent();
    }
}
