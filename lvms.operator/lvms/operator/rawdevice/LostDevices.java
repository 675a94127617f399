package lvms.operator.rawdevice;

import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.RawVolume;
import lvms.k8s.controller.Reconciler;
import lvms.k8s.controller.Result;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.claim.Claim;
import lvms.operator.event.EventReason;
import lvms.operator.informer.OperatorInformers;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/**
 * Tells the claims whose devices are gone that they are, and when they are back. Each loss is told
 * once by a process.
 */
final class LostDevices implements Reconciler<ObjectKey> {
    private final RawDeviceStore store;
    private final OperatorInformers informers;
    private final EventRecorder events;
    private final Set<String> told = ConcurrentHashMap.newKeySet();

    LostDevices(RawDeviceStore store, OperatorInformers informers, EventRecorder events) {
        this.store = store;
        this.informers = informers;
        this.events = events;
    }

    @Override
    public Result reconcile(ObjectKey key) {
        var device = store.informer().get(key).map(RawDevice::of).filter(RawDevice::allocated);
        if (device.isEmpty()) {
            told.remove(key.name());
        } else if (device.get().lost()) {
            if (told.add(key.name())) {
                tell(device.get(), EventReason.VOLUME_ABNORMAL, "is gone");
            }
        } else if (told.remove(key.name())) {
            tell(device.get(), EventReason.VOLUME_NORMAL, "is back");
        }
        return Result.done();
    }

    private void tell(RawDevice device, EventReason reason, String what) {
        var marks = String.join(", ", RawDevice.text(device.identity()).lines().toList());
        var note =
                "raw device %s of node %s %s%s"
                        .formatted(
                                device.spec().realPath(),
                                device.spec().nodeName(),
                                what,
                                marks.isEmpty() ? "" : " (" + marks + ")");
        volumesOf(informers, device)
                .flatMap(volume -> Claim.ofVolume(volume).stream())
                .forEach(claim -> events.record(claim, reason, note));
    }

    /** Returns the PersistentVolume that has a device. */
    static Stream<KubeObject> volumesOf(OperatorInformers informers, RawDevice device) {
        return informers.persistentVolumesOf(device.volumeId()).stream().filter(RawVolume::is);
    }
}
