package lvms.olm;

import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Writes bundle and catalogue into an empty folder. Words: {@code to=FOLDER version=V image=REF},
 * and if they are others than those of {@link Release#of}: {@code bundle-image=REF namespace=NAME
 * architectures=A,B}.
 */
final class Main {
    private final Map<String, String> words = new HashMap<>();

    private Main(String[] args) {
        for (var word : args) {
            var parts = word.split("=", 2);
            words.put(parts[0], parts[1]);
        }
    }

    public static void main(String[] args) throws IOException {
        var main = new Main(args);
        try {
            main.write(Bundle.of(Path.of("deploy"), main.release()));
        } catch (IllegalArgumentException e) {
            System.err.println("olm: " + e.getMessage());
            System.exit(1);
        }
    }

    private Release release() {
        var release = Release.of(words.get("version"), words.get("image"));
        if (words.containsKey("bundle-image")) {
            release = release.withBundleImage(words.get("bundle-image"));
        }
        if (words.containsKey("namespace")) {
            release = release.withNamespace(words.get("namespace"));
        }
        if (words.containsKey("architectures")) {
            release = release.withArchitectures(List.of(words.get("architectures").split(",")));
        }
        return release;
    }

    /** Returns all files, by path. */
    static Map<String, String> files(Bundle bundle) throws IOException {
        var files = new TreeMap<String, String>();
        bundle.files().forEach((path, text) -> files.put("bundle/" + path, text));
        files.put(
                "catalog/catalog.yaml",
                new Catalog(bundle)
                        .documents().stream()
                                .map(document -> "---\n" + Yaml.write(document))
                                .collect(Collectors.joining()));
        files.put("bundle.Dockerfile", bundle.dockerfile());
        files.put(
                "catalog.Dockerfile",
                """
                ARG OPM
                FROM $OPM
                ENTRYPOINT ["/bin/opm"]
                CMD ["serve", "/configs", "--cache-dir=/tmp/cache"]
                COPY catalog /configs/%s
                LABEL operators.operatorframework.io.index.configs.v1=/configs
                """
                        .formatted(bundle.graph().packageName()));
        return files;
    }

    private void write(Bundle bundle) throws IOException {
        var folder = Path.of(words.get("to"));
        for (var file : files(bundle).entrySet()) {
            var path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }
}
