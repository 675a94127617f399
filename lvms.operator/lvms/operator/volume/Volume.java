package lvms.operator.volume;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.object.KubeObject;
import lvms.operator.claim.ClaimMark;

import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * A LogicalVolume object as the operator sees it.
 *
 * @param object the object itself
 * @param node node that has or gets it
 * @param deviceClass device class, empty for the default one
 * @param specBytes requested size in bytes
 * @param source name of the LogicalVolume it was cut from, empty for none
 * @param readOnly whether it is a snapshot
 * @param volumeId id for CSI, empty before the node has made it
 * @param currentBytes real size in bytes, once the node has told it
 * @param code code of the last failed work of the node, OK if none failed
 * @param message text of that failure
 */
public record Volume(
        KubeObject object,
        String node,
        String deviceClass,
        long specBytes,
        String source,
        boolean readOnly,
        String volumeId,
        OptionalLong currentBytes,
        StatusCode code,
        String message) {
    /** How far the node is with a new volume. */
    public enum State {
        /** The node has not answered yet. */
        PENDING,
        /** It can be used. */
        READY,
        /** The node could not make it. */
        FAILED,
        /** It is going away. */
        TERMINATING
    }

    /** Reads an object. Sizes that are no quantities count as absent. */
    public static Volume of(KubeObject object) {
        var view = viewOf(object);
        var current = view.status().currentSize();
        return new Volume(
                object,
                view.spec().nodeName(),
                view.spec().deviceClass(),
                view.spec().size().bytes(),
                view.spec().source(),
                view.spec().accessType().equals("ro"),
                view.status().volumeId(),
                current.isPresent() ? OptionalLong.of(current.get().bytes()) : OptionalLong.empty(),
                view.status().code(),
                view.status().message());
    }

    private static LogicalVolume viewOf(KubeObject object) {
        try {
            return LogicalVolume.of(object);
        } catch (IllegalArgumentException _) { // written by someone else, and our cache must live
            return LogicalVolume.of(
                    object.without("spec", "size").without("status", "currentSize"));
        }
    }

    /** Returns the name of the object. */
    public String name() {
        return object.name();
    }

    /** Returns the UID of the object, which is also the name of the logical volume. */
    public String uid() {
        return object.uid();
    }

    /** Returns how far the node is. */
    public State state() {
        if (object.terminating()) {
            return State.TERMINATING;
        }
        if (!volumeId.isEmpty()) {
            return currentBytes.isPresent() ? State.READY : State.PENDING;
        }
        return code == StatusCode.OK ? State.PENDING : State.FAILED;
    }

    /** Returns the real size if it is known, else the requested one, in bytes. */
    public long bytes() {
        return currentBytes.orElse(specBytes);
    }

    /** Returns whether the node has yet to grow it, in so far as it has not failed to. */
    public boolean growing() {
        return state() == State.READY && code == StatusCode.OK && specBytes > bytes();
    }

    /** Returns when it was asked for: for a snapshot, the time of its cut in whole seconds. */
    public Instant created() {
        return object.creationTimestamp().orElse(Instant.EPOCH);
    }

    /** Returns the claim it was made for, as long as that claim has no PersistentVolume. */
    public Optional<ClaimMark> claim(Driver driver) {
        return object.annotation(driver.claimAnnotation()).flatMap(ClaimMark::parse);
    }
}
