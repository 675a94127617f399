package lvms.release;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The Helm chart with the released image as its default, and how it lies in a registry.
 *
 * <p>Source: helm.sh, "Use OCI-based registries" and HIP 6.
 *
 * @param folder the chart, as {@code ./build.sh chart} unpacked it; its name is the chart's
 */
record Chart(Path folder) {
    /** Both have the same values: one is what users read, the other what the templates compare. */
    private static final List<String> VALUES = List.of("values.yaml", "defaults.yaml");

    /** Makes the image the default of the chart. */
    void use(String repository, String reference) throws IOException {
        for (var name : VALUES) {
            var file = folder.resolve(name);
            var text = replaced(file, Files.readString(file), "repository", repository);
            Files.writeString(file, replaced(file, text, "reference", reference));
        }
    }

    private static String replaced(Path file, String text, String key, String value) {
        var before = "\n  " + key + ": \"\"\n";
        int at = text.indexOf(before);
        if (at < 0 || text.indexOf(before, at + 1) >= 0) {
            throw new IllegalArgumentException(file + " does not have one empty " + key);
        }
        return text.replace(before, "\n  " + key + ": \"" + value + "\"\n");
    }

    ObjectTree metadata() throws IOException {
        return Yaml.read(Files.readString(folder.resolve("Chart.yaml"))).asObject();
    }

    void pack(Tarball tar, Path archive) throws IOException {
        tar.pack(folder.getParent(), archive, folder.getFileName().toString());
    }

    /** Stores the packed chart as Helm pushes it; returns its manifest. */
    Descriptor putInto(Layout layout, Path archive, Release release) throws IOException {
        var metadata = metadata();
        var config = Json.write(metadata).getBytes(StandardCharsets.UTF_8);
        var annotations = release.annotations(metadata.text("name").orElseThrow());
        annotations.put(
                "org.opencontainers.image.description", metadata.text("description").orElseThrow());
        return Artifact.of(MediaType.HELM_CONFIG, layout.put(MediaType.HELM_CHART, archive))
                .with(layout.put(MediaType.HELM_CONFIG, config))
                .annotated(annotations)
                .putInto(layout);
    }
}
