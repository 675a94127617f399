package lvms.operator.claim;

import lvms.k8s.object.ObjectKey;

import java.util.Optional;

/**
 * The claim for which a volume is being provisioned.
 *
 * @param claim namespace and name of the claim
 * @param uid UID of the claim
 */
public record ClaimMark(ObjectKey claim, String uid) {
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
