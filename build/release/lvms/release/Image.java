package lvms.release;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * A container image of one architecture, as {@code ./build.sh oci} packs it: a layout with one
 * image.
 *
 * @param folder the layout
 * @param manifest as the layout's index lists it, with its platform
 * @param layers lowest first
 */
record Image(Path folder, Descriptor manifest, Descriptor config, List<Descriptor> layers) {
    Image {
        layers = List.copyOf(layers);
    }

    static Image open(Path folder) throws IOException {
        var index = document(folder.resolve("index.json"));
        var listed = index.objects("manifests");
        if (listed.size() != 1) {
            throw new IOException(folder + " has " + listed.size() + " images, not one");
        }
        var named = Descriptor.of(listed.getFirst());
        var platform = named.more().at("platform");
        var manifest = named.alone().with("platform", platform);
        var document = document(blob(folder, manifest));
        return new Image(
                folder,
                manifest,
                Descriptor.of(document.object("config").orElseThrow()),
                document.objects("layers").stream().map(Descriptor::of).toList());
    }

    private static ObjectTree document(Path file) throws IOException {
        return Json.parse(Files.readString(file)).asObject();
    }

    private static Path blob(Path folder, Descriptor descriptor) {
        return folder.resolve("blobs/sha256").resolve(descriptor.sha256());
    }

    Path blob(Descriptor descriptor) {
        return blob(folder, descriptor);
    }

    /** Returns the architecture as Go names it. */
    String architecture() {
        return manifest.more()
                .object("platform")
                .flatMap(p -> p.text("architecture"))
                .orElseThrow();
    }

    ObjectTree labels() throws IOException {
        return document(blob(config)).object("config", "Labels").orElse(ObjectTree.EMPTY);
    }

    /** Copies all that it consists of. */
    void copyInto(Layout layout) throws IOException {
        var all = new ArrayList<>(layers);
        all.add(config);
        all.add(manifest);
        for (var descriptor : all) {
            layout.put(descriptor, blob(descriptor));
        }
    }

    /** Returns those layers that have something under a path, which begins with {@code ./}. */
    List<Path> layersWith(String path) throws IOException {
        var found = new ArrayList<Path>();
        for (var layer : layers) {
            boolean has =
                    Tarball.names(blob(layer)).stream()
                            .anyMatch(name -> name.equals(path) || name.startsWith(path + "/"));
            if (has) {
                found.add(blob(layer));
            }
        }
        return found;
    }

    /** Returns one image for several architectures. */
    static ObjectTree index(List<Image> images, ObjectTree annotations) {
        var manifests = images.stream().map(image -> image.manifest().json()).toList();
        return Layout.index(ListTree.of(manifests)).with(annotations, "annotations");
    }
}
