package lvms.operator.uninstall;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.TreeSet;

/** An uninstallation knows what the shipped manifests install. */
class ManifestsTests {
    @ParameterizedTest
    @ValueSource(strings = {"deploy/base", "deploy/guard"})
    void everyShippedObjectIsKnown(String folder) throws Exception {
        var shipped = new TreeSet<String>();
        var kustomization = Path.of(folder, "kustomization.yaml");
        for (var file : read(kustomization).getFirst().list("resources")) {
            for (var object : read(Path.of(folder, file.asText()))) {
                shipped.add(object.kind() + " " + object.key());
            }
        }
        var known = new TreeSet<String>();
        var entries =
                folder.equals("deploy/base")
                        ? Manifests.installed(Names.DEFAULT_NAMESPACE)
                        : Manifests.guard();
        entries.forEach(entry -> known.add(entry.type().kind() + " " + entry.key()));
        assertEquals(shipped, known);
    }

    private static List<KubeObject> read(Path file) throws Exception {
        return Yaml.readAll(Files.readString(file)).stream()
                .map(document -> KubeObject.of(document.asObject()))
                .toList();
    }
}
