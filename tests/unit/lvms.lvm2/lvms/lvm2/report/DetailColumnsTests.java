package lvms.lvm2.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvDetails;
import lvms.lvm2.RaidHealth;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;

/**
 * What only some kinds of volumes have is read where LVM prints it, and empty where it does not.
 */
class DetailColumnsTests {
    private static LvDetails details(String attr, String layout, String... more) {
        var row = new HashMap<>(Map.of("lv_attr", attr, "lv_layout", layout));
        for (int i = 0; i < more.length; i += 2) {
            row.put(more[i], more[i + 1]);
        }
        return DetailColumns.details(row);
    }

    @ParameterizedTest
    @CsvSource({
        "rwi-a-r---, 100.00, 0, HEALTHY",
        "Rwi-a-r---, 12.50, , SYNCING",
        "rwi-a-r-p-, 100.00, 0, DEGRADED",
        "rwi-a-r-r-, 100.00, 0, REFRESH_NEEDED",
        "rwi-a-r-s-, 100.00, 0, RESHAPING",
        "rwi-a-r-m-, 100.00, 128, MISMATCHES",
        "rwi-a-r---, 100.00, 128, MISMATCHES",
        "rwi-a-r-w-, 100.00, 0, HEALTHY",
        "rwi-a-r-m-, 50.00, 128, SYNCING",
        "rwi---r---, , , UNKNOWN",
        "rwi-s-r---, 100.00, 0, UNKNOWN",
    })
    void theWorstThatHoldsIsTheHealthOfARaidVolume(
            String attr, String sync, String mismatches, RaidHealth health) {
        var details =
                (LvDetails.Raid)
                        details(
                                attr,
                                "raid,raid5,raid5_ls",
                                "sync_percent",
                                sync == null ? "" : sync,
                                "raid_mismatch_count",
                                mismatches == null ? "" : mismatches);
        assertEquals(health, details.health());
        assertEquals("raid5_ls", details.level());
        assertEquals(mismatches == null, details.mismatches().isEmpty());
    }

    @Test
    void aThickSnapshotFillsUpAndIsLost() {
        var full =
                (LvDetails.Snapshot)
                        details("swi-I-s---", "linear", "origin", "data", "data_percent", "100.00");
        assertTrue(full.invalid() && !full.thin() && !full.merging());
        assertEquals(OptionalDouble.of(100), full.fillPercent());
    }

    @Test
    void aMergeIsKnownByTheLetterWhereTheColumnIsMissing() {
        var merging = (LvDetails.Snapshot) details("Swi-a-s---", "linear", "origin", "data");
        assertTrue(merging.merging());
        var thin =
                (LvDetails.Snapshot)
                        details(
                                "Vwi-a-tz--",
                                "thin,sparse",
                                "origin",
                                "d",
                                "lv_merging",
                                "merging");
        assertTrue(thin.merging() && thin.thin());
    }

    @Test
    void readsCaches() {
        var cache =
                (LvDetails.Cache)
                        details(
                                "Cwi-a-C---",
                                "cache",
                                "cache_total_blocks",
                                "256",
                                "cache_used_blocks",
                                "12",
                                "cache_dirty_blocks",
                                "3");
        assertEquals(OptionalLong.of(12), cache.usedBlocks());
        assertEquals(OptionalLong.of(3), cache.dirtyBlocks());
        assertFalse(cache.writeCache());
        var write =
                (LvDetails.Cache)
                        details(
                                "Cwi-a-C---",
                                "writecache",
                                "writecache_total_blocks",
                                "100",
                                "writecache_free_blocks",
                                "90",
                                "writecache_error",
                                "0");
        assertTrue(write.writeCache());
        assertEquals(OptionalLong.of(10), write.usedBlocks());
        assertEquals(OptionalLong.empty(), write.dirtyBlocks());
    }

    @Test
    void readsVdoAsFarAsItIsReported() {
        var vdo = (LvDetails.Vdo) details("dwi-------", "vdo,pool", "vdo_operating_mode", "normal");
        assertEquals(Optional.of("normal"), vdo.operatingMode());
        assertEquals(OptionalLong.empty(), vdo.usedBytes());
    }

    @Test
    void everythingElseIsPlain() {
        assertEquals(new LvDetails.Plain(), details("-wi-a-----", "linear"));
        assertEquals(new LvDetails.Plain(), details("twi-aotz--", "thin,pool"));
    }
}
