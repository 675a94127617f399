package lvms.node.volume;

import lvms.api.LogicalVolume;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.node.erasure.Erasure;

import java.time.Duration;
import java.util.Optional;

/** Tells people why a volume is not there yet, on the LogicalVolume and on its claim. */
record ErasureEvents(EventRecorder events) {
    /** How often the progress is told. */
    static final Duration PERIOD = Duration.ofSeconds(30);

    void tell(LogicalVolume volume, Erasure erasure) {
        var note =
                "%d MiB of %d MiB are zeroed (%d %%)"
                        .formatted(
                                erasure.doneBytes() >> 20,
                                erasure.totalBytes() >> 20,
                                erasure.percent());
        events.record(volume.object(), EventReason.ZEROING, note);
        claim(volume).ifPresent(claim -> events.record(claim, EventReason.ZEROING, note));
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
