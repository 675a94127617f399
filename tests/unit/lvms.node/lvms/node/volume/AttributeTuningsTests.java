package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.attribute.VolumeAttributes;
import lvms.lvm2.LogicalVolumes.Tuning;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Optional;

/** Each attribute that can be asked for reaches LVM, and reads back as it was written. */
class AttributeTuningsTests {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "read-ahead=auto",
                "read-ahead=none",
                "read-ahead=128Ki",
                "allocation-policy=inherit",
                "allocation-policy=contiguous",
                "allocation-policy=cling",
                "allocation-policy=normal",
                "read-ahead=1Gi,allocation-policy=anywhere"
            })
    void readsBackAsItWasAskedFor(String text) throws Exception {
        var tuning = AttributeTunings.tuning(VolumeAttributes.parse(text));
        assertEquals(text, AttributeTunings.attributes(tuning).text());
    }

    @Test
    void countsInSectors() throws Exception {
        var tuning = AttributeTunings.tuning(VolumeAttributes.parse("read-ahead=128Ki"));
        assertEquals("256", tuning.readAhead().orElseThrow().word());
        assertTrue(tuning.allocation().isEmpty());
        assertEquals(
                new Tuning(Optional.empty(), Optional.empty()),
                AttributeTunings.tuning(VolumeAttributes.NONE));
    }
}
