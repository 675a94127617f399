package lvms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.StorageClassOptions.BindingMode;
import lvms.api.StorageClassOptions.ReclaimPolicy;
import lvms.api.disk.Disk;
import lvms.api.field.Fields;
import lvms.api.listing.GroupListing;
import lvms.api.nativestor.RawDevice;
import lvms.api.nativestor.TopolvmCluster;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Toleration;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.k8s.yaml.Yaml;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;

/**
 * Records and schemas have the same fields: an object with every field of the schema, read into a
 * record and written again, is the same object. A field that one side lacks is lost or pruned.
 */
class CrdSchemaTests {
    private static final Path CRDS = Path.of("deploy/base/crds");
    private static final Path NATIVESTOR = Path.of("deploy/nativestor/crds");
    private static final Set<ResourceType> NATIVESTOR_TYPES =
            Set.of(TopolvmCluster.TYPE, RawDevice.TYPE);

    private record Kind(ResourceType type, UnaryOperator<ObjectTree> throughRecord) {
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
                new Kind(LogicalVolume.TYPE, CrdSchemaTests::logicalVolume),
                new Kind(TopolvmCluster.TYPE, CrdSchemaTests::topolvmCluster),
                new Kind(RawDevice.TYPE, CrdSchemaTests::rawDevice));
    }

    /** Whoever moves an object from one group to the other loses nothing. */
    @Test
    void theOldGroupHasTheSameType() throws IOException {
        var present = Files.readString(CRDS.resolve("topolvm.io_logicalvolumes.yaml"));
        var old = Path.of("deploy/legacy/topolvm.cybozu.com_logicalvolumes.yaml");
        assertEquals(
                present.replace(Driver.TOPOLVM.group(), Driver.LEGACY.group()),
                Files.readString(old));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    void everyFieldOfTheSchemaIsInTheRecordAndTheOtherWayRound(Kind kind) throws IOException {
        var full = Sample.of(schema(kind.type())).asObject();
        assertEquals(full, kind.throughRecord().apply(full));
    }

    @Test
    void theSchemasHaveEveryComponentOfTheRecords() throws Exception {
        var cluster = KubeObject.of(Sample.of(schema(LvmCluster.TYPE)).asObject());
        assertFilled(LvmCluster.of(cluster).deviceClasses().getFirst());
        var group = KubeObject.of(Sample.of(schema(LvmVolumeGroup.TYPE)).asObject());
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

    /** A class has all that its group has, but for what only a listing node by node says. */
    @Test
    void aVolumeGroupHasTheSchemaOfItsDeviceClass() throws IOException {
        var full = Sample.of(schema(LvmVolumeGroup.TYPE)).asObject();
        var listing = ObjectTree.builder();
        GroupListing.of(full.at("spec").asObject()).addTo(listing);
        var ofListing = listing.build().members().keySet();
        var ofClass = deviceClassSchema().object("properties").orElseThrow();
        var ofGroup =
                KubeObject.of(schema(LvmVolumeGroup.TYPE))
                        .object("properties", "spec", "properties")
                        .orElseThrow();
        for (var field : ofGroup.members().keySet()) {
            if (ofListing.contains(field)) {
                assertFalse(ofClass.has(field), field);
            } else if (!field.equals("default")) { // the only class of a cluster is the default
                assertEquals(ofClass.at(field), ofGroup.at(field), field);
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
                paths.stream().map(p -> p.at("jsonPath").asText()).toList());
    }

    @Test
    void defaultsAreTheSame() throws IOException {
        var deviceClass = deviceClassSchema();
        var pool = deviceClass.object("properties", "thinPoolConfig", "properties").orElseThrow();
        assertEquals(
                ThinPoolConfig.DEFAULT_SIZE_PERCENT,
                (int) pool.at("sizePercent", "default").number().orElseThrow());
        var bare = ThinPoolConfig.of(ObjectTree.EMPTY);
        assertEquals(
                bare.chunkSizePolicy().text(),
                pool.at("chunkSizeCalculationPolicy", "default").asText());
        assertEquals(
                bare.metadataSizePolicy().text(),
                pool.at("metadataSizeCalculationPolicy", "default").asText());
        assertEquals(
                DeviceClass.DEFAULT_FSTYPE,
                deviceClass.text("properties", "fstype", "default").orElseThrow());
        var options = deviceClass.object("properties", "storageClassOptions").orElseThrow();
        assertEquals(ObjectTree.EMPTY, options.at("default"));
        var properties = options.at("properties").asObject();
        assertEquals(
                StorageClassOptions.DEFAULT.reclaimPolicy().text(),
                properties.at("reclaimPolicy", "default").asText());
        assertEquals(
                StorageClassOptions.DEFAULT.bindingMode().text(),
                properties.at("volumeBindingMode", "default").asText());
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
            assertEquals("oldSelf == self", rules.getFirst().at("rule").asText());
            var message = rules.getFirst().at("message").asText();
            assertEquals(path[path.length - 1] + " is immutable", message);
        }
    }

    /** So users of either cluster learn one field. What may change is for the operator to judge. */
    @Test
    void aTopolvmClusterHasTheRaidLayoutOfAnLvmCluster() throws IOException {
        var raid = deviceClassSchema().object("properties", "raidConfig").orElseThrow();
        var storage =
                KubeObject.of(schema(TopolvmCluster.TYPE))
                        .object("properties", "spec", "properties", "storage", "properties")
                        .orElseThrow();
        var ofNode =
                KubeObject.of(storage)
                        .object("deviceClasses", "items", "properties", "classes", "items")
                        .orElseThrow();
        for (var other :
                List.of(
                        storage.at("raidConfig"),
                        KubeObject.of(ofNode).object("properties", "raidConfig").orElseThrow())) {
            for (var part : List.of("type", "required", "properties")) {
                assertEquals(raid.at(part), other.asObject().at(part), part);
            }
        }
    }

    @Test
    void quantitiesMayBeNumbersOrText() throws IOException {
        var size =
                KubeObject.of(schema(LogicalVolume.TYPE))
                        .object("properties", "spec", "properties", "size")
                        .orElseThrow();
        assertTrue(size.at("x-kubernetes-int-or-string").flag().orElseThrow());
        assertFalse(size.has("type"));
        assertTrue("1.5Gi".matches(size.at("pattern").asText()));
        assertFalse("1 Gi".matches(size.at("pattern").asText()));
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
                schema.list(schemaPath("enum", path)).stream().map(Tree::asText).sorted().toList(),
                () -> String.join(".", path));
    }

    private static String[] schemaPath(String last, String... path) {
        return Stream.concat(
                        Arrays.stream(path).flatMap(name -> Stream.of("properties", name)),
                        Stream.of(last))
                .toArray(String[]::new);
    }

    private static ObjectTree crd(ResourceType type) throws IOException {
        var folder = NATIVESTOR_TYPES.contains(type) ? NATIVESTOR : CRDS;
        var file = folder.resolve(type.group() + "_" + type.plural() + ".yaml");
        return Yaml.read(Files.readString(file)).asObject();
    }

    private static ObjectTree version(ResourceType type) throws IOException {
        return KubeObject.of(crd(type)).objects("spec", "versions").getFirst();
    }

    private static ObjectTree schema(ResourceType type) throws IOException {
        return KubeObject.of(version(type)).object("schema", "openAPIV3Schema").orElseThrow();
    }

    private static ObjectTree cluster(ObjectTree full) {
        var cluster = LvmCluster.of(KubeObject.of(full));
        var storage = ObjectTree.builder();
        storage.put("deviceClasses", Fields.array(cluster.deviceClasses(), DeviceClass::json));
        var spec = ObjectTree.builder();
        spec.put("tolerations", Fields.array(cluster.tolerations(), Toleration::json));
        spec.put("storage", storage.build());
        return whole(full, spec.build(), cluster.status().json());
    }

    private static ObjectTree volumeGroup(ObjectTree full) {
        return whole(full, LvmVolumeGroup.of(KubeObject.of(full)).spec().json(), ObjectTree.EMPTY);
    }

    private static ObjectTree nodeStatus(ObjectTree full) {
        var spec = ObjectTree.builder();
        spec.put(
                "nodeStatus",
                LvmVolumeGroupNodeStatus.json(
                        LvmVolumeGroupNodeStatus.of(KubeObject.of(full)).volumeGroups()));
        var disks = LvmVolumeGroupNodeStatus.of(KubeObject.of(full)).disks();
        spec.put("disks", ListTree.of(disks.stream().map(Disk::json).toList()));
        return whole(full, spec.build(), ObjectTree.EMPTY);
    }

    private static ObjectTree logicalVolume(ObjectTree full) {
        var volume = LogicalVolume.of(KubeObject.of(full));
        return whole(full, volume.spec().json(), volume.status().json());
    }

    private static ObjectTree topolvmCluster(ObjectTree full) {
        var cluster = TopolvmCluster.of(KubeObject.of(full));
        return whole(full, cluster.spec().json(), cluster.status().json());
    }

    private static ObjectTree rawDevice(ObjectTree full) {
        var device = RawDevice.of(KubeObject.of(full));
        var status = ObjectTree.builder().put("name", device.volumeId()).build();
        return whole(full, device.spec().json(), status);
    }

    private static ObjectTree whole(ObjectTree full, ObjectTree spec, ObjectTree status) {
        var whole = ObjectTree.builder();
        whole.put("apiVersion", full.at("apiVersion"));
        whole.put("kind", full.at("kind"));
        whole.put("metadata", full.at("metadata"));
        whole.put("spec", spec);
        whole.put("status", status);
        return whole.build();
    }

    /** Makes a value with every field of a schema, none of them at its default. */
    private static final class Sample {
        static Tree of(ObjectTree schema) {
            return of("", schema);
        }

        private static Tree of(String name, ObjectTree schema) {
            if (schema.has("x-kubernetes-int-or-string")) {
                return Tree.of("3Gi");
            }
            return switch (schema.at("type").asText()) {
                case "object" -> object(schema);
                case "array" -> array(name, schema.at("items").asObject());
                case "integer" -> Tree.of(7);
                case "boolean" -> Tree.of(true);
                default -> Tree.of(text(name, schema));
            };
        }

        private static ObjectTree object(ObjectTree schema) {
            var object = ObjectTree.builder();
            if (schema.has("additionalProperties")) {
                object.put("key", "value");
            }
            if (schema.has("properties")) {
                schema.at("properties")
                        .asObject()
                        .members()
                        .forEach((n, s) -> object.put(n, of(n, s.asObject())));
            }
            return object.build();
        }

        private static ListTree array(String name, ObjectTree items) {
            var array = ListTree.builder();
            array.add(of(name, items));
            return array.build();
        }

        private static String text(String name, ObjectTree schema) {
            if (schema.has("enum")) {
                var words = schema.at("enum").asList().elements();
                return words.stream()
                        .filter(word -> !word.equals(schema.at("default")))
                        .findFirst()
                        .orElseThrow()
                        .asText();
            }
            if (schema.has("format")) {
                return "2026-01-02T03:04:05Z";
            }
            return switch (name) {
                case "status" -> "Degraded";
                case "phase" -> "Ready";
                default -> "some-" + name.toLowerCase(java.util.Locale.ROOT);
            };
        }
    }
}
