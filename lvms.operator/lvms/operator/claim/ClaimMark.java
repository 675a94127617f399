package lvms.operator.claim;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;

import java.util.Optional;

/**
 * The claim for which a volume is being provisioned. It is kept in an annotation of the
 * LogicalVolume until the claim has its PersistentVolume.
 *
 * @param claim namespace and name of the claim
 * @param uid UID of the claim
 */
public record ClaimMark(ObjectKey claim, String uid) {
    /** Returns the mark of a LogicalVolume; as long as it has one, nobody may use the volume. */
    public static Optional<ClaimMark> of(KubeObject logicalVolume, Driver driver) {
        return logicalVolume.annotation(driver.claimAnnotation()).flatMap(ClaimMark::parse);
    }

    /** Reads {@code namespace/name/uid}; empty for anything else. */
    public static Optional<ClaimMark> parse(String text) {
        var parts = text.split("/", -1);
        return parts.length == 3 && !parts[2].isEmpty()
                ? Optional.of(new ClaimMark(ObjectKey.of(parts[0], parts[1]), parts[2]))
                : Optional.empty();
    }

    /** Returns {@code namespace/name/uid}. */
    public String text() {
        return claim + "/" + uid;
    }
}
