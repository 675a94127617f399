package lvms.release;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * An OCI image layout that is being written: blobs, and the index that names images and artifacts.
 * Closing it writes the index.
 *
 * <p>Source: image-layout.md of the OCI image specification 1.1.
 */
final class Layout implements AutoCloseable {
    /** What skopeo, podman and others take for the name of an image in a layout. */
    static final String NAME = "org.opencontainers.image.ref.name";

    /** The same for containerd, which takes whole references alone. */
    static final String CONTAINERD_NAME = "io.containerd.image.name";

    private final Path folder;
    private final Map<String, Descriptor> tagged = new LinkedHashMap<>();
    private final List<Descriptor> untagged = new ArrayList<>();

    private Layout(Path folder) {
        this.folder = folder;
    }

    /** Begins a layout in a folder that is not there yet. */
    static Layout create(Path folder) throws IOException {
        Files.createDirectories(folder.resolve("blobs/sha256"));
        return new Layout(folder);
    }

    private Path blob(String sha256) {
        return folder.resolve("blobs/sha256").resolve(sha256);
    }

    /** Stores a blob. */
    Descriptor put(String mediaType, byte[] content) throws IOException {
        var sum = Sum.of(content);
        Files.write(blob(sum), content);
        return new Descriptor(mediaType, Descriptor.PREFIX + sum, content.length, ObjectTree.EMPTY);
    }

    /** Stores a document, which names its own media type. */
    Descriptor put(ObjectTree document) throws IOException {
        return put(document.text("mediaType").orElseThrow(), bytes(document));
    }

    /** Stores a copy of a file. */
    Descriptor put(String mediaType, Path file) throws IOException {
        var sum = Sum.of(file);
        if (Files.notExists(blob(sum))) {
            Files.copy(file, blob(sum));
        }
        return new Descriptor(
                mediaType, Descriptor.PREFIX + sum, Files.size(file), ObjectTree.EMPTY);
    }

    /** Stores a copy of a file that has to be the one that is named. */
    void put(Descriptor named, Path file) throws IOException {
        if (!put(named.mediaType(), file).alone().equals(named.alone())) {
            throw new IOException(file + " is not " + named.digest() + ": build it again");
        }
    }

    /** Names a manifest or an index. */
    void tag(String reference, Descriptor content) {
        if (tagged.putIfAbsent(reference, content) != null) {
            throw new IllegalArgumentException(reference + " would have two meanings");
        }
    }

    /** Lists an artifact that is found by its subject. */
    void add(Descriptor artifact) {
        untagged.add(artifact);
    }

    /** Returns the references in the order in which they were given. */
    List<String> references() {
        return List.copyOf(tagged.keySet());
    }

    @Override
    public void close() throws IOException {
        var all = ListTree.builder();
        tagged.forEach(
                (reference, content) ->
                        all.add(
                                content.annotated(
                                                Map.of(
                                                        NAME, reference,
                                                        CONTAINERD_NAME, reference))
                                        .json()));
        untagged.forEach(artifact -> all.add(artifact.json()));
        Files.write(
                folder.resolve("oci-layout"),
                bytes(ObjectTree.builder().put("imageLayoutVersion", "1.0.0").build()));
        Files.write(folder.resolve("index.json"), bytes(index(all.build())));
    }

    /** Returns an image index of these manifests. */
    static ObjectTree index(ListTree manifests) {
        return ObjectTree.builder()
                .put("schemaVersion", 2)
                .put("mediaType", MediaType.INDEX)
                .put("manifests", manifests)
                .build();
    }

    static byte[] bytes(ObjectTree document) {
        return (Json.write(document) + "\n").getBytes(StandardCharsets.UTF_8);
    }
}
