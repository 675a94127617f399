package lvms.release;

import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.runner.Needs;

import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/** Each defect of a release is found: the rules that judge one are none that cannot fail. */
@Needs("tar")
class DefectTests {
    @TempDir private static Path shared;
    private static Path whole;

    @TempDir private Path folder;

    /** A change of a release that makes it a wrong one. */
    @FunctionalInterface
    interface Plant {
        void into(Path release) throws IOException;
    }

    /**
     * A defect.
     *
     * @param finding a part of what is said about it
     */
    record Defect(String finding, Plant plant) {
        @Override
        public String toString() {
            return finding;
        }
    }

    @BeforeAll
    static void write() throws Exception {
        whole = new SmallRelease(shared).write(Optional.empty());
    }

    private static Defect edit(String file, String from, String to, String finding) {
        return new Defect(
                finding,
                release -> {
                    var path = release.resolve(file);
                    var text = Files.readString(path);
                    assertTrue(text.contains(from), file + " has no " + from);
                    Files.writeString(path, text.replaceFirst(Pattern.quote(from), to));
                });
    }

    /** Changes a document of the layout, and gives it the name of its new digest. */
    private static Defect document(String part, String from, String to, String finding) {
        return new Defect(
                finding,
                release -> {
                    var before = document(release, part);
                    var text = Files.readString(before);
                    var changed = text.replaceFirst(from, to);
                    assertNotEquals(text, changed);
                    Files.delete(before);
                    var sum = Sum.of(changed.getBytes(StandardCharsets.UTF_8));
                    Files.writeString(before.resolveSibling(sum), changed);
                    rename(release, before.getFileName().toString(), sum);
                });
    }

    private static Path document(Path release, String part) throws IOException {
        try (var blobs = Files.list(release.resolve("images/blobs/sha256"))) {
            for (var blob : blobs.sorted().toList()) {
                if (Files.size(blob) < 1 << 16
                        && Files.readString(blob, StandardCharsets.ISO_8859_1).contains(part)) {
                    return blob;
                }
            }
        }
        throw new AssertionError("no document has " + part);
    }

    private static void rename(Path release, String from, String to) throws IOException {
        var index = release.resolve("images/index.json");
        Files.writeString(index, Files.readString(index).replace(from, to));
    }

    private static Plant firstBlob(Plant change) {
        return release -> {
            try (var blobs = Files.list(release.resolve("images/blobs/sha256"))) {
                change.into(blobs.sorted().findFirst().orElseThrow());
            }
        };
    }

    static List<Defect> defects() {
        return List.of(
                new Defect(
                        "expected the content of that digest",
                        firstBlob(blob -> Files.write(blob, new byte[] {1}))),
                new Defect("there is no blob", firstBlob(Files::delete)),
                new Defect(
                        "expected something that names it",
                        release ->
                                Files.writeString(
                                        release.resolve(
                                                "images/blobs/sha256/" + Sum.of(new byte[0])),
                                        "")),
                edit("images/oci-layout", "1.0.0", "2", "oci-layout: expected 1.0.0"),
                edit("images/index.json", "\"size\":", "\"size\":1", " bytes of sha256:"),
                edit(
                        "images/index.json",
                        "ref.name\":\"registry",
                        "ref.name\":\"REGISTRY",
                        "a reference with a tag"),
                edit(
                        "images/index.json",
                        "ref.name\":\"registry.example.com/storage/lvms:sha256-",
                        "ref.name\":\"registry.example.com/storage/lvms:sha257-",
                        "no tag lists what is said"),
                document("\"subject\":{", "\"artifactType\":\"[^\"]*\",", "", "an artifactType"),
                document("\"subject\":{", "(\"subject\":.*\"size\":)", "$11", " bytes of sha256:"),
                document(
                        "\"subject\":{",
                        "\"mediaType\":\"[^\"]*\"",
                        "\"mediaType\":\"x\"",
                        "mediaType"),
                document(
                        "helm.config",
                        "\"config\":\\{\"mediaType\":\"[^\"]*\"",
                        "\"config\":{\"mediaType\":\"x\"",
                        "chart: expected Helm's config"),
                edit("references.txt", "registry", "registri", "every name of the layout"),
                edit("manifests/lvms.yaml", "@sha256:", ":0.1.0-sha", "by its digest"),
                edit(
                        "olm/catalog/catalog.yaml",
                        "lvms-bundle@sha256:",
                        "lvms-bundle:",
                        "by its digest"),
                edit("krew/lvms.yaml", "sha256: ", "sha256: 0", "the sum of its archive"),
                edit("krew/lvms.yaml", "version: v", "version: ", "a version with a v"),
                edit("krew/lvms.yaml", "bin: kubectl-", "bin: ", "its program"),
                edit("lvms-0.1.0.provenance.json", "Statement/v1", "Statement/v0", "its _type"),
                edit(
                        "lvms-0.1.0.provenance.json",
                        "\"gitCommit\":",
                        "\"commit\":",
                        "the commit among"),
                edit(
                        "lvms-0.1.0.provenance.json",
                        "\"id\":\"urn:example:",
                        "\"id\":\"",
                        "a builder's id"),
                edit(
                        "lvms-0.1.0.provenance.json",
                        "\"sha256\":\"",
                        "\"sha256\":\"0",
                        "a digest of"),
                edit(
                        "SHA256SUMS",
                        "  krew/lvms.yaml\n",
                        "  krew/lvms.yml\n",
                        "krew/lvms.yaml: not in SHA256SUMS"),
                new Defect(
                        "extra: not in SHA256SUMS",
                        release -> Files.writeString(release.resolve("extra"), "x")));
    }

    @ParameterizedTest
    @MethodSource("defects")
    void isFound(Defect defect) throws Exception {
        var release = folder.resolve("release");
        Folders.copy(whole, release);
        defect.plant().into(release);
        var findings = FileRules.findings(release);
        assertTrue(
                findings.stream().anyMatch(f -> f.contains(defect.finding())), findings.toString());
    }

    @Test
    void withoutOneNothingIsFound() throws Exception {
        assertTrue(FileRules.findings(whole).isEmpty());
    }
}
