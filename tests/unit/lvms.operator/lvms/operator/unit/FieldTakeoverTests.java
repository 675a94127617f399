package lvms.operator.unit;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.tree.Json;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;

import java.util.List;

/** Fields that a predecessor wrote become ours, and only those that nobody else needs. */
class FieldTakeoverTests {
    private static final String THEIRS =
            """
            metadata:
              resourceVersion: "7"
              managedFields:
                - manager: lvms
                  operation: Update
                  fieldsV1:
                    "f:metadata": {"f:finalizers": {}}
                    "f:spec": {"f:default": {}, "f:deviceSelector": {"f:paths": {}}}
                - manager: lvms
                  operation: Update
                  subresource: status
                  fieldsV1: {"f:status": {}}
            """;

    private static List<ObjectTree> fields(FieldTakeover fields, String object) {
        return fields
                .patch(KubeObject.of(Yaml.read(object).asObject()))
                .orElseThrow()
                .json()
                .stream()
                .map(operation -> operation.asObject().list("value"))
                .findFirst()
                .orElseThrow()
                .objects();
    }

    private static void assertFields(String expected, ObjectTree entry) {
        assertEquals(
                Json.parse(expected.replace('\'', '"')), entry.object("fieldsV1").orElseThrow());
    }

    @Test
    void ofAnObjectThatTheirAgentsWroteTooTheSpecAloneIsHandedOver() {
        var entries = fields(FieldTakeover.SPEC, THEIRS);
        assertEquals(3, entries.size(), entries.toString());
        assertFields("{'f:metadata':{'f:finalizers':{}}}", entries.get(0));
        assertEquals("status", entries.get(1).text("subresource").orElse(""));
        var ours = entries.get(2);
        assertEquals("lvms-operator", ours.text("manager").orElse(""));
        assertEquals("Apply", ours.text("operation").orElse(""));
        assertFields("{'f:spec':{'f:default':{},'f:deviceSelector':{'f:paths':{}}}}", ours);
    }

    @Test
    void whatIsOursAlreadyStaysOurs() {
        var both =
                THEIRS
                        + "    - {manager: lvms-operator, operation: Apply, fieldsV1:"
                        + " {\"f:spec\": {\"f:deviceSelector\": {\"f:optionalPaths\": {}}}}}\n";
        var entries = fields(FieldTakeover.SPEC, both);
        assertEquals(3, entries.size(), entries.toString());
        assertFields(
                "{'f:spec':{'f:deviceSelector':{'f:optionalPaths':{},'f:paths':{}},'f:default':{}}}",
                entries.get(2));
    }

    @Test
    void anObjectOfOursAloneGoesOverWhole() {
        var entries = fields(FieldTakeover.WHOLE, THEIRS);
        assertEquals(2, entries.size(), entries.toString());
        assertTrue(entries.get(1).object("fieldsV1", "f:metadata").isPresent());
    }

    @Test
    void whatNobodyElseWroteIsLeftAlone() {
        var object = THEIRS.replace("manager: lvms", "manager: kubectl");
        assertTrue(FieldTakeover.SPEC.patch(KubeObject.of(Yaml.read(object).asObject())).isEmpty());
    }
}
