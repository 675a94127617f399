package lvms.release;

import lvms.k8s.tree.ListTree;

import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What is said about the images of a layout. A registry with the referrers API finds it by the
 * subject of each artifact; for one without, an index with the digest as its tag lists it.
 *
 * <p>Source: "Listing Referrers" and "Referrers Tag Schema" of the OCI distribution specification
 * 1.1.
 */
final class Referrers {
    private final Layout layout;
    private final String repository;
    private final Map<Descriptor, List<Descriptor>> found = new LinkedHashMap<>();

    /**
     * @param repository where the images will be
     */
    Referrers(Layout layout, String repository) {
        this.layout = layout;
        this.repository = repository;
    }

    /**
     * Stores a document that says something about an image.
     *
     * @param type its media type
     */
    void attach(Descriptor image, String type, byte[] document, Map<String, String> annotations)
            throws IOException {
        var artifact =
                Artifact.of(type, layout.put(type, document))
                        .about(image)
                        .annotated(annotations)
                        .putInto(layout);
        layout.add(artifact);
        found.computeIfAbsent(image.alone(), _ -> new ArrayList<>()).add(artifact);
    }

    /** Names the lists; nothing can be attached later. */
    void tagAll() throws IOException {
        for (var image : found.entrySet()) {
            var listed = image.getValue().stream().map(Descriptor::json).toList();
            var digest = image.getKey().digest().replace(':', '-');
            layout.tag(repository + ":" + digest, layout.put(Layout.index(ListTree.of(listed))));
        }
    }
}
