package lvms.deploy.chart;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.k8s.tree.Json;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The chart's schema of an LVMCluster is that of its definition, but that a key that the definition
 * does not know is refused: the API server would drop it, and a class without its paths takes every
 * free disk.
 */
class ChartSchemaTests {
    private static final Path DEFINITION =
            Path.of("deploy/base/crds/lvm.topolvm.io_lvmclusters.yaml");
    private static final Path SCHEMA = Path.of("deploy/chart/values.schema.json");

    /** What JSON Schema says as a definition does; the server alone knows the rest. */
    private static final List<String> SAME =
            List.of(
                    "type",
                    "enum",
                    "minLength",
                    "maxLength",
                    "minimum",
                    "maximum",
                    "maxProperties",
                    "required",
                    "pattern");

    @Test
    void aClusterOfTheValuesIsJudgedByItsDefinition() throws Exception {
        var spec =
                Yaml.read(Files.readString(DEFINITION))
                        .asObject()
                        .objects("spec", "versions")
                        .getFirst()
                        .object("schema", "openAPIV3Schema", "properties", "spec")
                        .orElseThrow();
        var schema = Json.parse(Files.readString(SCHEMA)).asObject();
        assertEquals(
                strict(spec),
                schema.at("definitions", "clusterSpec"),
                () -> "definitions.clusterSpec in " + SCHEMA + " has to be " + strict(spec));
    }

    private static ObjectTree strict(ObjectTree schema) {
        var out = ObjectTree.builder();
        for (var key : SAME) {
            if (schema.has(key)) {
                out.put(key, schema.at(key));
            }
        }
        if (schema.has("anyOf")) {
            var forms = schema.objects("anyOf").stream().map(ChartSchemaTests::strict).toList();
            out.put("anyOf", ListTree.of(forms));
        }
        schema.object("items").ifPresent(items -> out.put("items", strict(items)));
        var properties = schema.object("properties");
        if (properties.isPresent()) {
            var each = ObjectTree.builder();
            properties
                    .get()
                    .members()
                    .forEach((name, value) -> each.put(name, strict(value.asObject())));
            out.put("additionalProperties", Tree.of(false));
            out.put("properties", each.build());
        } else {
            schema.object("additionalProperties")
                    .ifPresent(values -> out.put("additionalProperties", strict(values)));
        }
        return out.build();
    }
}
