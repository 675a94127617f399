package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.k8s.client.ApiException;
import lvms.lvm2.LogicalVolumes.Tuning;
import lvms.lvm2.LvName;
import lvms.lvm2.LvmException;
import lvms.node.erasure.Marks;
import lvms.node.erasure.StillErasing;
import lvms.node.format.BeingFormatted;

import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/**
 * The volumes of this node, as the passes for LogicalVolumes see them: in this process's LVM, or
 * behind the lvmd of another process. Each call may be repeated after an interruption. Any thread
 * may call.
 *
 * <p>A failure that passes by itself is tried again. Any other is written to the object's status,
 * and whoever asked for a new volume gives it up.
 */
public interface NodeStorage {
    /** Prepares the storage, once the objects are followed. */
    @FunctionalInterface
    interface Factory {
        NodeStorage of(NodeVolumes objects);
    }

    /**
     * A volume that was found.
     *
     * @param deviceClass name of the class that it was found by; empty if it is in none
     * @param tags its tags; empty if it was made after the last report
     */
    record Found(LvName name, Optional<String> deviceClass, Set<String> tags) {
        public Found {
            Objects.requireNonNull(name);
            Objects.requireNonNull(deviceClass);
            tags = Set.copyOf(tags);
        }
    }

    /**
     * Finds or makes the volume of an object.
     *
     * @param source the object it is a copy of, if it is one
     */
    ActualVolume make(LogicalVolume volume, Optional<LogicalVolume> source)
            throws ApiException,
                    LvmException,
                    VolumeRefused,
                    StillErasing,
                    BeingFormatted,
                    InterruptedException;

    /** A snapshot that is asked for, and the object it is a snapshot of. */
    record Copy(LogicalVolume volume, LogicalVolume source) {}

    /**
     * Finds or takes snapshots of several volumes, all of one instant, or none. {@link #make}
     * finishes each of them.
     */
    void takeAtOnce(List<Copy> copies)
            throws ApiException, LvmException, VolumeRefused, BeingFormatted, InterruptedException;

    /** Reads the size of a volume that was made, and makes it larger if need be. */
    ActualVolume measure(LogicalVolume volume)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException;

    /** Makes a volume larger, unless it is large enough. */
    ActualVolume grow(LogicalVolume volume)
            throws LvmException, VolumeRefused, StillErasing, InterruptedException;

    /** Finds the volume of an object that is being deleted. */
    Optional<Found> find(LogicalVolume volume)
            throws LvmException, VolumeRefused, InterruptedException;

    /**
     * Refuses unless a volume that was not found is certainly gone: nothing can hide it from us.
     *
     * @throws LvmException.Unavailable if what hid it is there again, and with it the volume
     */
    void requireGone(LogicalVolume volume) throws LvmException, VolumeRefused, InterruptedException;

    /** Returns what makes a removal begin anew. */
    static LvmException.Unavailable isBack(LogicalVolume volume) {
        return new LvmException.Unavailable(
                "logical volume " + volume.volumeName() + " is there again", null);
    }

    /** Removes a volume that was found, after it was proven that it may be removed. */
    void remove(LogicalVolume volume, Found found)
            throws LvmException, VolumeRefused, InterruptedException;

    /** Notes that LVM had no room for a volume, so that the capacity is not told too high. */
    void noteRefusal(LogicalVolume volume, LvmException failure)
            throws LvmException, InterruptedException;

    /** Reads how a volume is tuned. */
    Tuning tuning(LogicalVolume volume) throws LvmException, VolumeRefused, InterruptedException;

    /** Tunes a volume; returns how it is tuned then. */
    Tuning tune(LogicalVolume volume, Tuning wanted)
            throws LvmException, VolumeRefused, InterruptedException;

    /** Returns whether the volume of an object is filled from its source, block by block. */
    default boolean fills(LogicalVolume volume) {
        return false;
    }

    /** Returns why the content of a snapshot is lost; empty if nobody has seen that it is. */
    default Optional<String> whyLost(LogicalVolume snapshot) {
        return Optional.empty();
    }

    /**
     * Looks after a snapshot that another program took as after those that this one takes; once for
     * each process is enough.
     */
    default void lookAfter(LogicalVolume snapshot) throws LvmException, InterruptedException {}

    /**
     * Returns a volume as LVM has it, and what it was taken from, if it is a snapshot of a thick
     * volume.
     */
    default Optional<ThickSnapshot> thickSnapshot(LvName name)
            throws LvmException, InterruptedException {
        return Optional.empty();
    }

    /**
     * A snapshot of a thick volume.
     *
     * @param sourceId id of that volume
     */
    record ThickSnapshot(ActualVolume volume, String sourceId) {}

    /** Returns where the volumes are recorded to be. */
    VolumeHomes homes();

    /** Returns whether an object ever had a volume. */
    static boolean hadVolume(LogicalVolume volume) {
        return !volume.status().volumeId().isEmpty() || volume.formerId().isPresent();
    }

    /** Returns the names that the volume of an object may have, until somebody has got it. */
    static List<String> names(LogicalVolume volume) {
        return List.of(volume.volumeName(), Marks.unfinished(volume.uid()));
    }
}
