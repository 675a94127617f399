package lvms.lvm2.report;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvName;

import org.junit.jupiter.api.Test;

import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.Set;

/** Rows of reports become records; empty and -1 mean "does not apply". LVM 2.03.16. */
class ColumnsTests {
    private static final Map<String, String> THIN =
            Map.ofEntries(
                    Map.entry("lv_uuid", "Ux0Zpv-owPC-7Ypr-fGTK-ZEbP-2ket-HCIzLr"),
                    Map.entry("lv_name", "thin-1"),
                    Map.entry("vg_name", "tvg"),
                    Map.entry("lv_path", "/dev/tvg/thin-1"),
                    Map.entry("lv_size", "1073741824"),
                    Map.entry("lv_attr", "Vwi-a-tz--"),
                    Map.entry("lv_kernel_major", "254"),
                    Map.entry("lv_kernel_minor", "4"),
                    Map.entry("origin", ""),
                    Map.entry("origin_size", ""),
                    Map.entry("pool_lv", "pool"),
                    Map.entry("data_percent", "4.92"),
                    Map.entry("metadata_percent", ""),
                    Map.entry("sync_percent", ""),
                    Map.entry("lv_metadata_size", ""),
                    Map.entry("lv_layout", "thin,sparse"),
                    Map.entry("lv_health_status", ""),
                    Map.entry("raid_sync_action", ""),
                    Map.entry("lv_tags", "a=1,b"));

    private static Map<String, String> with(Map<String, String> row, String... changes) {
        var changed = new HashMap<>(row);
        for (int i = 0; i < changes.length; i += 2) {
            changed.put(changes[i], changes[i + 1]);
        }
        return changed;
    }

    @Test
    void readsAnActiveThinVolume() {
        var lv = Columns.logicalVolume(THIN);
        assertEquals(new LvName("tvg", "thin-1"), lv.name());
        assertEquals(Optional.of(Path.of("/dev/tvg/thin-1")), lv.path());
        assertEquals(1L << 30, lv.sizeBytes());
        assertEquals(OptionalInt.of(254), lv.major());
        assertEquals(Optional.of("pool"), lv.pool());
        assertEquals(OptionalDouble.of(4.92), lv.dataPercent());
        assertEquals(OptionalDouble.empty(), lv.metadataPercent());
        assertEquals(Set.of("thin", "sparse"), lv.layout());
        assertEquals(Set.of("a=1", "b"), lv.tags());
        assertTrue(lv.isThin() && lv.active() && lv.writable());
    }

    @Test
    void anInactiveVolumeWithoutTagsHasNoDeviceAndNoEmptyTag() {
        var row =
                with(
                        THIN,
                        "lv_attr",
                        "Vri---tz--",
                        "lv_kernel_major",
                        "-1",
                        "lv_kernel_minor",
                        "-1",
                        "lv_tags",
                        "");
        var lv = Columns.logicalVolume(row);
        assertEquals(OptionalInt.empty(), lv.minor());
        assertEquals(Set.of(), lv.tags());
        assertFalse(lv.active() || lv.writable());
    }

    @Test
    void aHiddenVolumeLosesItsBrackets() {
        var lv = Columns.logicalVolume(with(THIN, "lv_name", "[pool_tdata]", "lv_path", ""));
        assertEquals("pool_tdata", lv.name().lv());
        assertEquals(Optional.empty(), lv.path());
    }

    @Test
    void readsAGroupThatMissesADevice() {
        var row =
                Map.of(
                        "vg_name", "tvg",
                        "vg_uuid", "qbKEkf-teks-hsYy-LKG3-ITZU-4huG-LfXb8f",
                        "vg_size", "4269801472",
                        "vg_free", "0",
                        "vg_extent_size", "4194304",
                        "pv_count", "2",
                        "vg_missing_pv_count", "1",
                        "vg_mda_free", "520192",
                        "vg_attr", "wz-pn-",
                        "vg_tags", "lvms");
        var vg = Columns.volumeGroup(row);
        assertTrue(vg.partial() && vg.writable() && vg.resizable());
        assertFalse(vg.exported());
        assertEquals(1, vg.missingPhysicalVolumes());
        assertEquals(520192, vg.metadataFreeBytes());
        assertEquals(8 << 20, vg.roundUp((4 << 20) + 1));
    }

    @Test
    void readsAPhysicalVolumeThatIsMissing() {
        var row =
                Map.of(
                        "pv_name",
                        "[unknown]",
                        "vg_name",
                        "tvg",
                        "pv_attr",
                        "a-m",
                        "pv_missing",
                        "missing");
        var pv = Columns.physicalVolume(row);
        assertTrue(pv.missing() && pv.allocatable());
        assertFalse(pv.duplicate());
    }

    @Test
    void readsAPoolAndASegment() {
        var row =
                with(
                        THIN,
                        "lv_attr",
                        "twi-aotz--",
                        "chunk_size",
                        "131072",
                        "lv_metadata_size",
                        "8388608",
                        "zero",
                        "zero",
                        "discards",
                        "passdown",
                        "lv_when_full",
                        "queue",
                        "thin_count",
                        "2",
                        "transaction_id",
                        "7");
        var pool = Columns.thinPool(row);
        assertTrue(pool.zero() && pool.volume().isThinPool());
        assertEquals(131072, pool.chunkSizeBytes());
        assertEquals(2, pool.thinVolumes());
        var segment =
                Columns.segment(
                        Map.of(
                                "lv_name", "a",
                                "vg_name", "v",
                                "segtype", "striped",
                                "seg_start", "0",
                                "stripes", "2",
                                "devices", "/dev/sdb(0),/dev/sdc(0)"));
        assertEquals(List.of("/dev/sdb(0)", "/dev/sdc(0)"), segment.devices());
    }
}
