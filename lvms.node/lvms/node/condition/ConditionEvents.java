package lvms.node.condition;

import lvms.api.LogicalVolume;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.node.csi.VolumeId;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;

/**
 * Tells people when the condition of a volume changes, on its LogicalVolume and on its claim. It
 * learns of it when kubelet asks for the usage of a volume, about once a minute while a pod uses
 * it; kubelet itself tells nobody unless an alpha gate is on. Any thread may call.
 */
public final class ConditionEvents {
    private static final String HEALTHY = "";
    private static final String DYNAMIC = "pvc-"; // then the UID of the claim

    private final Function<String, Optional<LogicalVolume>> volumes;
    private final EventRecorder events;

    /** What is wrong with the volumes that were told to be abnormal, by id. */
    private final Map<String, String> told = new ConcurrentHashMap<>();

    /**
     * @param volumes finds the object of a volume by its id
     */
    public ConditionEvents(
            Function<String, Optional<LogicalVolume>> volumes, EventRecorder events) {
        this.volumes = volumes;
        this.events = events;
    }

    /**
     * Notes a condition, and tells it if it is new.
     *
     * @param trouble what is wrong, empty for nothing
     */
    public void observe(VolumeId volume, Optional<String> trouble) {
        var now = trouble.orElse(HEALTHY);
        var before =
                now.equals(HEALTHY) ? told.remove(volume.text()) : told.put(volume.text(), now);
        if (now.equals(before == null ? HEALTHY : before)) {
            return;
        }
        volumes.apply(volume.text())
                .ifPresent(
                        object ->
                                tell(
                                        object,
                                        now.equals(HEALTHY)
                                                ? ConditionReason.NORMAL
                                                : ConditionReason.ABNORMAL,
                                        trouble.orElse("the volume is healthy again")));
    }

    /** Forgets a volume that left a pod; if it is still in trouble, the next pod is told. */
    public void forget(VolumeId volume) {
        told.remove(volume.text());
    }

    private void tell(LogicalVolume volume, ConditionReason reason, String note) {
        events.record(volume.object(), reason, note);
        claim(volume).ifPresent(claim -> events.record(claim, reason, note));
    }

    /** The name of a volume that was made for a claim has the claim's UID. */
    private static Optional<KubeObject> claim(LogicalVolume volume) {
        var parts =
                volume.object()
                        .annotation(volume.driver().claimNameAnnotation())
                        .map(name -> name.split("/", -1));
        return parts.filter(part -> part.length == 2 && volume.name().startsWith(DYNAMIC))
                .map(
                        part ->
                                KubeObject.create(Types.PVC, ObjectKey.of(part[0], part[1]))
                                        .with(
                                                volume.name().substring(DYNAMIC.length()),
                                                "metadata",
                                                "uid"));
    }
}
