package lvms.release;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Judges the folder of a release: the layout and what refers to it, the chart, the plugin, the
 * sums.
 *
 * <p>Source: Helm's pages on OCI registries and on Chart.yaml; krew's on plugin manifests and its
 * validation; sha256sum(1).
 */
final class FileRules {
    private static final Pattern SUM = Pattern.compile("([0-9a-f]{64})  (.+)");
    private static final Pattern IMAGE =
            Pattern.compile("(?m)^[ -]*image: *\"?([^\"\\s]*lvms(-bundle)?[@:][^\"\\s]*)\"?$");

    private final Path folder;
    private final List<String> findings = new ArrayList<>();
    private final Map<String, String> digests = new HashMap<>();

    private FileRules(Path folder) {
        this.folder = folder;
    }

    /** Returns what is wrong, a line for each. */
    static List<String> findings(Path folder) throws IOException {
        var rules = new FileRules(folder);
        rules.findings.addAll(LayoutRules.findings(folder.resolve("images")));
        rules.judge();
        return rules.findings;
    }

    private void judge() throws IOException {
        for (var listed : json("images/index.json").objects("manifests")) {
            listed.text("annotations", Layout.NAME)
                    .ifPresent(name -> digests.put(name, listed.text("digest").orElse("")));
        }
        sums();
        references();
        images();
        provenance();
        chart();
        krew();
    }

    private void expect(boolean holds, String where, String what) {
        if (!holds) {
            findings.add(where + ": expected " + what);
        }
    }

    private String text(String file) throws IOException {
        return Files.readString(folder.resolve(file));
    }

    private ObjectTree json(String file) throws IOException {
        return Json.parse(text(file)).asObject();
    }

    private ObjectTree blob(String digest) throws IOException {
        return json("images/blobs/" + digest.replace(':', '/'));
    }

    private List<String> files() throws IOException {
        try (var all = Files.walk(folder)) {
            return all.filter(Files::isRegularFile)
                    .map(file -> folder.relativize(file).toString())
                    .sorted()
                    .toList();
        }
    }

    private String only(String pattern) throws IOException {
        var found = files().stream().filter(file -> file.matches(pattern)).toList();
        expect(found.size() == 1, pattern, "one file, not " + found);
        return found.getFirst();
    }

    private void sums() throws IOException {
        var left = new HashSet<>(files());
        left.removeAll(Set.of("SHA256SUMS", "SHA256SUMS.sig"));
        for (var line : text("SHA256SUMS").lines().toList()) {
            var sum = SUM.matcher(line);
            if (!sum.matches() || !left.remove(sum.group(2))) {
                findings.add("SHA256SUMS: " + line + " names no file, or one twice");
            } else {
                var is = Sum.of(folder.resolve(sum.group(2)));
                expect(is.equals(sum.group(1)), sum.group(2), "the content that SHA256SUMS says");
            }
        }
        left.forEach(file -> findings.add(file + ": not in SHA256SUMS"));
    }

    private void references() throws IOException {
        expect(
                Set.copyOf(text("references.txt").lines().toList()).equals(digests.keySet()),
                "references.txt",
                "every name of the layout");
    }

    /** Whatever names an image names one of the layout, and by digest. */
    private void images() throws IOException {
        int named = 0;
        for (var file : files()) {
            if (!file.matches("(manifests|olm)/.*[.]yaml")) {
                continue;
            }
            var image = IMAGE.matcher(text(file));
            while (image.find()) {
                named++;
                var parts = image.group(1).split("@", 2);
                boolean known =
                        digests.entrySet().stream()
                                .anyMatch(
                                        tag ->
                                                parts.length == 2
                                                        && tag.getKey().startsWith(parts[0] + ":")
                                                        && tag.getValue().equals(parts[1]));
                expect(known, file, "an image of the layout by its digest, not " + image.group(1));
            }
        }
        expect(named >= 4, "manifests and olm", "more than " + named + " names of images");
    }

    private void provenance() throws IOException {
        var statement = json(only("lvms-.*[.]provenance[.]json"));
        findings.addAll(StatementRules.findings(statement));
        for (var subject : statement.objects("subject")) {
            var digest = "sha256/" + subject.text("digest", "sha256").orElse("");
            expect(
                    Files.exists(folder.resolve("images/blobs").resolve(digest)),
                    "provenance",
                    digest + " in the layout");
        }
    }

    private void chart() throws IOException {
        var tag = digests.keySet().stream().filter(t -> t.contains("/charts/")).findFirst();
        expect(tag.isPresent(), "index.json", "a chart");
        var manifest = blob(digests.get(tag.orElseThrow()));
        var config = manifest.object("config").orElse(ObjectTree.EMPTY);
        expect(
                config.text("mediaType")
                        .equals(Optional.of("application/vnd.cncf.helm.config.v1+json")),
                "chart",
                "Helm's config");
        var layer = manifest.objects("layers").getFirst();
        expect(
                layer.text("mediaType")
                        .equals(Optional.of("application/vnd.cncf.helm.chart.content.v1.tar+gzip")),
                "chart",
                "Helm's layer");
        var metadata = blob(config.text("digest").orElseThrow());
        var name = metadata.text("name").orElse("");
        var version = metadata.text("version").orElse("");
        expect(
                tag.get().endsWith("/" + name + ":" + version),
                "chart",
                "name and version as in its reference");
        var archive = only("lvms-[0-9.]*[.]tgz");
        expect(
                ("sha256:" + Sum.of(folder.resolve(archive)))
                        .equals(layer.text("digest").orElse("")),
                archive,
                "the same in the layout");
        var inside = Yaml.read(packed(archive, name + "/Chart.yaml")).asObject();
        expect(inside.equals(metadata), "chart", "its Chart.yaml as its config");
        var values = packed(archive, name + "/values.yaml"); // it has anchors
        var reference = value(values, "reference");
        var image = value(values, "repository") + ":" + reference.split("@")[0];
        expect(
                reference.endsWith("@" + digests.getOrDefault(image, "none")),
                "chart",
                "the released image as its default");
    }

    private static String value(String values, String key) {
        var line = Pattern.compile("(?m)^  " + key + ": \"(.*)\"$").matcher(values);
        return line.find() ? line.group(1) : "";
    }

    private String packed(String archive, String name) throws IOException {
        return new String(Tarball.read(folder.resolve(archive), name), StandardCharsets.UTF_8);
    }

    private void krew() throws IOException {
        var manifest = Yaml.read(text("krew/lvms.yaml")).asObject();
        expect(
                manifest.text("apiVersion")
                        .orElse("")
                        .equals("krew.googlecontainertools.github.com/v1alpha2"),
                "krew/lvms.yaml",
                "krew's apiVersion");
        expect(manifest.text("kind").orElse("").equals("Plugin"), "krew/lvms.yaml", "kind Plugin");
        expect(
                manifest.text("metadata", "name").orElse("").matches("[\\w-]+"),
                "krew/lvms.yaml",
                "a name");
        var spec = manifest.object("spec").orElse(ObjectTree.EMPTY);
        expect(
                spec.text("version").orElse("").matches("v[0-9]+[.][0-9]+[.][0-9]+.*"),
                "krew/lvms.yaml",
                "a version with a v");
        var shown = spec.text("shortDescription").orElse("");
        expect(!shown.isEmpty() && shown.length() <= 50, "krew/lvms.yaml", "a short description");
        expect(!spec.objects("platforms").isEmpty(), "krew/lvms.yaml", "platforms");
        for (var platform : spec.objects("platforms")) {
            platform(platform);
        }
    }

    private void platform(ObjectTree platform) throws IOException {
        var uri = platform.text("uri").orElse("");
        expect(uri.startsWith("https://"), "krew/lvms.yaml", "an https address");
        var file = folder.resolve(uri.substring(uri.lastIndexOf('/') + 1));
        expect(Files.isRegularFile(file), "krew/lvms.yaml", "its archive in the release");
        expect(
                Sum.of(file).equals(platform.text("sha256").orElse("")),
                "krew/lvms.yaml",
                "the sum of its archive");
        var names = Tarball.names(file);
        for (var from : platform.objects("files")) {
            expect(
                    names.contains(from.text("from").orElse("")),
                    "krew/lvms.yaml",
                    "what it installs");
        }
        expect(names.contains(platform.text("bin").orElse("")), "krew/lvms.yaml", "its program");
    }
}
