package lvms.release;

import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;
import lvms.olm.Kustomization;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * The manifests of {@code deploy/} with the released image.
 *
 * @param deploy the folder
 * @param image reference that they name until now
 * @param released reference that they name in the release
 */
record Manifests(Path deploy, String image, String released) {
    /** Which folders are also one file each, by the file's name. */
    private static final Map<String, String> RENDERED =
            new TreeMap<>(
                    Map.of(
                            "lvms.yaml", "base",
                            "guard.yaml", "guard",
                            "admission.yaml", "admission",
                            "admission-cert-manager.yaml", "admission-cert-manager",
                            "admission-openshift.yaml", "admission-openshift",
                            "cross-namespace.yaml", "cross-namespace"));

    /** Folders that are no manifests to apply. */
    private static final List<String> APART = List.of("chart", "host", "olm", "plugin");

    /** Writes the files into a folder. */
    void render(Path to) throws IOException {
        Files.createDirectories(to);
        for (var file : RENDERED.entrySet()) {
            var objects =
                    new Kustomization(deploy.resolve(file.getValue()), this::released).objects();
            var text =
                    objects.stream()
                            .map(KubeObject::json)
                            .map(Yaml::write)
                            .collect(Collectors.joining("---\n"));
            Files.writeString(to.resolve(file.getKey()), text);
        }
    }

    /** Packs the folder for {@code kubectl apply -k}. */
    void pack(Tarball tar, Path scratch, Path archive) throws IOException {
        var copy = scratch.resolve("deploy");
        Folders.copy(deploy, copy);
        for (var folder : APART) {
            Folders.remove(copy.resolve(folder));
        }
        int named = 0;
        for (var file : yaml(copy)) {
            var before = Files.readString(file);
            var after = released(before);
            if (!after.equals(before)) {
                named++;
                Files.writeString(file, after);
            }
        }
        if (named == 0) {
            throw new IllegalArgumentException(deploy + " nowhere names " + image);
        }
        tar.pack(scratch, archive, "deploy");
        Folders.remove(copy);
    }

    private static List<Path> yaml(Path folder) throws IOException {
        try (var all = Files.walk(folder)) {
            return all.filter(file -> file.toString().endsWith(".yaml")).sorted().toList();
        }
    }

    private String released(String text) {
        return text.replace("image: " + image + "\n", "image: " + released + "\n");
    }
}
