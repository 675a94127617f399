package lvms.api.nativestor;

import lvms.api.Drivers;
import lvms.api.VolumeAffinity;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Quantity;

import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/**
 * A PersistentVolume of the driver of raw devices. It outlives its RawDevice if somebody deletes
 * that, and then proves whose the disk is.
 *
 * @param object the PersistentVolume
 */
public record RawVolume(KubeObject object) {
    private static final Drivers DRIVERS = Drivers.of(RawDevice.DRIVER);

    public RawVolume {
        Objects.requireNonNull(object, "object");
    }

    /** Returns whether a PersistentVolume is one of the driver's. */
    public static boolean is(KubeObject volume) {
        return DRIVERS.ofVolume(volume).isPresent();
    }

    public String name() {
        return object.name();
    }

    /** Returns the id of the volume, which is the name of its RawDevice. */
    public String handle() {
        return object.text("spec", "csi", "volumeHandle").orElse("");
    }

    /** Returns the node that has it; a person may have written one that names none. */
    public Optional<String> node() {
        return VolumeAffinity.node(object, RawDevice.DRIVER);
    }

    /** Returns the bytes that its device has at least. */
    public long sizeBytes() {
        return object.text("spec", "capacity", "storage")
                .map(Quantity::parse)
                .map(Quantity::bytes)
                .orElse(0L);
    }

    /**
     * Returns what identifies its disk, by kind, as the operator has noted it; empty if it has not.
     */
    public Map<String, String> identity() {
        return RawDevice.identity(object);
    }

    public Instant created() {
        return object.creationTimestamp().orElse(Instant.EPOCH);
    }

    /** Returns whether its claim is gone. */
    public boolean released() {
        return object.text("status", "phase").filter("Released"::equals).isPresent();
    }

    /**
     * Returns whether the object of that name does not know of this volume, since somebody has
     * deleted the one that did.
     *
     * <p>Of a volume whose claim is gone the device may have been given back: then its object is
     * older than the volume.
     *
     * @param device the RawDevice with the name of this volume's handle
     */
    public boolean isUnknownTo(Optional<RawDevice> device) {
        if (device.isEmpty()) {
            return true;
        }
        var there = device.get();
        return !there.held() && !(released() && isNewerThan(there));
    }

    /** Returns whether an object was there before; not so in doubt, since times are in seconds. */
    public boolean isNewerThan(RawDevice device) {
        var made = device.object().creationTimestamp();
        var since = object.creationTimestamp();
        return made.isPresent() && since.isPresent() && made.get().isBefore(since.get());
    }
}
