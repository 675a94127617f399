package lvms.operator.capacity;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.Drivers;
import lvms.k8s.object.OwnerReference;
import lvms.operator.backend.NodeSpace.Free;

import org.junit.jupiter.api.Test;

import java.util.Optional;

/** The object of a class on a node is found again by what it is about, whoever made it. */
class CapacityObjectTests {
    private static final Pair PAIR = new Pair("fast", "n1");

    @Test
    void followsTheObjectsOfEachDriver() {
        assertEquals(
                "csi.storage.k8s.io/drivername=topolvm.io,"
                        + "csi.storage.k8s.io/managed-by=external-provisioner",
                CapacityObject.selector(Drivers.DEFAULT));
        assertEquals(
                "csi.storage.k8s.io/drivername in (topolvm.io,topolvm.cybozu.com),"
                        + "csi.storage.k8s.io/managed-by=external-provisioner",
                CapacityObject.selector(Drivers.of(Driver.TOPOLVM, Driver.LEGACY)));
    }

    @Test
    void saysWhatSchedulerAndTakeoverNeed() {
        var owner = new OwnerReference("apps/v1", "Deployment", "lvms-operator", "u", true, true);
        var object =
                CapacityObject.of(
                        Driver.TOPOLVM,
                        "ns",
                        PAIR,
                        new Free(5L << 30, 8L << 30),
                        Optional.of(owner));
        assertEquals("ns", object.namespace());
        assertEquals("8Gi", object.text("capacity").orElseThrow());
        assertEquals("5Gi", object.text("maximumVolumeSize").orElseThrow());
        assertEquals("fast", object.text("storageClassName").orElseThrow());
        assertEquals("topolvm.io", object.label("csi.storage.k8s.io/drivername").orElseThrow());
        assertEquals(
                "external-provisioner",
                object.label("csi.storage.k8s.io/managed-by").orElseThrow());
        assertEquals(
                "n1",
                object.textMap("nodeTopology", "matchLabels").get("topology.topolvm.io/node"));
        assertEquals("Deployment", object.ownerReferences().getFirst().kind());
        assertTrue(object.ownerReferences().getFirst().controller());
        assertEquals(
                Optional.of(PAIR),
                CapacityObject.pairOf(object, Drivers.of(Driver.LEGACY, Driver.TOPOLVM)));
    }

    @Test
    void eachPairHasAName() {
        var one = CapacityObject.of(Driver.TOPOLVM, "ns", PAIR, Free.of(1), Optional.empty());
        var same = CapacityObject.of(Driver.TOPOLVM, "ns", PAIR, Free.of(2), Optional.empty());
        var other =
                CapacityObject.of(
                        Driver.TOPOLVM, "ns", new Pair("fast", "n2"), Free.of(1), Optional.empty());
        assertEquals(one.key(), same.key());
        assertNotEquals(one.key(), other.key());
    }

    @Test
    void aPairSurvivesBeingAKey() {
        assertEquals(PAIR, Pair.of(PAIR.key()));
    }
}
