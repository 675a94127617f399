package lvms.operator.claim;

import lvms.k8s.object.Names;

/**
 * How volumes of claims are called, as external-provisioner's flags say it. It decides about new
 * volumes only: one that was begun keeps its name.
 *
 * @param prefix what a name begins with, before a hyphen
 * @param uuidLength how many hexadecimal digits of the claim's UID follow, 1 to 32; {@link #WHOLE}
 *     for all of it with its hyphens
 */
public record VolumeNaming(String prefix, int uuidLength) {
    /** The whole UID, with its hyphens. */
    public static final int WHOLE = -1;

    /** As external-provisioner does without flags. */
    public static final VolumeNaming DEFAULT = new VolumeNaming("pvc", WHOLE);

    private static final int DIGITS = 32;

    /**
     * Checks that the names are valid.
     *
     * @throws IllegalArgumentException what is wrong
     */
    public VolumeNaming {
        if (!Names.isDnsSubdomain(prefix + "-" + "0".repeat(DIGITS + 4))) {
            throw new IllegalArgumentException(
                    "\"" + prefix + "\" cannot begin a name of Kubernetes: use a-z, 0-9 and -");
        }
        if (uuidLength != WHOLE && (uuidLength < 1 || uuidLength > DIGITS)) {
            throw new IllegalArgumentException(
                    uuidLength + " is neither -1, for the whole UID, nor from 1 to " + DIGITS);
        }
    }

    /** Returns the name of a new volume for the claim with this UID. */
    public String of(String uid) {
        if (uuidLength == WHOLE) {
            return prefix + "-" + uid;
        }
        var digits = uid.replace("-", "");
        return prefix + "-" + digits.substring(0, Math.min(uuidLength, digits.length()));
    }

    /** Returns whether a name proves that the volume is for the claim with this UID. */
    public static boolean proves(String name, String uid) {
        return name.endsWith("-" + uid);
    }
}
