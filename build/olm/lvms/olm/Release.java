package lvms.olm;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What a bundle is made for.
 *
 * @param version semantic version, without build metadata
 * @param image reference of the operator's image
 * @param bundleImage reference of the image that the bundle will be
 * @param namespace where people are told to install it
 * @param architectures of nodes that the image runs on, as Go names them
 */
public record Release(
        String version,
        String image,
        String bundleImage,
        String namespace,
        List<String> architectures) {
    static final String NAMESPACE = "openshift-lvm-storage";

    private static final Pattern VERSION =
            Pattern.compile("(0|[1-9][0-9]*)([.](0|[1-9][0-9]*)){2}(-[0-9a-z-]+([.][0-9a-z-]+)*)?");
    private static final Pattern IMAGE =
            Pattern.compile(
                    "[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9._-]+)+"
                            + "(:[A-Za-z0-9_][A-Za-z0-9._-]*)?(@sha256:[0-9a-f]{64})?");

    public Release {
        architectures = List.copyOf(architectures);
        require(VERSION, version, "version", "a semantic version such as 0.1.0");
        for (var reference : List.of(image, bundleImage)) {
            require(IMAGE, reference, "image", "a reference such as registry.example.com/lvms:1");
        }
    }

    private static void require(Pattern pattern, String text, String what, String wanted) {
        if (!pattern.matcher(text).matches()) {
            throw new IllegalArgumentException(
                    what + " " + text + ": expected " + wanted + ", in small letters");
        }
    }

    /** Returns a release whose bundle lies beside its image. */
    public static Release of(String version, String image) {
        var repository = image.replaceFirst("@.*", "").replaceFirst(":[^:/]*$", "");
        return new Release(
                version, image, repository + "-bundle:" + version, NAMESPACE, List.of("amd64"));
    }

    public Release withBundleImage(String reference) {
        return new Release(version, image, reference, namespace, architectures);
    }

    public Release withNamespace(String name) {
        return new Release(version, image, bundleImage, name, architectures);
    }

    public Release withArchitectures(List<String> names) {
        return new Release(version, image, bundleImage, namespace, names);
    }

    /** Returns whether the image can be mirrored, since nobody can change what it names. */
    boolean isPinned() {
        return image.contains("@");
    }
}
