package lvms.release;

import lvms.k8s.tree.Json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A release of the real manifests and chart, and of images with next to nothing in them. */
final class SmallRelease {
    static final String VERSION = "0.1.0";
    static final String COMMIT = "0123456789abcdef0123456789abcdef01234567";
    static final Instant TIME = Instant.parse("2026-01-02T03:04:05Z");
    static final Path TREE = Path.of("").toAbsolutePath();

    private final Path folder;
    private final Tarball tar = new Tarball(TIME);

    /**
     * @param folder an empty one, for inputs and release
     */
    SmallRelease(Path folder) {
        this.folder = folder;
    }

    static Release release(String registry, String commit) {
        return new Release(
                VERSION, commit, TIME, registry, "https://example.com/lvms", "urn:example:tests");
    }

    /** Writes it; returns its folder. */
    Path write(Optional<Signature> key) throws IOException {
        return write(release("registry.example.com/storage", COMMIT), key);
    }

    /** Writes one that is unsigned. */
    Path write(String registry, String commit) throws IOException {
        return write(release(registry, commit), Optional.empty());
    }

    private Path write(Release release, Optional<Signature> key) throws IOException {
        var inputs = inputs(release.commit());
        var to = Files.createDirectory(folder.resolve("release"));
        var scratch = Files.createDirectory(folder.resolve("scratch"));
        new Publication(release, inputs, to, scratch).write(key);
        return to;
    }

    Inputs inputs() throws IOException {
        return inputs(COMMIT);
    }

    private Inputs inputs(String commit) throws IOException {
        var tree = Files.createDirectory(folder.resolve("tree"));
        Folders.copy(TREE.resolve("deploy"), tree.resolve("deploy"));
        Files.copy(TREE.resolve("LICENSE"), tree.resolve("LICENSE"));
        var jar = file("jars/a-1.jar", "a jar");
        var tool = file("jars/protoc-2-linux-x86_64.exe", "a tool");
        var deb = file("debian/libc6_2.36-9+deb12u1_amd64.deb", "a package");
        Files.createDirectory(tree.resolve("build"));
        Files.writeString(
                tree.resolve("build/artifacts.tsv"),
                """
                # coordinates	SHA-256	use	module	licence	needed by
                org.example:a:1	%s	image	a	MIT	-
                org.example:protoc:2:linux-x86_64:exe	%s	tool	-	MIT	-
                """
                        .formatted(Sum.of(jar), Sum.of(tool)));
        var lock =
                file(
                        "debian-amd64.lock",
                        "# package version sha256 archive/path\nlibc6 2.36-9+deb12u1 "
                                + Sum.of(deb)
                                + " debian/pool/main/g/glibc/libc6_2.36-9+deb12u1_amd64.deb\n");
        var chart = folder.resolve("chart/lvms");
        Files.createDirectories(chart.getParent());
        Folders.copy(TREE.resolve("deploy/chart"), chart);
        file("maven/lvms/lvms.k8s/0.1.0/lvms.k8s-0.1.0.pom", "<project/>");
        return new Inputs(
                List.of(image("lvms", "arm64", commit), image("lvms", "amd64", commit)),
                List.of(image("gather", "amd64", commit), image("gather", "arm64", commit)),
                tree,
                chart,
                folder.resolve("maven"),
                jar.getParent(),
                deb.getParent(),
                List.of(lock, lock),
                file("lvms-0.1.0-src.tar.gz", "sources"),
                "/opt/lvms",
                "localhost/lvms:" + VERSION,
                true);
    }

    private Path file(String name, String text) throws IOException {
        var file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    /** Writes an image as ./build.sh oci does: a layout, with a layer of Debian below ours. */
    private Path image(String name, String architecture, String commit) throws IOException {
        var layout = folder.resolve("images").resolve(name + "-" + architecture);
        var blobs = Files.createDirectories(layout.resolve("blobs/sha256"));
        var debian = layer(blobs, name + architecture, "etc/debian_version", name);
        var runtime =
                layer(
                        blobs,
                        name + architecture + "-runtime",
                        "opt/lvms/lvms.cdx.json",
                        "{\"bomFormat\":\"CycloneDX\",\"for\":\"%s\"}\n".formatted(architecture));
        var config =
                """
                {"architecture":"%s","os":"linux","config":{"Labels":
                {"org.opencontainers.image.revision":"%s"}},
                "rootfs":{"type":"layers","diff_ids":["sha256:%s","sha256:%s"]}}
                """
                        .formatted(architecture, commit, debian.diffId(), runtime.diffId());
        var manifest =
                """
                {"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json",
                "config":%s,"layers":[%s,%s]}
                """
                        .formatted(
                                named("config.v1+json", blob(blobs, config)),
                                named("layer.v1.tar+gzip", debian.packed()),
                                named("layer.v1.tar+gzip", runtime.packed()));
        var listed =
                named("manifest.v1+json", blob(blobs, manifest))
                        .replaceFirst(
                                "}$",
                                ",\"platform\":{\"architecture\":\"%s\",\"os\":\"linux\"}}"
                                        .formatted(architecture));
        Files.writeString(
                layout.resolve("index.json"),
                "{\"schemaVersion\":2,\"manifests\":[%s]}".formatted(listed));
        Files.writeString(
                layout.resolve("bill.cdx.json"),
                "{\"bomFormat\":\"CycloneDX\",\"for\":\"%s of must-gather\"}\n"
                        .formatted(architecture));
        return layout;
    }

    private record Layer(Path packed, String diffId) {}

    private Layer layer(Path blobs, String name, String file, String text) throws IOException {
        var root = folder.resolve("layers").resolve(name);
        file("layers/" + name + "/" + file, text);
        var plain = folder.resolve(name + ".tar");
        var packed = folder.resolve(name + ".tar.gz");
        tar.pack(root, plain, ".");
        tar.pack(root, packed, ".");
        return new Layer(Files.copy(packed, blobs.resolve(Sum.of(packed))), Sum.of(plain));
    }

    private static Path blob(Path blobs, String json) throws IOException {
        var bytes = Json.write(Json.parse(json)).getBytes(StandardCharsets.UTF_8);
        return Files.write(blobs.resolve(Sum.of(bytes)), bytes);
    }

    private static String named(String type, Path blob) throws IOException {
        return ("{\"mediaType\":\"application/vnd.oci.image.%s\",\"digest\":\"sha256:%s\","
                        + "\"size\":%d}")
                .formatted(type, blob.getFileName(), Files.size(blob));
    }
}
