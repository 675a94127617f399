package lvms.tests.image;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.StreamSupport;

/** The container image as it was packed: a tar of an OCI image layout. */
final class Archive {
    private static final Path FILE = Path.of(System.getProperty("lvms.archive", ""));

    private final Path layout;

    /** Unpacks it, or skips the test where this machine cannot pack one. */
    Archive(Path folder) throws IOException, InterruptedException {
        this(folder, FILE);
    }

    /** Unpacks the image for must-gather, which is packed beside the other one. */
    static Archive ofMustGather(Path folder) throws IOException, InterruptedException {
        var name = FILE.getFileName().toString().replace("-no-aot", "");
        return new Archive(
                folder, FILE.resolveSibling(name.replaceFirst("^lvms-", "lvms-must-gather-")));
    }

    private Archive(Path folder, Path file) throws IOException, InterruptedException {
        var obstacle = System.getProperty("lvms.skip.oci", "");
        assumeTrue(obstacle.isEmpty(), obstacle);
        layout = Files.createDirectory(folder.resolve("layout"));
        run("tar", "--extract", "--file", file.toString(), "--directory", layout.toString());
    }

    Tree json(String file) throws IOException {
        return Json.parse(Files.readString(layout.resolve(file)));
    }

    ObjectTree index() throws IOException {
        return json("index.json").asObject();
    }

    ObjectTree manifest() throws IOException {
        var descriptor = index().list("manifests").at(0).asObject();
        return json(blobName(descriptor)).asObject();
    }

    ObjectTree config() throws IOException {
        return json(blobName(manifest().at("config").asObject())).asObject();
    }

    /** The layers' descriptors, lowest first. */
    List<ObjectTree> layers() throws IOException {
        return StreamSupport.stream(manifest().at("layers").asList().spliterator(), false)
                .map(Tree::asObject)
                .toList();
    }

    /** Path of a descriptor's blob in the layout. */
    static String blobName(ObjectTree descriptor) {
        return "blobs/" + descriptor.at("digest").asText().replace(':', '/');
    }

    Path blob(ObjectTree descriptor) {
        return layout.resolve(blobName(descriptor));
    }

    List<String> blobNames() throws IOException {
        try (var files = Files.list(layout.resolve("blobs/sha256"))) {
            return files.map(file -> "blobs/sha256/" + file.getFileName()).sorted().toList();
        }
    }

    /** Unpacks all layers over each other. */
    Path unpack(Path folder) throws IOException, InterruptedException {
        Files.createDirectory(folder);
        for (var layer : layers()) {
            run(
                    "tar",
                    "--extract",
                    "--gzip",
                    "--keep-directory-symlink",
                    "--file",
                    blob(layer).toString(),
                    "--directory",
                    folder.toString());
        }
        return folder;
    }

    /** What java is called with about caches, by the launcher of a name in unpacked layers. */
    static List<String> cacheWords(Path root, String launcher) throws IOException {
        var arguments = root.resolve("opt/lvms/lib").resolve(launcher + ".args");
        return Files.readAllLines(arguments).stream()
                .filter(word -> word.startsWith("-XX:AOTCache"))
                .toList();
    }

    /** One line of {@code tar --list --verbose} for each entry of the layers. */
    List<String> entries() throws IOException, InterruptedException {
        var lines = new ArrayList<String>();
        for (var layer : layers()) {
            run("tar", "--list", "--verbose", "--numeric-owner", "--file", blob(layer).toString())
                    .lines()
                    .forEach(lines::add);
        }
        return lines;
    }

    static String sha256(InputStream bytes) throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            var buffer = new byte[1 << 16];
            for (int n = bytes.read(buffer); n >= 0; n = bytes.read(buffer)) {
                digest.update(buffer, 0, n);
            }
            return "sha256:" + HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }

    /** Runs a program that has to end well, and returns what it printed on both outputs. */
    static String run(String... command) throws IOException, InterruptedException {
        var process = new ProcessBuilder(command).redirectErrorStream(true).start();
        process.getOutputStream().close();
        var text = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertEquals(0, process.waitFor(), String.join(" ", command) + ": " + text);
        return text;
    }
}
