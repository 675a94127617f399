package lvms.tests.conformance.takeover;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.tests.cluster.ClusterNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** The image of a predecessor: its programs on the layer of Debian's tools in our image. */
record PeerImage(String name, Path archive) {
    /** The user of TopoLVM's images: its manifests name none for what has to be root. */
    static final String ROOT = "0";

    /** The user of LVMS's image, by number, since its manifests say that it is not root. */
    static final String NOBODY = "65532:65532";

    private static final Duration IMPORT = Duration.ofMinutes(3);
    private static final String MANIFEST =
            """
            [{"Config": "config.json", "RepoTags": ["%s"], "Layers": ["debian.tar", "peer.tar"]}]
            """;

    /**
     * Makes it.
     *
     * @param user whom it runs as
     * @param programs by their names in {@code /}; those that end in {@code .xz} are unpacked
     * @param folder for what is made
     */
    static PeerImage make(String name, String user, Map<String, Path> programs, Path folder)
            throws IOException, InterruptedException {
        var ours = Path.of(System.getProperty("lvms.archive")).toAbsolutePath();
        Files.createDirectories(folder.resolve("ours"));
        Files.createDirectories(folder.resolve("root"));
        Shell.run(folder, "tar --extract --file \"$1\" --directory ours", ours.toString());
        for (var program : programs.entrySet()) {
            Shell.run(
                    folder,
                    """
                    case "$2" in
                    *.xz) xz --decompress --stdout "$2" >"root/$1" ;;
                    *) cp "$2" "root/$1" ;;
                    esac
                    chmod 755 "root/$1"
                    """,
                    program.getKey(),
                    program.getValue().toString());
        }
        Shell.run(
                folder,
                """
                tar --create --file peer.tar --owner=0 --group=0 --directory root .
                cp "ours/blobs/sha256/$1" debian.layer
                gzip --decompress --stdout debian.layer >debian.tar 2>/dev/null ||
                    cp debian.layer debian.tar
                for layer in debian.tar peer.tar; do sha256sum $layer | cut -c 1-64; done >ids
                """,
                debian(folder.resolve("ours")));
        var ids = Files.readAllLines(folder.resolve("ids"));
        Files.writeString(folder.resolve("config.json"), config(user, ids));
        Files.writeString(folder.resolve("manifest.json"), MANIFEST.formatted(name));
        Shell.run(
                folder,
                "tar --create --file image.tar manifest.json config.json debian.tar peer.tar");
        return new PeerImage(name, folder.resolve("image.tar"));
    }

    /** The first layer of our image. */
    private static String debian(Path layout) throws IOException {
        var index = json(layout.resolve("index.json"));
        var manifest = json(blob(layout, index, "manifests"));
        return digest(manifest.objects("layers").getFirst());
    }

    private static Path blob(Path layout, ObjectTree index, String list) {
        return layout.resolve("blobs/sha256").resolve(digest(index.objects(list).getFirst()));
    }

    private static String digest(ObjectTree descriptor) {
        return descriptor.text("digest").orElseThrow().substring("sha256:".length());
    }

    private static ObjectTree json(Path file) throws IOException {
        return Json.parse(Files.readString(file)).asObject();
    }

    private static String config(String user, List<String> ids) {
        return """
        {"architecture": "amd64", "os": "linux",
         "config": {"User": "%s", "Env": ["PATH=/usr/sbin:/usr/bin:/sbin:/bin"]},
         "rootfs": {"type": "layers", "diff_ids": ["sha256:%s", "sha256:%s"]}}
        """
                .formatted(user, ids.get(0), ids.get(1));
    }

    void load(ClusterNode node) throws IOException {
        node.run(
                        List.of(
                                "ctr",
                                "--namespace",
                                "k8s.io",
                                "images",
                                "import",
                                archive.toAbsolutePath().toString()),
                        IMPORT)
                .require("import " + name);
    }
}
