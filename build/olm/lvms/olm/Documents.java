package lvms.olm;

import lvms.k8s.yaml.Yaml;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** All files of a bundle and its catalogue, and how images are built of them. */
public final class Documents {
    private Documents() {}

    /** Returns their texts, by path. */
    public static Map<String, String> of(Bundle bundle) throws IOException {
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

    /** Writes them below a folder. */
    public static void write(Map<String, String> files, Path folder) throws IOException {
        for (var file : files.entrySet()) {
            var path = folder.resolve(file.getKey());
            Files.createDirectories(path.getParent());
            Files.writeString(path, file.getValue());
        }
    }
}
