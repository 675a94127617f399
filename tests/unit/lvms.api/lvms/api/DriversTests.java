package lvms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** A driver is found by its name, and every name that is made from it is its own. */
class DriversTests {
    private static final Drivers BOTH = Drivers.of(Driver.TOPOLVM, Driver.LEGACY);

    @Test
    void findsADriverByTheNameOfAProvisioner() {
        assertEquals(Optional.of(Driver.TOPOLVM), BOTH.named("topolvm.io"));
        assertEquals(Optional.of(Driver.LEGACY), BOTH.named("topolvm.cybozu.com"));
        assertEquals(Optional.empty(), BOTH.named("ebs.csi.aws.com"));
        assertFalse(Drivers.DEFAULT.serve("topolvm.cybozu.com"));
    }

    @Test
    void namesAreMadeFromTheDriversName() {
        var legacy = Driver.LEGACY;
        assertEquals("topology.topolvm.cybozu.com/node", legacy.topologyKey());
        assertEquals("capacity.topolvm.cybozu.com/00default", legacy.capacityAnnotation(""));
        assertEquals("capacity.topolvm.cybozu.com/ssd", legacy.capacityAnnotation("ssd"));
        assertEquals("topolvm.cybozu.com/device-class", legacy.deviceClassParameter());
        assertEquals("topolvm.cybozu.com/v1", legacy.logicalVolumes().apiVersion());
        assertEquals("topolvm.io/logicalvolume", Driver.TOPOLVM.volumeFinalizer());
    }

    /** As PersistentVolumes of the old driver are served once its LogicalVolumes are ours. */
    @Test
    void aConvertedDriverKeepsItsNameAndHasOurLogicalVolumes() {
        var old = Driver.CONVERTED;
        assertEquals("topolvm.cybozu.com", old.name());
        assertEquals("topology.topolvm.cybozu.com/node", old.topologyKey());
        assertEquals("capacity.topolvm.cybozu.com/ssd", old.capacityAnnotation("ssd"));
        assertEquals("topolvm.cybozu.com/device-class", old.deviceClassParameter());
        assertEquals("topolvm.cybozu.com/node", old.nodeFinalizer());
        assertEquals("topolvm.io/v1", old.logicalVolumes().apiVersion());
        assertEquals("topolvm.io/logicalvolume", old.volumeFinalizer());
        assertEquals("topolvm.io/pendingdeletion", old.pendingDeletionAnnotation());
        assertEquals("topolvm.io/resize-requested-at", old.resizeRequestedAnnotation());
    }

    /** The mark tells in which group the LogicalVolumes are. */
    @Test
    void aClusterHasTheOldDriverIfItIsRegistered() {
        var old = KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster("topolvm.cybozu.com"));
        var marked = old.with("topolvm.io", "metadata", "annotations", Drivers.CONVERTED_MARK);
        assertEquals(Drivers.DEFAULT, Drivers.registered(List.of()));
        assertEquals(
                List.of("logicalvolumes.topolvm.io", "logicalvolumes.topolvm.cybozu.com"),
                kinds(Drivers.registered(List.of(old))));
        assertEquals(
                List.of("logicalvolumes.topolvm.io"), kinds(Drivers.registered(List.of(marked))));
        assertEquals(
                Drivers.of(Driver.TOPOLVM),
                Drivers.registered(List.of(old)).ofGroup(Driver.TOPOLVM.group()));
    }

    /** After a take-over from NativeStor the LogicalVolumes stay in the group of the old name. */
    @Test
    void theMarkSaysWhoServesTheOldDriverAndInWhichGroup() {
        var old = KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster("topolvm.cybozu.com"));
        assertEquals(Optional.empty(), Drivers.marked(old));
        assertTrue(Drivers.isForeign(Optional.of(old)));
        var ours = marked(old, "topolvm.io");
        assertEquals(Optional.of(Driver.CONVERTED), Drivers.marked(ours));
        var taken = marked(old, "topolvm.cybozu.com");
        assertEquals(Optional.of(Driver.LEGACY), Drivers.marked(taken));
        assertFalse(Drivers.isForeign(Optional.of(taken)));
        assertFalse(Drivers.isConverted(taken));
        assertEquals(BOTH, Drivers.registered(List.of(taken)));
        assertTrue(Drivers.isForeign(Optional.of(marked(old, "example.com"))));
        var other = KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster("ebs.csi.aws.com"));
        assertEquals(Optional.empty(), Drivers.marked(marked(other, "topolvm.io")));
    }

    private static KubeObject marked(KubeObject csiDriver, String group) {
        return csiDriver.with(group, "metadata", "annotations", "topolvm.io/logicalvolumes-in");
    }

    @Test
    void theOldDriverIsBesideOursOnlyWhereBothAreServed() {
        assertEquals(Optional.of(Driver.LEGACY), BOTH.oldBesideOurs());
        var converted = Drivers.of(Driver.TOPOLVM, Driver.CONVERTED);
        assertEquals(Optional.of(Driver.CONVERTED), converted.oldBesideOurs());
        assertEquals(Optional.empty(), Drivers.of(Driver.LEGACY).oldBesideOurs());
        assertEquals(Optional.empty(), Drivers.DEFAULT.oldBesideOurs());
    }

    private static List<String> kinds(Drivers drivers) {
        return drivers.logicalVolumes().stream().map(ResourceType::qualifiedPlural).toList();
    }

    @Test
    void podsAreWokenByOneAnnotationForAllDrivers() {
        for (var driver : new Driver[] {Driver.TOPOLVM, Driver.LEGACY, Driver.CONVERTED}) {
            assertEquals(
                    "topolvm.io/last-resizefs-requested-at",
                    driver.filesystemResizeRequestedAnnotation());
        }
    }

    @Test
    void aSetHasADriverAndEachOfThemOnce() {
        assertThrows(IllegalArgumentException.class, Drivers::of);
        assertThrows(
                IllegalArgumentException.class, () -> Drivers.of(Driver.LEGACY, Driver.LEGACY));
        assertThrows(IllegalArgumentException.class, () -> new Driver(""));
        assertThrows(IllegalArgumentException.class, () -> new Driver("topolvm.io", ""));
    }
}
