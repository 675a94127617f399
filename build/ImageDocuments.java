import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Writes the JSON that belongs to the container image: its bill of materials (CycloneDX 1.6) and
 * the documents of its layout (OCI image 1.1, and {@code manifest.json} of {@code docker save}).
 * build.sh runs it from source: {@code java build/ImageDocuments.java bill|layout NAME=VALUE...
 * [layer]...}. The same words and files give the same bytes.
 */
final class ImageDocuments {
    private static final String OCI = "application/vnd.oci.image.";

    private final Map<String, String> words;

    private ImageDocuments(Map<String, String> words) {
        this.words = words;
    }

    public static void main(String[] args) throws IOException {
        var words = new HashMap<String, String>();
        var layers = new ArrayList<String>();
        for (var word : Arrays.asList(args).subList(1, args.length)) {
            int sign = word.indexOf('=');
            if (sign < 0) {
                layers.add(word);
            } else {
                words.put(word.substring(0, sign), word.substring(sign + 1));
            }
        }
        var documents = new ImageDocuments(words);
        switch (args[0]) {
            case "bill" -> documents.print(documents.bill());
            case "layout" -> System.out.println(documents.layout(layers));
            default -> throw new IllegalArgumentException("bill or layout, not " + args[0]);
        }
    }

    private String word(String name) {
        var value = words.get(name);
        if (value == null) {
            throw new IllegalArgumentException(name + "=... is missing");
        }
        return value;
    }

    private void print(Object document) {
        new PrintStream(System.out, true, StandardCharsets.UTF_8).println(Json.text(document));
    }

    // --- The bill of materials.

    private Map<String, Object> bill() throws IOException {
        var image = new LinkedHashMap<String, Object>();
        image.put("type", "container");
        image.put("bom-ref", word("reference"));
        image.put("name", word("name"));
        image.put("version", word("version"));
        image.put("licenses", Bill.licences(Bill.APACHE));
        var jdk = jdkVersion();
        var components = new ArrayList<Object>();
        components.addAll(ours());
        components.addAll(others());
        var openjdk =
                Bill.component("framework", "openjdk", jdk, "pkg:generic/openjdk@" + escaped(jdk));
        openjdk.put("licenses", Bill.licences("GPL-2.0-only WITH Classpath-exception-2.0"));
        components.add(openjdk);
        components.add(Bill.component("operating-system", "debian", "13", ""));
        components.addAll(debian());
        return Bill.of(image, components);
    }

    /** That of the image, which may be another one than runs here. */
    private String jdkVersion() throws IOException {
        var release = Path.of(word("image"), "release");
        for (var line : Files.readAllLines(release)) {
            if (line.startsWith("JAVA_VERSION=")) {
                return line.substring(line.indexOf('=') + 1).replace("\"", "");
            }
        }
        throw new IllegalStateException(release + " does not say which JDK it is of");
    }

    private List<Object> ours() throws IOException {
        var components = new ArrayList<Object>();
        List<Path> jars;
        try (var files = Files.list(Path.of(word("jars")))) {
            jars = files.filter(file -> file.toString().endsWith(".jar")).sorted().toList();
        }
        for (var jar : jars) {
            var name = jar.getFileName().toString().replace(".jar", "");
            var version = word("version");
            var component =
                    Bill.component("library", name, version, "pkg:generic/" + name + "@" + version);
            component.put("licenses", Bill.licences(Bill.APACHE));
            component.put("hashes", Bill.hashes(sha256(Files.readAllBytes(jar))));
            components.add(component);
        }
        return components;
    }

    private List<Object> others() throws IOException {
        return Artifact.read(Path.of(word("artifacts")), "image").stream()
                .<Object>map(Bill::component)
                .toList();
    }

    /** Columns: package, version, SHA-256, path in the archive. */
    private List<Object> debian() throws IOException {
        var components = new ArrayList<Object>();
        for (var line : lines(word("locks").split(","))) {
            var columns = line.split(" ");
            var purl =
                    "pkg:deb/debian/%s@%s?arch=%s&distro=debian-13"
                            .formatted(
                                    escaped(columns[0]),
                                    escaped(columns[1]),
                                    word("debian-architecture"));
            var component = Bill.component("library", columns[0], columns[1], purl);
            component.put("hashes", Bill.hashes(columns[2]));
            components.add(component);
        }
        return components;
    }

    private static List<String> lines(String... files) throws IOException {
        var lines = new ArrayList<String>();
        for (var file : files) {
            lines.addAll(Files.readAllLines(Path.of(file)));
        }
        lines.removeIf(line -> line.isBlank() || line.startsWith("#"));
        return lines;
    }

    /** What a package URL must not have plain in a version. */
    private static String escaped(String text) {
        return text.replace(":", "%3A").replace("+", "%2B");
    }

    // --- The layout.

    /**
     * A layer, packed.
     *
     * @param comment what it holds
     */
    private record Layer(String name, String comment, String digest, String diffId, long size) {}

    /** Writes the documents beside the layers' blobs; returns the manifest's SHA-256. */
    private String layout(List<String> names) throws IOException {
        var folder = Path.of(word("folder"));
        var layers = new ArrayList<Layer>();
        for (var name : names) {
            layers.add(layer(name));
        }
        var config = blob(folder, config(layers));
        var manifest =
                blob(
                        folder,
                        Json.object(
                                "schemaVersion",
                                2,
                                "mediaType",
                                OCI + "manifest.v1+json",
                                "config",
                                descriptor(folder, "config.v1+json", config),
                                "layers",
                                layers.stream().map(layer -> descriptor(layer)).toList()));
        write(folder.resolve("oci-layout"), Json.object("imageLayoutVersion", "1.0.0"));
        write(folder.resolve("index.json"), index(folder, manifest));
        write(folder.resolve("manifest.json"), dockerManifest(config, layers));
        return manifest;
    }

    private Layer layer(String name) throws IOException {
        var packed = Path.of(word("layers"));
        return new Layer(
                name,
                switch (name) {
                    case "debian" -> "Debian packages";
                    case "gather" -> "what oc adm must-gather calls";
                    case "runtime" -> "runtime image";
                    case "aot" -> "AOT caches";
                    default -> throw new IllegalArgumentException("no layer named " + name);
                },
                Files.readString(packed.resolve(name + ".digest")).strip(),
                Files.readString(packed.resolve(name + ".diff-id")).strip(),
                Files.size(packed.resolve(name + ".tar.gz")));
    }

    private Map<String, Object> config(List<Layer> layers) {
        var prefix = word("prefix");
        var created = word("created");
        var labels = new LinkedHashMap<String, Object>();
        labels.put("title", "lvms");
        labels.put("description", "Local volumes for Kubernetes through LVM");
        labels.put("version", word("version"));
        labels.put("revision", word("revision"));
        labels.put("created", created);
        labels.put("licenses", Bill.APACHE);
        var named = new LinkedHashMap<String, Object>();
        labels.forEach((name, value) -> named.put("org.opencontainers.image." + name, value));
        return Json.object(
                "architecture", word("architecture"),
                "os", "linux",
                "created", created,
                "config",
                        Json.object(
                                "User",
                                "0",
                                "Entrypoint",
                                List.of(prefix + "/bin/lvms"),
                                "WorkingDir",
                                "/",
                                "Env",
                                List.of("PATH=" + prefix + "/bin:/usr/sbin:/usr/bin:/sbin:/bin"),
                                "Labels",
                                named),
                "rootfs",
                        Json.object(
                                "type",
                                "layers",
                                "diff_ids",
                                layers.stream().map(l -> "sha256:" + l.diffId()).toList()),
                "history",
                        layers.stream()
                                .map(
                                        layer ->
                                                Json.object(
                                                        "created",
                                                        created,
                                                        "created_by",
                                                        "./build.sh oci",
                                                        "comment",
                                                        layer.comment()))
                                .toList());
    }

    private Map<String, Object> index(Path folder, String manifest) throws IOException {
        var described = descriptor(folder, "manifest.v1+json", manifest);
        described.put("platform", Json.object("architecture", word("architecture"), "os", "linux"));
        described.put(
                "annotations",
                Json.object(
                        "io.containerd.image.name", word("reference"),
                        "org.opencontainers.image.ref.name", word("reference")));
        return Json.object(
                "schemaVersion",
                2,
                "mediaType",
                OCI + "index.v1+json",
                "manifests",
                List.of(described));
    }

    /** What docker reads where it does not know the OCI layout. */
    private List<Object> dockerManifest(String config, List<Layer> layers) {
        return List.of(
                Json.object(
                        "Config", "blobs/sha256/" + config,
                        "RepoTags", List.of(word("reference")),
                        "Layers",
                                layers.stream()
                                        .map(layer -> "blobs/sha256/" + layer.digest())
                                        .toList()));
    }

    private static Map<String, Object> descriptor(Layer layer) {
        return Json.object(
                "mediaType", OCI + "layer.v1.tar+gzip",
                "digest", "sha256:" + layer.digest(),
                "size", layer.size());
    }

    private static Map<String, Object> descriptor(Path folder, String type, String sha256)
            throws IOException {
        return Json.object(
                "mediaType", OCI + type,
                "digest", "sha256:" + sha256,
                "size", Files.size(folder.resolve("blobs/sha256").resolve(sha256)));
    }

    /** Stores a document and returns its SHA-256. */
    private static String blob(Path folder, Object document) throws IOException {
        var bytes = Json.bytes(document);
        var sum = sha256(bytes);
        Files.write(folder.resolve("blobs/sha256").resolve(sum), bytes);
        return sum;
    }

    private static void write(Path file, Object document) throws IOException {
        Files.write(file, Json.bytes(document));
    }

    private static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
