package lvms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;

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
