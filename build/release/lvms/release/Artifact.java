package lvms.release;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Something in a registry that is not a container image: a manifest with one layer.
 *
 * <p>Source: manifest.md of the OCI image specification 1.1, "Guidelines for Artifact Usage".
 *
 * @param type media type of the whole
 * @param config what the layer's readers have to know first; empty if nothing
 * @param content the layer
 * @param subject the image that it says something about; empty if it stands for itself
 */
record Artifact(
        String type,
        Optional<Descriptor> config,
        Descriptor content,
        Optional<Descriptor> subject,
        Map<String, String> annotations) {
    private static final byte[] NOTHING = "{}".getBytes(StandardCharsets.UTF_8);

    Artifact {
        annotations = new TreeMap<>(annotations);
    }

    /** An artifact whose content has the type of the whole. */
    static Artifact of(String type, Descriptor content) {
        return new Artifact(type, Optional.empty(), content, Optional.empty(), Map.of());
    }

    Artifact about(Descriptor image) {
        return new Artifact(type, config, content, Optional.of(image.alone()), annotations);
    }

    Artifact with(Descriptor itsConfig) {
        return new Artifact(type, Optional.of(itsConfig), content, subject, annotations);
    }

    Artifact annotated(Map<String, String> with) {
        return new Artifact(type, config, content, subject, with);
    }

    /** Stores the manifest; the result is as it has to be listed. */
    Descriptor putInto(Layout layout) throws IOException {
        var manifest =
                ObjectTree.builder()
                        .put("schemaVersion", 2)
                        .put("mediaType", MediaType.MANIFEST)
                        .put("artifactType", type)
                        .put("config", config(layout).json())
                        .put("layers", ListTree.of(content.json()));
        subject.ifPresent(image -> manifest.put("subject", image.json()));
        if (!annotations.isEmpty()) {
            manifest.put("annotations", ObjectTree.ofTexts(annotations));
        }
        var listed = layout.put(manifest.build()).with("artifactType", Tree.of(type));
        return annotations.isEmpty() ? listed : listed.annotated(annotations);
    }

    private Descriptor config(Layout layout) throws IOException {
        return config.isPresent() ? config.get() : layout.put(MediaType.EMPTY, NOTHING);
    }
}
