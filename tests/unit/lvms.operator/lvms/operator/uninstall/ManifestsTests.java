package lvms.operator.uninstall;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;

/** An uninstallation knows what the shipped manifests install. */
class ManifestsTests {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "deploy/base",
                "deploy/guard",
                "deploy/nativestor",
                "deploy/nativestor/guard"
            })
    void everyShippedObjectIsKnown(String folder) throws Exception {
        var shipped = new TreeSet<String>();
        for (var object : resources(Path.of(folder))) {
            shipped.add(object.kind() + " " + object.key());
        }
        var known = new TreeSet<String>();
        var entries =
                switch (folder) {
                    case "deploy/base" -> Manifests.installed(Names.DEFAULT_NAMESPACE);
                    case "deploy/guard" -> Manifests.guard();
                    case "deploy/nativestor/guard" -> Manifests.nativeStorGuard();
                    default -> Manifests.nativeStor(Names.DEFAULT_NAMESPACE);
                };
        entries.forEach(entry -> known.add(entry.type().kind() + " " + entry.key()));
        assertEquals(shipped, known);
    }

    private static List<KubeObject> resources(Path folder) throws Exception {
        var objects = new ArrayList<KubeObject>();
        for (var file : read(folder.resolve("kustomization.yaml")).getFirst().list("resources")) {
            var path = folder.resolve(file.asText());
            if (!List.of("../base", "../../guard").contains(file.asText())) {
                objects.addAll(Files.isDirectory(path) ? resources(path) : read(path));
            }
        }
        return objects;
    }

    private static List<KubeObject> read(Path file) throws Exception {
        return Yaml.readAll(Files.readString(file)).stream()
                .map(document -> KubeObject.of(document.asObject()))
                .toList();
    }
}
