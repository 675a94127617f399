package lvms.operator.topolvm;

import static java.nio.charset.StandardCharsets.UTF_8;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.operator.uninstall.Item;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.zip.GZIPInputStream;

/**
 * The values that people gave to a release. Helm packs a revision into its Secret: JSON, through
 * gzip and Base64, which the Secret's own Base64 wraps once more.
 *
 * @param given without the chart's defaults
 */
public record ReleaseValues(ObjectTree given) {
    /** More than etcd keeps of anything, unpacked; a release beyond it is not looked into. */
    private static final int MAXIMUM_BYTES = 64 << 20;

    /** Reads those of a Secret; empty if it holds no revision that can be read. */
    public static Optional<ReleaseValues> of(Item secret) {
        var packed = secret.object().text("data", "release");
        if (packed.isEmpty()) {
            return Optional.empty();
        }
        try {
            var zipped = Base64.getDecoder().decode(Base64.getDecoder().decode(packed.get()));
            try (var in = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
                var text = new String(in.readNBytes(MAXIMUM_BYTES), UTF_8);
                var revision = Json.parse(text).asObject();
                return Optional.of(
                        new ReleaseValues(revision.object("config").orElse(ObjectTree.EMPTY)));
            }
        } catch (IOException | IllegalArgumentException _) {
            return Optional.empty(); // of another kind of Helm's; the rest of a plan stands
        }
    }

    /** Returns a scalar as people wrote it. */
    public Optional<String> scalar(String... path) {
        var value = given.at(path);
        return value.isScalar() ? Optional.of(value.asText()) : Optional.empty();
    }

    /** Returns the names of the StorageClasses that the chart makes. */
    public List<String> storageClasses() {
        return given.has("storageClasses")
                ? given.objects("storageClasses").stream()
                        .flatMap(each -> each.text("name").stream())
                        .toList()
                : List.of("topolvm-provisioner");
    }
}
