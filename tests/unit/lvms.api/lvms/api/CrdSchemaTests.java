package lvms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonPrimitive;

import lvms.api.StorageClassOptions.BindingMode;
import lvms.api.StorageClassOptions.ReclaimPolicy;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Toleration;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Records and schemas have the same fields: an object with every field of the schema, read into a
 * record and written again, is the same object. A field that one side lacks is lost or pruned.
 */
class CrdSchemaTests {
    private static final Path CRDS = Path.of("deploy/crds");

    private record Kind(ResourceType type, UnaryOperator<JsonObject> throughRecord) {
        @Override
        public String toString() {
            return type.kind();
        }
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind(LvmCluster.TYPE, CrdSchemaTests::cluster),
                new Kind(LvmVolumeGroup.TYPE, CrdSchemaTests::volumeGroup),
                new Kind(LvmVolumeGroupNodeStatus.TYPE, CrdSchemaTests::nodeStatus),
                new Kind(LogicalVolume.TYPE, CrdSchemaTests::logicalVolume));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyFieldOfTheSchemaIsInTheRecordAndTheOtherWayRound(Kind kind) throws IOException {
        var full = Sample.of(schema(kind.type())).getAsJsonObject();
        assertEquals(full, kind.throughRecord().apply(full));
    }

    @Test
    void theSchemasHaveEveryComponentOfTheRecords() throws Exception {
        var cluster = KubeObject.of(Sample.of(schema(LvmCluster.TYPE)).getAsJsonObject());
        assertFilled(LvmCluster.of(cluster).deviceClasses().getFirst());
        var group = KubeObject.of(Sample.of(schema(LvmVolumeGroup.TYPE)).getAsJsonObject());
        assertFilled(LvmVolumeGroup.of(group).spec());
    }

    /** What is absent although every field of the schema was given is not in the schema. */
    private static void assertFilled(Record part) throws ReflectiveOperationException {
        for (var component : part.getClass().getRecordComponents()) {
            var value = component.getAccessor().invoke(part);
            var where = part.getClass().getSimpleName() + "." + component.getName();
            assertFalse(Optional.empty().equals(value), () -> where + " is not in the schema");
            assertFalse(OptionalInt.empty().equals(value), () -> where + " is not in the schema");
            if ((value instanceof Optional<?> inside ? inside.get() : value) instanceof Record r) {
                assertFilled(r);
            }
        }
    }

    @Test
    void aVolumeGroupHasTheSchemaOfItsDeviceClass() throws IOException {
        var ofClass = deviceClassSchema().object("properties").orElseThrow();
        var ofGroup =
                KubeObject.of(schema(LvmVolumeGroup.TYPE))
                        .object("properties", "spec", "properties")
                        .orElseThrow();
        for (var field : ofGroup.keySet()) {
            if (!field.equals("default")) { // the only class of a cluster is always the default
                assertEquals(ofClass.get(field), ofGroup.get(field), field);
            }
        }
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void theManifestServesTheType(Kind kind) throws IOException {
        var crd = KubeObject.of(crd(kind.type()));
        var type = kind.type();
        assertEquals(type.qualifiedPlural(), crd.name());
        assertEquals(type.group(), crd.text("spec", "group").orElseThrow());
        assertEquals(type.kind(), crd.text("spec", "names", "kind").orElseThrow());
        assertEquals(type.plural(), crd.text("spec", "names", "plural").orElseThrow());
        assertEquals(
                type.namespaced() ? "Namespaced" : "Cluster",
                crd.text("spec", "scope").orElseThrow());
        var version = KubeObject.of(version(type));
        assertEquals(type.version(), version.text("name").orElseThrow());
        assertTrue(version.object("subresources", "status").isPresent());
    }

    @Test
    void nodesCanWatchTheirOwnVolumesOnly() throws IOException {
        var paths = KubeObject.of(version(LogicalVolume.TYPE)).objects("selectableFields");
        assertEquals(
                List.of(".spec.nodeName", ".status.volumeID"),
                paths.stream().map(p -> p.get("jsonPath").getAsString()).toList());
    }

    @Test
    void aClusterShowsItsStateInLists() throws IOException {
        var columns = KubeObject.of(version(LvmCluster.TYPE)).objects("additionalPrinterColumns");
        assertEquals(
                Map.of("Status", ".status.state", "Age", ".metadata.creationTimestamp"),
                Map.of(
                        columns.get(0).get("name").getAsString(),
                        columns.get(0).get("jsonPath").getAsString(),
                        columns.get(1).get("name").getAsString(),
                        columns.get(1).get("jsonPath").getAsString()));
    }

    @Test
    void defaultsAreTheSame() throws IOException {
        var deviceClass = deviceClassSchema();
        var pool = deviceClass.object("properties", "thinPoolConfig", "properties").orElseThrow();
        assertEquals(
                ThinPoolConfig.DEFAULT_SIZE_PERCENT,
                pool.getAsJsonObject("sizePercent").get("default").getAsInt());
        var bare = ThinPoolConfig.of(new JsonObject());
        assertEquals(
                bare.chunkSizePolicy().text(),
                pool.getAsJsonObject("chunkSizeCalculationPolicy").get("default").getAsString());
        assertEquals(
                bare.metadataSizePolicy().text(),
                pool.getAsJsonObject("metadataSizeCalculationPolicy").get("default").getAsString());
        assertEquals(
                DeviceClass.DEFAULT_FSTYPE,
                deviceClass.text("properties", "fstype", "default").orElseThrow());
        var options = deviceClass.object("properties", "storageClassOptions").orElseThrow();
        assertEquals(new JsonObject(), options.get("default"));
        var properties = options.getAsJsonObject("properties");
        assertEquals(
                StorageClassOptions.DEFAULT.reclaimPolicy().text(),
                properties.getAsJsonObject("reclaimPolicy").get("default").getAsString());
        assertEquals(
                StorageClassOptions.DEFAULT.bindingMode().text(),
                properties.getAsJsonObject("volumeBindingMode").get("default").getAsString());
    }

    @Test
    void enumerationsAreTheSame() throws IOException {
        var deviceClass = deviceClassSchema();
        assertEnum(DiscoveryPolicy.values(), deviceClass, "deviceDiscoveryPolicy");
        assertEnum(
                SizePolicy.values(), deviceClass, "thinPoolConfig", "chunkSizeCalculationPolicy");
        assertEnum(
                SizePolicy.values(),
                deviceClass,
                "thinPoolConfig",
                "metadataSizeCalculationPolicy");
        assertEnum(RaidType.values(), deviceClass, "raidConfig", "type");
        assertEnum(ReclaimPolicy.values(), deviceClass, "storageClassOptions", "reclaimPolicy");
        assertEnum(BindingMode.values(), deviceClass, "storageClassOptions", "volumeBindingMode");
        var volumeGroup =
                KubeObject.of(
                        KubeObject.of(schema(LvmVolumeGroupNodeStatus.TYPE))
                                .object("properties", "spec", "properties", "nodeStatus", "items")
                                .orElseThrow());
        assertEnum(EffectiveDiscovery.values(), volumeGroup, "deviceDiscoveryPolicy");
        assertEnum(RaidHealth.values(), volumeGroup, "raidStatus", "status");
    }

    @Test
    void immutableFieldsHaveTheirRules() throws IOException {
        var deviceClass = deviceClassSchema();
        for (var path :
                List.of(
                        new String[] {"fstype"},
                        new String[] {"raidConfig"},
                        new String[] {"storageClassOptions", "reclaimPolicy"},
                        new String[] {"storageClassOptions", "volumeBindingMode"},
                        new String[] {"storageClassOptions", "additionalParameters"})) {
            var rules = deviceClass.objects(schemaPath("x-kubernetes-validations", path));
            assertEquals("oldSelf == self", rules.getFirst().get("rule").getAsString());
            var message = rules.getFirst().get("message").getAsString();
            assertEquals(path[path.length - 1] + " is immutable", message);
        }
    }

    @Test
    void quantitiesMayBeNumbersOrText() throws IOException {
        var size =
                KubeObject.of(schema(LogicalVolume.TYPE))
                        .object("properties", "spec", "properties", "size")
                        .orElseThrow();
        assertTrue(size.get("x-kubernetes-int-or-string").getAsBoolean());
        assertFalse(size.has("type"));
        assertTrue("1.5Gi".matches(size.get("pattern").getAsString()));
        assertFalse("1 Gi".matches(size.get("pattern").getAsString()));
    }

    private static KubeObject deviceClassSchema() throws IOException {
        return KubeObject.of(
                KubeObject.of(schema(LvmCluster.TYPE))
                        .object(
                                "properties",
                                "spec",
                                "properties",
                                "storage",
                                "properties",
                                "deviceClasses",
                                "items")
                        .orElseThrow());
    }

    private static void assertEnum(WireText[] constants, KubeObject schema, String... path) {
        assertEquals(
                Arrays.stream(constants).map(WireText::text).sorted().toList(),
                schema.list(schemaPath("enum", path)).stream()
                        .map(JsonElement::getAsString)
                        .sorted()
                        .toList(),
                () -> String.join(".", path));
    }

    private static String[] schemaPath(String last, String... path) {
        return Stream.concat(
                        Arrays.stream(path).flatMap(name -> Stream.of("properties", name)),
                        Stream.of(last))
                .toArray(String[]::new);
    }

    private static JsonObject crd(ResourceType type) throws IOException {
        var file = CRDS.resolve(type.group() + "_" + type.plural() + ".yaml");
        return Yaml.read(Files.readString(file)).getAsJsonObject();
    }

    private static JsonObject version(ResourceType type) throws IOException {
        return KubeObject.of(crd(type)).objects("spec", "versions").getFirst();
    }

    private static JsonObject schema(ResourceType type) throws IOException {
        return KubeObject.of(version(type)).object("schema", "openAPIV3Schema").orElseThrow();
    }

    private static JsonObject cluster(JsonObject full) {
        var cluster = LvmCluster.of(KubeObject.of(full));
        var storage = new JsonObject();
        storage.add("deviceClasses", Fields.array(cluster.deviceClasses(), DeviceClass::json));
        var spec = new JsonObject();
        spec.add("tolerations", Fields.array(cluster.tolerations(), Toleration::json));
        spec.add("storage", storage);
        return whole(full, spec, cluster.status().json());
    }

    private static JsonObject volumeGroup(JsonObject full) {
        return whole(full, LvmVolumeGroup.of(KubeObject.of(full)).spec().json(), new JsonObject());
    }

    private static JsonObject nodeStatus(JsonObject full) {
        var spec = new JsonObject();
        spec.add(
                "nodeStatus",
                LvmVolumeGroupNodeStatus.json(
                        LvmVolumeGroupNodeStatus.of(KubeObject.of(full)).volumeGroups()));
        return whole(full, spec, new JsonObject());
    }

    private static JsonObject logicalVolume(JsonObject full) {
        var volume = LogicalVolume.of(KubeObject.of(full));
        return whole(full, volume.spec().json(), volume.status().json());
    }

    private static JsonObject whole(JsonObject full, JsonObject spec, JsonObject status) {
        var whole = new JsonObject();
        whole.add("apiVersion", full.get("apiVersion"));
        whole.add("kind", full.get("kind"));
        whole.add("metadata", full.get("metadata"));
        whole.add("spec", spec);
        whole.add("status", status);
        return whole;
    }

    /** Makes a value with every field of a schema, none of them at its default. */
    private static final class Sample {
        static JsonElement of(JsonObject schema) {
            return of("", schema);
        }

        private static JsonElement of(String name, JsonObject schema) {
            if (schema.has("x-kubernetes-int-or-string")) {
                return new JsonPrimitive("3Gi");
            }
            return switch (schema.get("type").getAsString()) {
                case "object" -> object(schema);
                case "array" -> array(name, schema.getAsJsonObject("items"));
                case "integer" -> new JsonPrimitive(7);
                case "boolean" -> new JsonPrimitive(true);
                default -> new JsonPrimitive(text(name, schema));
            };
        }

        private static JsonObject object(JsonObject schema) {
            var object = new JsonObject();
            if (schema.has("additionalProperties")) {
                object.addProperty("key", "value");
            }
            if (schema.has("properties")) {
                schema.getAsJsonObject("properties")
                        .asMap()
                        .forEach((n, s) -> object.add(n, of(n, s.getAsJsonObject())));
            }
            return object;
        }

        private static JsonArray array(String name, JsonObject items) {
            var array = new JsonArray();
            array.add(of(name, items));
            return array;
        }

        private static String text(String name, JsonObject schema) {
            if (schema.has("enum")) {
                var words = schema.getAsJsonArray("enum").asList();
                return words.stream()
                        .filter(word -> !word.equals(schema.get("default")))
                        .findFirst()
                        .orElseThrow()
                        .getAsString();
            }
            if (schema.has("format")) {
                return "2026-01-02T03:04:05Z";
            }
            return name.equals("status")
                    ? "Degraded"
                    : "some-" + name.toLowerCase(java.util.Locale.ROOT);
        }
    }
}
