package lvms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.tree.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;

/** A LogicalVolume's state follows from what its node wrote, and its object from the request. */
class LogicalVolumeTests {
    private static LogicalVolume volume(String metadata, String status) {
        var text =
                "{'metadata':{'name':'v'%s},'spec':{'name':'v','nodeName':'n1','size':'1Gi'},'status':%s}"
                        .formatted(metadata, status)
                        .replace('\'', '"');
        return LogicalVolume.tolerant(KubeObject.of(Json.parse(text).asObject()));
    }

    @ParameterizedTest(name = "{0} is {1}")
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "{} | PENDING",
                "{'volumeID':'u'} | PENDING",
                "{'volumeID':'u','currentSize':'1Gi'} | READY",
                "{'volumeID':'u','currentSize':'1Gi','code':8} | READY",
                "{'code':8,'message':'full'} | FAILED"
            })
    void readsTheState(String status, LogicalVolume.State state) {
        assertEquals(state, volume("", status).state());
    }

    @Test
    void oneThatIsGoingAwayIsNothingElse() {
        var gone = ",'deletionTimestamp':'2026-01-01T00:00:00Z'";
        var status = "{'volumeID':'u','currentSize':'1Gi'}";
        assertEquals(LogicalVolume.State.TERMINATING, volume(gone, status).state());
    }

    @Test
    void growsUntilItsSizeIsThereOrItFailed() {
        assertTrue(volume("", "{'volumeID':'u','currentSize':'1Mi'}").growing());
        assertFalse(volume("", "{'volumeID':'u','currentSize':'1Mi','code':8}").growing());
        assertFalse(volume("", "{'volumeID':'u','currentSize':'1Gi'}").growing());
    }

    @Test
    void aSizeThatIsNoneDoesNotBreakTheCache() {
        var broken = volume("", "{'volumeID':'u','currentSize':'lots'}");
        assertEquals(LogicalVolume.State.PENDING, broken.state());
    }

    @Test
    void eachDriverHasATypeAndAFinalizerOfItsOwn() {
        var spec = new LogicalVolume.Spec("v", "n1", Quantity.ofBytes(4096), "", "", "", "");
        for (var driver : Drivers.of(Driver.TOPOLVM, Driver.LEGACY).all()) {
            var object = LogicalVolume.create(driver, spec, Map.of());
            assertEquals(driver, LogicalVolume.of(object).driver());
            assertEquals(driver.name() + "/v1", object.apiVersion());
            assertEquals(List.of(driver.name() + "/logicalvolume"), object.finalizers());
        }
    }

    @Test
    void aNewObjectHasTheFinalizerOfItsNode() {
        var spec =
                new LogicalVolume.Spec(
                        "v", "n1", Quantity.ofBytes(4096), "ssd", "", "s", LogicalVolume.WRITABLE);
        var object = LogicalVolume.create(Driver.TOPOLVM, spec, Map.of("a", "b"));
        assertEquals(ObjectKey.cluster("v"), object.key());
        assertEquals("topolvm.io/v1", object.apiVersion());
        assertEquals(List.of("topolvm.io/logicalvolume"), object.finalizers());
        assertEquals("4Ki", object.text("spec", "size").orElseThrow());
        assertEquals("s", object.text("spec", "source").orElseThrow());
        assertTrue(object.text("spec", "lvcreateOptionClass").isEmpty());
        assertEquals("b", object.annotation("a").orElseThrow());
    }
}
