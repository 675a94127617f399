package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.node.erasure.Erasure;
import lvms.node.format.BeingFormatted;

import java.time.Duration;
import java.util.Optional;

/** Tells people why a volume is not there yet, on the LogicalVolume and on its claim. */
record ErasureEvents(EventRecorder events) {
    private static final Duration PERIOD = Duration.ofSeconds(30);
    private static final Duration COPY_PERIOD = Duration.ofMinutes(1);

    /** Tells how far it is; returns when to tell it again. */
    Duration tell(LogicalVolume volume, Erasure erasure) {
        boolean copy = erasure.kind() == Erasure.Kind.COPY;
        var note =
                "%d MiB of %d MiB are %s (%d %%)"
                        .formatted(
                                erasure.doneBytes() >> 20,
                                erasure.totalBytes() >> 20,
                                copy ? "copied" : "zeroed",
                                erasure.percent());
        record(volume, copy ? EventReason.COPYING : EventReason.ZEROING, note);
        return copy ? COPY_PERIOD : PERIOD;
    }

    /** Tells why a copy is not taken yet; returns when to tell it again. */
    Duration tell(LogicalVolume copy, BeingFormatted source) {
        record(copy, EventReason.SOURCE_FORMATTED, source.getMessage());
        return PERIOD;
    }

    /** Tells that a volume has the content of its source. */
    void tellFilled(LogicalVolume volume) {
        record(volume, EventReason.COPIED, "all of " + volume.spec().source() + " is copied");
    }

    private void record(LogicalVolume volume, EventReason reason, String note) {
        events.record(volume.object(), reason, note);
        claim(volume).ifPresent(claim -> events.record(claim, reason, note));
    }

    /** A claim is named until it has its PersistentVolume. */
    static Optional<KubeObject> claim(LogicalVolume volume) {
        var parts =
                volume.object()
                        .annotation(volume.driver().claimAnnotation())
                        .map(mark -> mark.split("/", -1));
        return parts.filter(part -> part.length == 3)
                .map(
                        part ->
                                KubeObject.create(Types.PVC, ObjectKey.of(part[0], part[1]))
                                        .with(part[2], "metadata", "uid"));
    }
}
