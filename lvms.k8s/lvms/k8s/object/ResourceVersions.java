package lvms.k8s.object;

import java.util.OptionalInt;

/**
 * The order of the resource versions of one resource type.
 *
 * <p>A version is comparable if it is a decimal number without a leading zero, and not {@code 0}
 * (KEP-5504). Everything else is opaque.
 */
public final class ResourceVersions {
    private ResourceVersions() {}

    /** Returns the sign of {@code a - b}; empty if one of them is not comparable. */
    public static OptionalInt compare(String a, String b) {
        if (!comparable(a) || !comparable(b)) {
            return OptionalInt.empty();
        }
        int byLength = Integer.compare(a.length(), b.length());
        return OptionalInt.of(byLength != 0 ? byLength : Integer.signum(a.compareTo(b)));
    }

    /** Returns whether both are comparable and {@code a} is the later one. */
    public static boolean newer(String a, String b) {
        return compare(a, b).orElse(0) > 0;
    }

    private static boolean comparable(String version) {
        if (version.isEmpty() || version.charAt(0) == '0') {
            return false;
        }
        for (int i = 0; i < version.length(); i++) {
            if (version.charAt(i) < '0' || version.charAt(i) > '9') {
                return false;
            }
        }
        return true;
    }
}
