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
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Tells people when the condition of a volume changes, on its LogicalVolume and on its claim. It
 * learns of it when kubelet asks for the usage of a volume, about once a minute while a pod uses
 * it; kubelet itself tells nobody unless an alpha gate is on. Any thread may call.
 */
public final class ConditionEvents {
    private static final String HEALTHY = "";

    /** Of a volume that was in trouble when it left its pod. */
    private static final String LEFT = "left a pod";

    private static final Pattern NAMED =
            Pattern.compile(".*-(\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12})");

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

    /**
     * Notes that a volume left a pod: if it is still in trouble, the next pod is told, and if it is
     * not, the claim is.
     */
    public void left(VolumeId volume) {
        told.computeIfPresent(volume.text(), (_, _) -> LEFT);
    }

    /** Forgets a volume that is gone from the disk. */
    public void removed(LogicalVolume volume) {
        told.remove(volume.status().volumeId());
    }

    private void tell(LogicalVolume volume, ConditionReason reason, String note) {
        events.record(volume.object(), reason, note);
        claim(volume).ifPresent(claim -> events.record(claim, reason, note));
    }

    private static Optional<KubeObject> claim(LogicalVolume volume) {
        var object = volume.object();
        var driver = volume.driver();
        var key =
                object.annotation(driver.claimNameAnnotation())
                        .map(name -> name.split("/", -1))
                        .filter(parts -> parts.length == 2);
        var uid = object.annotation(driver.claimUidAnnotation()).or(() -> uidIn(volume.name()));
        return key.isEmpty() || uid.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        KubeObject.create(Types.PVC, ObjectKey.of(key.get()[0], key.get()[1]))
                                .with(uid.get(), "metadata", "uid"));
    }

    /** A name that ends in a UID ends in that of the claim, whoever made the volume. */
    private static Optional<String> uidIn(String name) {
        return Optional.of(NAMED.matcher(name)).filter(Matcher::matches).map(m -> m.group(1));
    }
}
