package lvms.api.attribute;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.k8s.object.Quantity;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;
import java.util.Optional;

/** Parameters of a volume that can be changed: known keys alone, and one way to write a value. */
class VolumeAttributesTests {
    private static VolumeAttributes of(String... pairs) throws VolumeException {
        return VolumeAttributes.of(
                Driver.TOPOLVM,
                pairs.length == 2
                        ? Map.of(pairs[0], pairs[1])
                        : Map.of(pairs[0], pairs[1], pairs[2], pairs[3]));
    }

    @ParameterizedTest
    @CsvSource({
        "auto, auto",
        "none, none",
        "131072, 128Ki",
        "128Ki, 128Ki",
        "1Gi, 1Gi",
        "4Ki, 4Ki"
    })
    void aReadAheadHasOneForm(String value, String form) throws Exception {
        assertEquals("read-ahead=" + form, of("topolvm.io/read-ahead", value).text());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "-4Ki", "1", "6000", "2Gi", "Auto", "much", "4Ki "})
    void otherReadAheadsAreRefusedInOneLine(String value) {
        var refused = assertThrows(VolumeException.class, () -> of("topolvm.io/read-ahead", value));
        assertEquals(StatusCode.INVALID_ARGUMENT, refused.code());
        assertEquals(
                ("topolvm.io/read-ahead is \"%s\", it has to be auto, none, or a size such as"
                                + " 128Ki: a multiple of 4Ki up to 1Gi")
                        .formatted(value),
                refused.getMessage());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "topolvm.io/device-class",
                "read-ahead",
                "topolvm.cybozu.com/read-ahead",
                ""
            })
    void unknownKeysAreRefusedWithTheKnownOnes(String key) {
        var refused = assertThrows(VolumeException.class, () -> of(key, "auto"));
        assertEquals(StatusCode.INVALID_ARGUMENT, refused.code());
        assertEquals(
                "parameter "
                        + key
                        + " of a volume cannot be changed; topolvm.io/read-ahead and"
                        + " topolvm.io/allocation-policy can",
                refused.getMessage());
    }

    @Test
    void whatSidecarsTellOfTheClaimIsIgnored() throws Exception {
        assertTrue(of("csi.storage.k8s.io/pvc/name", "data").isEmpty());
    }

    @Test
    void theTextReadsBackAndLaterOnesWin() throws Exception {
        var both = of("topolvm.io/allocation-policy", "cling", "topolvm.io/read-ahead", "64Ki");
        assertEquals("read-ahead=64Ki,allocation-policy=cling", both.text());
        assertEquals(both, VolumeAttributes.parse(both.text()));
        assertEquals(VolumeAttributes.NONE, VolumeAttributes.parse(""));
        var none = of("topolvm.io/read-ahead", "none");
        assertEquals("read-ahead=none,allocation-policy=cling", both.with(none).text());
        assertTrue(both.with(none).include(none));
        assertFalse(both.include(none));
    }

    @Test
    void whatANewerReleaseAsksForIsRefused() {
        var refused = assertThrows(VolumeException.class, () -> VolumeAttributes.parse("iops=5"));
        assertEquals("this node cannot change \"iops\"", refused.getMessage());
    }

    private static AttributeChange change(String wanted, String applied, String refused) {
        var object =
                LogicalVolume.create(
                        Driver.TOPOLVM,
                        new LogicalVolume.Spec("v", "n", Quantity.ZERO, "", "", "", ""),
                        Map.of(
                                "topolvm.io/attributes", wanted,
                                "topolvm.io/attributes-applied", applied,
                                "topolvm.io/attributes-refused", refused));
        return AttributeChange.of(LogicalVolume.of(object));
    }

    @Test
    void aRefusalCountsForWhatWasAskedForAlone() {
        var refusal =
                new AttributeChange.Refusal(StatusCode.INTERNAL, "read-ahead=4Ki", "it: broke");
        assertEquals(Optional.of(refusal), change("read-ahead=4Ki", "", refusal.text()).refusal());
        assertEquals(
                AttributeChange.State.REFUSED,
                change("read-ahead=4Ki", "", refusal.text()).state());
        assertEquals(
                AttributeChange.State.PENDING,
                change("read-ahead=8Ki", "", refusal.text()).state());
        assertEquals(
                AttributeChange.State.PENDING, change("read-ahead=8Ki", "", "garbage").state());
        assertEquals(AttributeChange.State.APPLIED, change("", "", "").state());
    }
}
