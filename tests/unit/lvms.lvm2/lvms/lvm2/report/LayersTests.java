package lvms.lvm2.report;

import static org.junit.jupiter.api.Assertions.assertDoesNotThrow;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.LvmException;
import lvms.lvm2.RaidHealth;
import lvms.lvm2.RaidImage;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Set;

/** Which image of a RAID volume lies where, and what would be lost with a missing device. */
class LayersTests {
    private static Map<String, String> row(
            String name, String attr, String layout, String type, String devices) {
        return Map.of(
                "vg_name", "vg",
                "lv_name", name,
                "lv_attr", attr,
                "lv_layout", layout,
                "segtype", type,
                "devices", devices);
    }

    private static List<Map<String, String>> mirror(String second) {
        return List.of(
                row("r", "rwi-a-r-p-", "raid,raid1", "raid1", "r_rimage_0(0),r_rimage_1(0)"),
                row("[r_rimage_0]", "iwi-aor---", "linear", "linear", "/dev/sdb(1)"),
                row("[r_rimage_0]", "iwi-aor---", "linear", "linear", "/dev/sdc(7)"),
                row("[r_rimage_1]", "Iwi-aor-p-", "linear", "linear", second + "(1)"),
                row("[r_rmeta_0]", "ewi-aor---", "linear", "linear", "/dev/sdb(0)"),
                row("[r_rmeta_1]", "ewi-aor-p-", "linear", "linear", second + "(0)"));
    }

    @Test
    void anImageHasAllDevicesOfItsSegments() {
        var raid = Layers.of("vg", mirror("/dev/sdd")).raidVolumes().getFirst();
        assertEquals(Set.of("/dev/sdb", "/dev/sdc"), raid.images().getFirst().devices());
        assertEquals(List.of(true, false), raid.images().stream().map(RaidImage::synced).toList());
        assertFalse(raid.degraded());
    }

    @Test
    void anImageOnAMissingDeviceCanBeRebuilt() {
        var layers = Layers.of("vg", mirror("[unknown]"));
        assertTrue(layers.raidVolumes().getFirst().images().get(1).missing());
        assertEquals(RaidHealth.DEGRADED, layers.raidVolumes().getFirst().health());
        assertDoesNotThrow(layers::requireRepairable);
    }

    @Test
    void whatLvmReplacedByErrorsIsMissingToo() {
        var rows =
                List.of(
                        row("r", "rwi-a-r---", "raid,raid1", "raid1", "r_rimage_0(0)"),
                        row("[r_rimage_0]", "vwi-aor---", "error", "error", ""));
        assertTrue(Layers.of("vg", rows).raidVolumes().getFirst().degraded());
    }

    @Test
    void aVolumeWithoutASecondCopyIsNamed() {
        var rows = List.of(row("only", "-wi-XX--p-", "linear", "linear", "[unknown](0)"));
        var layers = Layers.of("vg", rows);
        var failure = assertThrows(LvmException.MissingDevice.class, layers::requireRepairable);
        assertTrue(failure.getMessage().contains("only"), failure.getMessage());
    }

    @Test
    void whatAConversionLeftOutsideItsVolumeIsFound() {
        var rows =
                List.of(
                        row("r", "-wi-a-----", "linear", "linear", "/dev/sdb(1)"),
                        row("r_rimage_0", "-wi-a-----", "linear", "linear", "/dev/sdb(2)"),
                        row(
                                "r_rimage_1_extracted",
                                "-wi-------",
                                "linear",
                                "linear",
                                "/dev/sdc(1)"),
                        row("[r_rmeta_1]", "ewi-aor---", "linear", "linear", "/dev/sdc(0)"),
                        row("r_rimage_2", "-ri-a-----", "linear", "linear", "/dev/sdd(1)"),
                        row(
                                "rr_rimage_1_extracted",
                                "-wi-------",
                                "linear",
                                "linear",
                                "/dev/sde(1)"));
        assertEquals(
                List.of("r_rimage_0", "r_rimage_1_extracted"), Layers.of("vg", rows).apart("r"));
    }

    @Test
    void onlyAVolumeWhoseCreationWasCutHasAllItsMetadataVisible() {
        for (int visible = 0; visible <= 2; visible++) {
            var rows =
                    List.of(
                            row("r", "rwi---r---", "raid,raid1", "raid1", "r_rimage_0(0)"),
                            row("[r_rimage_0]", "Iwi---r---", "linear", "linear", "/dev/sdb(1)"),
                            metadata("r_rmeta_0", visible > 0),
                            metadata("r_rmeta_1", visible > 1));
            assertEquals(visible == 2, Layers.of("vg", rows).neverActive("r"));
        }
        var plain = List.of(row("r", "-wi-a-----", "linear", "linear", "/dev/sdb(1)"));
        assertFalse(Layers.of("vg", plain).neverActive("r"));
    }

    private static Map<String, String> metadata(String name, boolean visible) {
        return row(visible ? name : "[" + name + "]", "ewi---r---", "linear", "linear", "/dev/sdb");
    }
}
