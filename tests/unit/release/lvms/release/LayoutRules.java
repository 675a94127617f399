package lvms.release;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.zip.GZIPInputStream;

/**
 * Judges an OCI image layout by what is documented, without a line of what wrote it.
 *
 * <p>Source: image-layout.md, descriptor.md, manifest.md, image-index.md and config.md of the OCI
 * image specification 1.1, and the referrers tag schema of the distribution specification 1.1.
 */
final class LayoutRules {
    private static final String TYPE = "application/vnd.oci.image.";
    private static final String EMPTY = "application/vnd.oci.empty.v1+json";
    private static final String NAME = "org.opencontainers.image.ref.name";

    /** A reference that registries take: host, path, tag. */
    private static final Pattern REFERENCE =
            Pattern.compile(
                    "[a-z0-9.-]+(:[0-9]+)?(/[a-z0-9]+([._-]+[a-z0-9]+)*)+"
                            + ":[A-Za-z0-9_][A-Za-z0-9._-]{0,127}");

    private final Path folder;
    private final List<String> findings = new ArrayList<>();
    private final TreeSet<String> reached = new TreeSet<>();

    /** Digests of blobs that are what their names say. */
    private final TreeSet<String> sound = new TreeSet<>();

    /** Manifests with a subject, by that one's digest. */
    private final Map<String, List<ObjectTree>> about = new HashMap<>();

    private final Map<String, ObjectTree> tagged = new HashMap<>();

    private LayoutRules(Path folder) {
        this.folder = folder;
    }

    /** Returns what is wrong, a line for each. */
    static List<String> findings(Path folder) throws IOException {
        var rules = new LayoutRules(folder);
        rules.judge();
        return rules.findings;
    }

    private void judge() throws IOException {
        var version = json(folder.resolve("oci-layout"));
        expect(
                version.text("imageLayoutVersion").orElse("").equals("1.0.0"),
                "oci-layout",
                "1.0.0");
        contents();
        var index = json(folder.resolve("index.json"));
        index("index.json", index);
        for (var listed : index.objects("manifests")) {
            listed.text("annotations", NAME).ifPresent(name -> tag(name, listed));
        }
        for (var blob : blobs()) {
            expect(reached.contains(blob), "blob " + blob, "something that names it");
        }
        about.forEach(this::listed);
    }

    private static ObjectTree json(Path file) throws IOException {
        return Json.parse(Files.readString(file)).asObject();
    }

    private void expect(boolean holds, String where, String what) {
        if (!holds) {
            findings.add(where + ": expected " + what);
        }
    }

    private void tag(String name, ObjectTree listed) {
        expect(REFERENCE.matcher(name).matches(), name, "a reference with a tag");
        expect(tagged.put(name, listed) == null, name, "to be given once");
    }

    // --- What is named.

    private void index(String where, ObjectTree index) throws IOException {
        expect(index.number("schemaVersion").orElse(0) == 2, where, "schemaVersion 2");
        expect(type(index).equals(TYPE + "index.v1+json"), where, "the mediaType of an index");
        expect(index.has("manifests"), where, "manifests");
        for (var listed : index.objects("manifests")) {
            descriptor(where, listed);
        }
    }

    private static String type(ObjectTree object) {
        return object.text("mediaType").orElse("");
    }

    /** Follows a descriptor; a document has to be what the descriptor says. */
    private void descriptor(String where, ObjectTree descriptor) throws IOException {
        var digest = descriptor.text("digest").orElse("");
        if (!digest.matches("sha256:[0-9a-f]{64}")) {
            findings.add(where + ": \"" + digest + "\" is not a digest");
            return;
        }
        var blob = blob(digest);
        if (Files.notExists(blob)) {
            findings.add(where + ": there is no blob " + digest);
            return;
        }
        expect(!type(descriptor).isEmpty(), where, "a mediaType for " + digest);
        expect(
                descriptor.number("size").orElse(-1) == Files.size(blob),
                where,
                Files.size(blob) + " bytes of " + digest);
        if (!reached.add(digest.substring("sha256:".length())) || !sound.contains(digest)) {
            return;
        }
        switch (type(descriptor)) {
            case TYPE + "manifest.v1+json" -> manifest(digest, descriptor, json(blob));
            case TYPE + "index.v1+json" -> index(digest, json(blob));
            default -> {}
        }
    }

    private Path blob(String digest) {
        return folder.resolve("blobs").resolve(digest.replace(':', '/'));
    }

    private void manifest(String digest, ObjectTree listed, ObjectTree manifest)
            throws IOException {
        expect(manifest.number("schemaVersion").orElse(0) == 2, digest, "schemaVersion 2");
        expect(type(manifest).equals(type(listed)), digest, "mediaType " + type(listed));
        var config = manifest.object("config").orElse(ObjectTree.EMPTY);
        descriptor(digest, config);
        for (var layer : manifest.objects("layers")) {
            descriptor(digest, layer);
        }
        expect(!manifest.objects("layers").isEmpty(), digest, "layers");
        if (type(config).equals(EMPTY)) {
            expect(manifest.has("artifactType"), digest, "an artifactType, since config is empty");
            expect(
                    !sound(config) || Files.readString(blob(config)).equals("{}"),
                    digest,
                    "{} as its config");
        }
        boolean whole = sound(config) && manifest.objects("layers").stream().allMatch(this::sound);
        if (type(config).equals(TYPE + "config.v1+json") && whole) {
            image(digest, listed, json(blob(config)), manifest.objects("layers"));
        }
        var subject = manifest.object("subject");
        if (subject.isPresent()) {
            descriptor(digest, subject.get());
            about.computeIfAbsent(subject.get().text("digest").orElse(""), _ -> new ArrayList<>())
                    .add(manifest.with(Tree.of(digest), "digest"));
        }
    }

    private Path blob(ObjectTree descriptor) {
        return blob(descriptor.text("digest").orElseThrow());
    }

    private void image(String digest, ObjectTree listed, ObjectTree config, List<ObjectTree> layers)
            throws IOException {
        var unpacked = new ArrayList<String>();
        for (var layer : layers) {
            try (var in = new GZIPInputStream(Files.newInputStream(blob(layer)))) {
                unpacked.add("sha256:" + Sum.of(in.readAllBytes()));
            }
        }
        expect(
                unpacked.equals(config.texts("rootfs", "diff_ids")),
                digest,
                "diff_ids of its layers");
        var platform = listed.text("platform", "architecture");
        if (platform.isPresent()) {
            expect(
                    platform.equals(config.text("architecture")),
                    digest,
                    "an image for " + platform.get());
        }
    }

    // --- What is there.

    private List<String> blobs() throws IOException {
        try (var all = Files.list(folder.resolve("blobs/sha256"))) {
            return all.map(blob -> blob.getFileName().toString()).sorted().toList();
        }
    }

    private void contents() throws IOException {
        for (var name : blobs()) {
            boolean same = Sum.of(blob("sha256:" + name)).equals(name);
            expect(same, "blob " + name, "the content of that digest");
            if (same) {
                sound.add("sha256:" + name);
            }
        }
    }

    private boolean sound(ObjectTree descriptor) {
        return sound.contains(descriptor.text("digest").orElse(""));
    }

    /** Each image that something is said about has a tag that lists it. */
    private void listed(String subject, List<ObjectTree> artifacts) {
        var list =
                tagged.entrySet().stream()
                        .filter(tag -> tag.getKey().endsWith(":" + subject.replace(':', '-')))
                        .findFirst();
        if (list.isEmpty()) {
            findings.add(subject + ": no tag lists what is said about it");
            return;
        }
        try {
            var found = new HashMap<String, ObjectTree>();
            json(blob(list.get().getValue()))
                    .objects("manifests")
                    .forEach(d -> found.put(d.text("digest").orElse(""), d));
            for (var artifact : artifacts) {
                var digest = artifact.text("digest").orElseThrow();
                var entry = found.remove(digest);
                expect(entry != null, subject, "its tag to list " + digest);
                for (var same : List.of("artifactType", "annotations")) {
                    expect(
                            entry == null || entry.at(same).equals(artifact.at(same)),
                            digest,
                            "its " + same + " where it is listed");
                }
            }
            found.keySet().forEach(d -> findings.add(subject + ": " + d + " is about another one"));
        } catch (IOException e) {
            findings.add(subject + ": " + e);
        }
    }
}
