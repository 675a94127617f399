package lvms.release;

import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * OLM's bundle as the image that its Dockerfile would make: one layer, and labels that say what is
 * in it.
 *
 * <p>Source: config.md of the OCI image specification 1.1; "bundle" of the Operator Framework.
 *
 * @param folder with the bundle's folders
 * @param labels of the image
 */
record BundleImage(Path folder, Map<String, String> labels) {
    /** Stores it; returns its manifest. */
    Descriptor putInto(Layout layout, Release release, Tarball tar, Path scratch)
            throws IOException {
        var plain = scratch.resolve("bundle.tar");
        var packed = scratch.resolve("bundle.tar.gz");
        tar.pack(folder, plain, "manifests", "metadata");
        tar.pack(folder, packed, "manifests", "metadata");
        var config =
                ObjectTree.builder()
                        .put("architecture", "amd64") // of no meaning; OLM's own tools write it
                        .put("os", "linux")
                        .put("created", release.time().toString())
                        .put("config", ObjectTree.EMPTY.with(ObjectTree.ofTexts(labels), "Labels"))
                        .put(
                                "rootfs",
                                ObjectTree.builder()
                                        .put("type", "layers")
                                        .put(
                                                "diff_ids",
                                                ListTree.builder()
                                                        .add(Descriptor.PREFIX + Sum.of(plain))
                                                        .build())
                                        .build())
                        .build();
        var manifest =
                ObjectTree.builder()
                        .put("schemaVersion", 2)
                        .put("mediaType", MediaType.MANIFEST)
                        .put("config", layout.put(MediaType.CONFIG, Layout.bytes(config)).json())
                        .put("layers", ListTree.of(layout.put(MediaType.LAYER, packed).json()))
                        .put("annotations", ObjectTree.ofTexts(release.annotations("lvms-bundle")))
                        .build();
        Files.delete(plain);
        Files.delete(packed);
        return layout.put(manifest);
    }
}
