package lvms.release;

import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * What names a blob of a layout: a content descriptor of the OCI image specification.
 *
 * @param digest {@code sha256:} and 64 hexadecimal digits
 * @param size in bytes
 * @param more what else is said of it where it is listed, such as its platform
 */
record Descriptor(String mediaType, String digest, long size, ObjectTree more) {
    static final String PREFIX = "sha256:";

    Descriptor {
        Objects.requireNonNull(mediaType);
        Objects.requireNonNull(more);
        if (!digest.matches(PREFIX + "[0-9a-f]{64}") || size < 0) {
            throw new IllegalArgumentException(digest + " of " + size + " bytes names no blob");
        }
    }

    static Descriptor of(ObjectTree json) {
        return new Descriptor(
                json.text("mediaType").orElseThrow(),
                json.text("digest").orElseThrow(),
                json.number("size").orElseThrow(),
                json.without("mediaType").without("digest").without("size"));
    }

    /** Returns it with one more member. */
    Descriptor with(String member, Tree value) {
        return new Descriptor(mediaType, digest, size, more.with(value, member));
    }

    /** The order is that of the names: other maps have another one in each JVM. */
    Descriptor annotated(Map<String, String> annotations) {
        return with("annotations", ObjectTree.ofTexts(new TreeMap<>(annotations)));
    }

    /** Returns it as something that can be listed elsewhere. */
    Descriptor alone() {
        return new Descriptor(mediaType, digest, size, ObjectTree.EMPTY);
    }

    /** Returns the digest without its algorithm. */
    String sha256() {
        return digest.substring(PREFIX.length());
    }

    ObjectTree json() {
        var json =
                ObjectTree.builder()
                        .put("mediaType", mediaType)
                        .put("digest", digest)
                        .put("size", size);
        more.members().forEach(json::put);
        return json.build();
    }
}
