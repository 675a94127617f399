package lvms.operator.cluster.rule;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A field of the schema cannot be forgotten where changes are judged. */
class FieldRulesTests {
    private static final Path CRD = Path.of("deploy/base/crds/lvm.topolvm.io_lvmclusters.yaml");
    private static final List<String> CLASS = List.of("spec", "storage", "deviceClasses", "items");

    @Test
    void everyFieldOfADeviceClassHasARule() throws IOException {
        assertRules(UpdateRules.FIELDS, CLASS);
    }

    @Test
    void everyFieldOfAThinPoolHasARule() throws IOException {
        assertRules(ThinPoolRules.FIELDS, below("thinPoolConfig"));
    }

    @Test
    void everyFieldOfTheStorageClassOptionsHasARule() throws IOException {
        assertRules(UpdateRules.STORAGE_CLASS_FIELDS, below("storageClassOptions"));
    }

    private static List<String> below(String field) {
        return Stream.concat(CLASS.stream(), Stream.of(field)).toList();
    }

    private static <T> void assertRules(List<FieldRule<T>> rules, List<String> path)
            throws IOException {
        assertEquals(
                schema(path).at("properties").asObject().members().keySet().stream()
                        .sorted()
                        .toList(),
                rules.stream().map(FieldRule::field).sorted().toList());
    }

    private static ObjectTree schema(List<String> path) throws IOException {
        var crd = KubeObject.of(Yaml.read(Files.readString(CRD)).asObject());
        var schema =
                crd.objects("spec", "versions")
                        .getFirst()
                        .at("schema", "openAPIV3Schema")
                        .asObject();
        for (var name : path) {
            schema =
                    name.equals("items")
                            ? schema.at(name).asObject()
                            : schema.at("properties").asObject().at(name).asObject();
        }
        return schema;
    }
}
