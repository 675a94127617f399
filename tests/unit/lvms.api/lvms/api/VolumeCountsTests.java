package lvms.api;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Optional;

/** What a node says of its volumes is read as it was written, or not at all. */
class VolumeCountsTests {
    @Test
    void theTextIsReadAsItWasWritten() {
        var counts = new VolumeCounts(1, 0, 20, 3);
        assertEquals("removed=1,growth=0,copied=20,thick-snapshots=3", counts.text());
        assertEquals(Optional.of(counts), VolumeCounts.of(counts.text()));
    }

    /** A text that says less than it should is no permission. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "0",
                "removed=0",
                "removed=-1,growth=0,copied=0,thick-snapshots=0",
                "removed=0,growth=0,copied=0,thick-snapshots=99999999999999999999"
            })
    void anyOtherTextSaysNothing(String text) {
        assertEquals(Optional.empty(), VolumeCounts.of(text));
    }
}
