package lvms.operator.backend;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.object.KubeObject;
import lvms.operator.claim.ClaimMark;

import java.time.Instant;
import java.util.Map;
import java.util.Optional;

/**
 * A volume that was begun, whatever it is made of.
 *
 * @param object what its node works on
 * @param name its name, which its PersistentVolume will have
 * @param id its id for CSI, empty as long as it has none
 * @param disk its name on the node, by which a person may have handed it out; empty if none can
 * @param node node on which it is
 * @param bytes its size
 * @param state how far its node has got
 * @param mark the claim for which it is being made; empty once that has its PersistentVolume
 * @param restored whether it is older than its object, so that it may hold data
 * @param source name of what it is copied from, empty for nothing
 * @param attributes what a PersistentVolume says of it
 * @param begun when it was asked for, if that is known
 */
public record BegunVolume(
        KubeObject object,
        String name,
        String id,
        String disk,
        String node,
        long bytes,
        LogicalVolume.State state,
        Optional<ClaimMark> mark,
        boolean restored,
        String source,
        Map<String, String> attributes,
        Optional<Instant> begun) {
    public BegunVolume {
        attributes = Map.copyOf(attributes);
    }

    public static BegunVolume of(LogicalVolume volume, Driver driver) {
        return new BegunVolume(
                volume.object(),
                volume.name(),
                volume.status().volumeId(),
                volume.volumeName(),
                volume.spec().nodeName(),
                volume.bytes(),
                volume.state(),
                ClaimMark.of(volume.object(), driver),
                volume.restored(),
                volume.spec().source(),
                volume.status().home().map(LogicalVolume.Home::attributes).orElse(Map.of()),
                Optional.of(volume.created()));
    }

    /** Returns the UID of the claim for which it is being made. */
    public Optional<String> claimUid() {
        return mark.map(ClaimMark::uid);
    }
}
