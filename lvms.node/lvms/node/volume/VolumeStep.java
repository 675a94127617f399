package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.attribute.AttributeChange;

import java.util.Optional;

/** What one pass has to do for a LogicalVolume, decided from the object alone. */
sealed interface VolumeStep {
    /**
     * Nothing is left for this node to do.
     *
     * @param reason why, for the log
     */
    record Converged(String reason) implements VolumeStep {}

    /** Find or make the logical volume, and write the status. */
    record Make() implements VolumeStep {}

    /** The volume exists, but its size was never written: read the size, and grow if need be. */
    record Measure() implements VolumeStep {}

    /** Give it the attributes that are wanted. */
    record Adjust() implements VolumeStep {}

    /** Make it larger. */
    record Grow() implements VolumeStep {}

    /**
     * The content of a snapshot is lost: say so.
     *
     * @param reason why
     */
    record Lose(String reason) implements VolumeStep {}

    /** The object does not say yet in which group and on which node the volume is. */
    record Record() implements VolumeStep {}

    /** Only our finalizer or label is missing. */
    record Claim() implements VolumeStep {}

    /** Remove the logical volume, then our finalizer. */
    record Remove() implements VolumeStep {}

    /**
     * Decides.
     *
     * @param unrecorded whether the object lacks where the volume is, or names a former node
     */
    static VolumeStep of(LogicalVolume volume, String node, boolean unrecorded) {
        if (!volume.spec().nodeName().equals(node)) {
            return new Converged("of another node");
        }
        if (volume.pendingDeletion()) {
            return new Converged("its node was deleted, so its data is left alone");
        }
        if (volume.object().terminating()) {
            return hasFinalizer(volume) ? new Remove() : new Converged("already released");
        }
        return ofLiving(volume, unrecorded);
    }

    /**
     * Decides about a snapshot whose content is lost.
     *
     * @param reason why
     */
    static Optional<VolumeStep> ofLost(LogicalVolume snapshot, String node, String reason) {
        boolean told = snapshot.lost();
        boolean handedOut =
                !snapshot.status().volumeId().isEmpty()
                        && !snapshot.object().terminating()
                        && snapshot.spec().nodeName().equals(node);
        return handedOut && !told ? Optional.of(new Lose(reason)) : Optional.empty();
    }

    private static VolumeStep ofLiving(LogicalVolume volume, boolean unrecorded) {
        var status = volume.status();
        if (status.volumeId().isEmpty()) {
            return status.code() == StatusCode.OK || volume.formerId().isPresent()
                    ? new Make()
                    : new Converged("failed for good; whoever asked for it deletes it");
        }
        if (status.currentSize().isEmpty()) {
            return new Measure();
        }
        boolean adjusted = AttributeChange.of(volume).state() != AttributeChange.State.PENDING;
        if (!adjusted && !volume.isSnapshot()) {
            return new Adjust();
        }
        if (volume.spec().size().compareTo(status.currentSize().get()) > 0) {
            return new Grow();
        }
        if (unrecorded) {
            return new Record();
        }
        return isClaimed(volume) ? new Converged("as asked") : new Claim();
    }

    /**
     * Returns whether finalizer and label are set, so that the object cannot vanish while we work.
     */
    static boolean isClaimed(LogicalVolume volume) {
        return hasFinalizer(volume)
                && Names.CREATED_BY.equals(volume.object().labels().get(Names.CREATED_BY_LABEL));
    }

    private static boolean hasFinalizer(LogicalVolume volume) {
        return volume.object().finalizers().contains(volume.driver().volumeFinalizer());
    }
}
