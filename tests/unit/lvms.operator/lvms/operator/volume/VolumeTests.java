package lvms.operator.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.gson.JsonParser;

import lvms.api.Driver;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.operator.claim.ClaimMark;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A LogicalVolume's state follows from what its node wrote, and its object from the request. */
class VolumeTests {
    private static Volume volume(String metadata, String status) {
        var text =
                "{'metadata':{'name':'v'%s},'spec':{'name':'v','nodeName':'n1','size':'1Gi'},'status':%s}"
                        .formatted(metadata, status)
                        .replace('\'', '"');
        return Volume.of(KubeObject.of(JsonParser.parseString(text).getAsJsonObject()));
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
    void readsTheState(String status, Volume.State state) {
        assertEquals(state, volume("", status).state());
    }

    @Test
    void oneThatIsGoingAwayIsNothingElse() {
        var gone = ",'deletionTimestamp':'2026-01-01T00:00:00Z'";
        var status = "{'volumeID':'u','currentSize':'1Gi'}";
        assertEquals(Volume.State.TERMINATING, volume(gone, status).state());
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
        assertEquals(Volume.State.PENDING, broken.state());
    }

    @Test
    void aNewObjectHasTheFinalizerOfItsNode() {
        var draft =
                new Draft(
                        "v",
                        "n1",
                        "ssd",
                        "",
                        4096,
                        Optional.of(new Draft.Cut("s", "rw")),
                        Map.of("a", "b"));
        var object = draft.object(Driver.TOPOLVM);
        assertEquals(ObjectKey.cluster("v"), object.key());
        assertEquals("topolvm.io/v1", object.apiVersion());
        assertEquals(List.of("topolvm.io/logicalvolume"), object.finalizers());
        assertEquals("4Ki", object.text("spec", "size").orElseThrow());
        assertEquals("s", object.text("spec", "source").orElseThrow());
        assertTrue(object.text("spec", "lvcreateOptionClass").isEmpty());
        assertEquals("b", object.annotation("a").orElseThrow());
    }

    @Test
    void namesThatAServerWouldRefuseBecomeDigests() {
        assertEquals("pvc-a1", ObjectNames.of("PVC-a1"));
        var odd = ObjectNames.of("a b/c");
        assertTrue(odd.matches("csi-[0-9a-f]{64}"), odd);
        assertEquals(128, ObjectNames.of("x".repeat(128)).length());
    }

    @Test
    void aClaimsMarkSurvivesBeingWritten() {
        var mark = new ClaimMark(ObjectKey.of("ns", "data-0"), "u-1");
        assertEquals(Optional.of(mark), ClaimMark.parse(mark.text()));
        assertTrue(ClaimMark.parse("ns/data-0").isEmpty());
        assertTrue(ClaimMark.parse("ns/data-0/").isEmpty());
    }
}
