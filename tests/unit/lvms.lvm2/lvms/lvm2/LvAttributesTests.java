package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Optional;

/** The ten characters of lv_attr mean what lvs(8) says, and the first problem among them counts. */
class LvAttributesTests {
    @Test
    void readsAThinVolumeThatIsMounted() {
        var attributes = LvAttributes.parse("Vwi-aotz--");
        assertEquals(LvAttributes.Type.THIN, attributes.type());
        assertEquals(LvAttributes.Permission.READ_WRITE, attributes.permission());
        assertEquals(LvAttributes.State.ACTIVE, attributes.state());
        assertEquals(LvAttributes.Open.OPEN, attributes.open());
        assertEquals(Optional.empty(), attributes.health());
        assertFalse(attributes.skipActivation());
        assertTrue(attributes.active());
    }

    @Test
    void readsASnapshotThatActivationSkips() {
        var attributes = LvAttributes.parse("Vri---tz-k");
        assertEquals(LvAttributes.Permission.READ_ONLY, attributes.permission());
        assertTrue(attributes.skipActivation());
        assertFalse(attributes.active());
        assertEquals(Optional.empty(), attributes.health(), "an inactive volume is healthy");
    }

    @ParameterizedTest
    @CsvSource({
        "Vwi-aotzp-, PARTIAL",
        "-wi-aotzX-, HEALTH_UNKNOWN",
        "-wi-aotzE-, WRITECACHE_ERROR",
        "twi-aotzF-, POOL_FAILED",
        "twi-aotzD-, POOL_OUT_OF_DATA",
        "twi-aotzM-, POOL_METADATA_READ_ONLY",
        "Vwi-aotzF-, THIN_FAILED",
        "rwi-aor-r-, RAID_REFRESH_NEEDED",
        "Rwi-aor-m-, RAID_MISMATCHES",
        "rwi-aor-s-, RAID_RESHAPING",
        "rwi-aor-R-, RAID_RESHAPE_REMOVED",
        "rwi-aor-w-, RAID_WRITE_MOSTLY",
        "-wi-s-----, SUSPENDED",
        "swi-I-----, INVALID_SNAPSHOT",
        "swi-S-----, SUSPENDED",
        "Swi-M-----, MERGE_FAILED",
        "-wi-i-----, INACTIVE_TABLE",
        "-wi-d-----, NO_TABLE",
        "twi-c-tz--, CHECK_NEEDED",
        "-wi-XX----, STATE_UNKNOWN",
        "Vwi-h-----, HISTORICAL",
        "-wi-aX----, OPEN_UNKNOWN",
        "twi-sotzp-, PARTIAL",
    })
    void namesTheFirstProblem(String text, LvHealth problem) {
        assertEquals(Optional.of(problem), LvAttributes.parse(text).health());
    }

    @ParameterizedTest
    @ValueSource(strings = {"-wi-aotzD-", "VwiaaotzM-", "-wi-ao--r-"})
    void aLetterThatBelongsToAnotherKindIsNoProblem(String text) {
        assertEquals(Optional.empty(), LvAttributes.parse(text).health());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "-wi-a----", "-wi-a------"})
    void refusesWhatHasNotTenCharacters(String text) {
        assertThrows(IllegalArgumentException.class, () -> LvAttributes.parse(text));
    }

    @Test
    void toleratesAKindItDoesNotKnow() {
        assertEquals(LvAttributes.Type.OTHER, LvAttributes.parse("Zwi-a-----").type());
    }
}
