package lvms.node.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.api.VolumeCounts;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** The Node has one annotation per class and one for the default, and none of classes gone by. */
class CapacityAnnotationsTests {
    private static final String A = "capacity.topolvm.io/a";
    private static final String DEFAULT = "capacity.topolvm.io/00default";
    private static final String THICK = "capacity.topolvm.io/00thick";

    private static DeviceClasses classes(boolean isDefault) {
        return new DeviceClasses(
                List.of(
                        new NodeDeviceClass(
                                "a",
                                "vg1",
                                isDefault,
                                new Provisioning.Thick(),
                                0,
                                Optional.empty(),
                                List.of(),
                                Optional.empty())),
                Map.of());
    }

    private static Map<String, String> wanted(DeviceClasses classes) {
        return CapacityAnnotations.wanted(
                Drivers.DEFAULT, classes, Map.of("a", 5L), Optional.empty());
    }

    @Test
    void theDefaultIsThatOfTheDefaultClass() {
        assertEquals(Map.of(A, "5", DEFAULT, "5", THICK, "a,00default"), wanted(classes(true)));
    }

    @Test
    void aThinClassIsNotAmongTheThickOnes() {
        var thin =
                new NodeDeviceClass(
                        "a",
                        "vg1",
                        true,
                        new Provisioning.Thin("pool", 10),
                        0,
                        Optional.empty(),
                        List.of(),
                        Optional.empty());
        assertEquals(
                Map.of(A, "5", DEFAULT, "5"), wanted(new DeviceClasses(List.of(thin), Map.of())));
    }

    @Test
    void whatWasSaidOfAClassThatIsNotKnownNowStays() {
        var wanted = Map.of(A, "0", DEFAULT, "0");
        assertEquals(
                Map.of(A, "5", DEFAULT, "5"),
                CapacityAnnotations.keeping(
                        Drivers.DEFAULT,
                        classes(true),
                        wanted,
                        Map.of(A, "5", DEFAULT, "5"),
                        Set.of("a")));
        assertEquals(
                Map.of(),
                CapacityAnnotations.keeping(
                        Drivers.DEFAULT, classes(true), wanted, Map.of(), Set.of("a")));
        assertEquals(
                wanted,
                CapacityAnnotations.keeping(
                        Drivers.DEFAULT, classes(true), wanted, Map.of(A, "5"), Set.of()));
    }

    @Test
    void theDefaultIsZeroWithoutADefaultClass() {
        assertEquals(Map.of(A, "5", DEFAULT, "0", THICK, "a"), wanted(classes(false)));
    }

    private static KubeObject node(Map<String, String> annotations) {
        var node =
                KubeObject.create(Types.NODE, ObjectKey.cluster("n1"))
                        .with("uid-1", "metadata", "uid");
        for (var annotation : annotations.entrySet()) {
            node = node.with(annotation.getValue(), "metadata", "annotations", annotation.getKey());
        }
        return node;
    }

    @Test
    void aNodeWithoutAClassHasNone() {
        var none = new DeviceClasses(List.of(), Map.of());
        var wanted =
                CapacityAnnotations.wanted(
                        Drivers.DEFAULT, none, Map.of(), Optional.of(new VolumeCounts(0, 0, 0, 0)));
        assertEquals(Map.of(), wanted);
        var patch =
                CapacityAnnotations.patch(Drivers.DEFAULT, node(Map.of(DEFAULT, "0")), wanted)
                        .orElseThrow()
                        .json();
        assertTrue(patch.toString().contains("\"" + DEFAULT + "\":null"), patch.toString());
    }

    @Test
    void onlyDifferencesAreWritten() {
        var wanted = Map.of(A, "5", DEFAULT, "0");
        var patch =
                CapacityAnnotations.patch(
                        Drivers.DEFAULT, node(Map.of(A, "4", DEFAULT, "0", "x", "y")), wanted);
        var changes = patch.orElseThrow().json().at("metadata", "annotations").asObject();
        assertEquals("{\"" + A + "\":\"5\"}", changes.toString());
        assertEquals(
                Optional.empty(), CapacityAnnotations.patch(Drivers.DEFAULT, node(wanted), wanted));
    }

    @Test
    void keysOfClassesThatAreGoneAreRemoved() {
        var patch =
                CapacityAnnotations.patch(
                        Drivers.DEFAULT,
                        node(Map.of("capacity.topolvm.io/old", "4", DEFAULT, "0")),
                        Map.of(DEFAULT, "0"));
        var changes = patch.orElseThrow().json().at("metadata", "annotations").asObject();
        assertTrue(changes.at("capacity.topolvm.io/old").isNull());
        assertEquals(1, changes.size());
    }

    @Test
    void eachDriverHasAnnotationsOfItsOwn() {
        var both = Drivers.of(Driver.TOPOLVM, Driver.LEGACY);
        var wanted =
                CapacityAnnotations.wanted(
                        both,
                        classes(true),
                        Map.of("a", 5L),
                        Optional.of(new VolumeCounts(1, 0, 0, 2)));
        assertEquals(
                Map.of(
                        "capacity.topolvm.io/a", "5",
                        "capacity.topolvm.io/00default", "5",
                        "capacity.topolvm.io/00thick", "a,00default",
                        "capacity.topolvm.io/00volumes",
                                "removed=1,growth=0,copied=0,thick-snapshots=2",
                        "capacity.topolvm.cybozu.com/00volumes",
                                "removed=1,growth=0,copied=0,thick-snapshots=2",
                        "capacity.topolvm.cybozu.com/00thick", "a,00default",
                        "capacity.topolvm.cybozu.com/a", "5",
                        "capacity.topolvm.cybozu.com/00default", "5"),
                wanted);
        assertEquals(Optional.empty(), CapacityAnnotations.patch(both, node(wanted), wanted));
    }
}
