package lvms.tests.cluster.check;

import static org.junit.jupiter.api.Assertions.assertEquals;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What LVM 2.03.16 and dmsetup print is read as it is meant. */
class NodeViewTests {
    @Test
    void readsTheReportOfGroups() {
        var json =
                """
                {"report": [{"vg": [{"vg_name":"vg1", "vg_uuid":"SJ0u-1", "vg_free":"4194304",
                "vg_tags":"lvms,other"}]}]}
                """;
        assertEquals(
                List.of(new NodeView.Group("vg1", "SJ0u-1", 4194304, Set.of("lvms", "other"))),
                NodeView.groups(json));
    }

    @Test
    void readsTheReportOfVolumes() {
        var json =
                """
                {"report": [{"lv": [
                {"lv_name":"a", "lv_uuid":"u", "vg_name":"vg1", "lv_size":"4096", "segtype":"thin",
                 "pool_lv":"pool", "origin":"", "origin_size":"", "lv_tags":"",
                 "lv_kernel_major":"253", "lv_kernel_minor":"4"},
                {"lv_name":"s", "lv_uuid":"s", "vg_name":"vg1", "lv_size":"512",
                 "segtype":"linear", "pool_lv":"", "origin":"o", "origin_size":"8192",
                 "lv_tags":"", "lv_kernel_major":"253", "lv_kernel_minor":"5"},
                {"lv_name":"[lvol0_pmspare]", "lv_uuid":"w", "vg_name":"vg1", "lv_size":"1",
                 "segtype":"linear", "pool_lv":"", "origin":"", "origin_size":"",
                 "lv_tags":"", "lv_kernel_major":"-1", "lv_kernel_minor":"-1"}]}]}
                """;
        var volumes = NodeView.volumes(json);
        assertEquals(Optional.of("253:4"), volumes.getFirst().device());
        assertEquals(Optional.empty(), volumes.getLast().device());
        assertEquals(
                List.of(true, true, false), volumes.stream().map(NodeView.Volume::ofUser).toList());
        assertEquals(
                List.of(4096L, 8192L, 1L),
                volumes.stream().map(NodeView.Volume::sizeBytes).toList());
    }

    @Test
    void aVolumeOfTwoSegmentsIsOneVolume() {
        var row =
                """
                {"lv_name":"a", "lv_uuid":"u", "vg_name":"vg1", "lv_size":"8", "segtype":"linear",
                 "pool_lv":"", "origin":"", "origin_size":"", "lv_tags":"t",
                 "lv_kernel_major":"253", "lv_kernel_minor":"1"}
                """;
        var json = "{\"report\":[{\"lv\":[%s,%s]}]}".formatted(row, row);
        assertEquals(1, NodeView.volumes(json).size());
    }

    @Test
    void readsTheDevicesOfDeviceMapper() {
        assertEquals(
                List.of(
                        new NodeView.Mapped("vg1-a", "LVM-1", false),
                        new NodeView.Mapped("vg1-b", "LVM-2", true)),
                NodeView.devices("vg1-a|LVM-1|Active\nvg1-b|LVM-2|Suspended\n"));
        assertEquals(List.of(), NodeView.devices("No devices found\n"));
    }
}
