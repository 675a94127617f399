package lvms.node.lvmd;

import static lvms.node.disk.TestLvm.GIB;
import static lvms.node.disk.TestLvm.group;
import static lvms.node.disk.TestLvm.lv;
import static lvms.node.disk.TestLvm.missingPv;
import static lvms.node.disk.TestLvm.pv;
import static lvms.node.disk.TestLvm.thin;
import static lvms.node.disk.TestLvm.writeCached;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.VolumeGroupReport;
import lvms.node.capacity.ClassCapacity;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.proto.lvmd.WatchItem;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What lvmd tells of LVM's state is what TopoLVM's tells, but for what cannot be made. */
class MessagesTests {
    private static final NodeDeviceClass THICK =
            deviceClass("thick", true, new Provisioning.Thick(), 2 * GIB, List.of());
    private static final NodeDeviceClass THIN =
            deviceClass("a-thin", false, new Provisioning.Thin("pool", 2), 2 * GIB, List.of());

    private static NodeDeviceClass deviceClass(
            String name, boolean isDefault, Provisioning how, long spare, List<String> options) {
        return new NodeDeviceClass(
                name, "vg", isDefault, how, spare, Optional.empty(), options, Optional.empty());
    }

    private static VolumeGroupReport report() {
        return group(
                "vg",
                Set.of(),
                List.of(pv("/dev/sdb", "vg", 10 * GIB, 3 * GIB)),
                lv("vg", "root", "-wi-ao----", GIB),
                lv("vg", "pool", "twi-aotz--", 4 * GIB),
                thin("vg", "one", "pool", GIB),
                thin("vg", "two", "other", GIB));
    }

    private static List<WatchItem> items(VolumeGroupReport report, NodeDeviceClass... classes) {
        return Messages.state(
                        new DeviceClasses(List.of(classes), Map.of()),
                        Map.of("vg", report),
                        ClassCapacity.standard())
                .getItemsList();
    }

    @Test
    void aThickClassIsReportedWithoutItsSpare() {
        var item = items(report(), THICK).getFirst();
        assertEquals("thick", item.getDeviceClass());
        assertEquals(GIB, item.getFreeBytes());
        assertEquals(10 * GIB, item.getSizeBytes());
        assertFalse(item.hasThinPool());
    }

    @Test
    void aThinClassIsReportedWithTheFreeSpaceOfItsGroupAndWithWhatItsPoolPromises() {
        var item = items(report(), THIN).getFirst();
        assertEquals(3 * GIB, item.getFreeBytes(), "raw, without the spare");
        assertEquals(4 * GIB, item.getThinPool().getSizeBytes());
        assertEquals(7 * GIB, item.getThinPool().getOverprovisionBytes(), "2 x 4 - 1");
    }

    @Test
    void thinClassesComeFirstAndTheDefaultOneIsAlsoInTheHeader() {
        var classes = new DeviceClasses(List.of(THICK, THIN), Map.of());
        var state = Messages.state(classes, Map.of("vg", report()), ClassCapacity.standard());
        assertEquals(
                List.of("a-thin", "thick"),
                state.getItemsList().stream().map(WatchItem::getDeviceClass).toList());
        assertEquals(GIB, state.getFreeBytes());
    }

    @Test
    void theHeaderOfADefaultThinClassIsWhatThePoolPromises() {
        var isDefault = deviceClass("t", true, THIN.provisioning(), 0, List.of());
        var classes = new DeviceClasses(List.of(isDefault), Map.of());
        assertEquals(
                7 * GIB,
                Messages.state(classes, Map.of("vg", report()), ClassCapacity.standard())
                        .getFreeBytes());
        var noDefault = new DeviceClasses(List.of(THIN), Map.of());
        assertEquals(
                0,
                Messages.state(noDefault, Map.of("vg", report()), ClassCapacity.standard())
                        .getFreeBytes());
    }

    @Test
    void aClassWithoutItsGroupOrPoolIsAbsent() {
        var away = deviceClass("away", false, new Provisioning.Thin("gone", 2), 0, List.of());
        assertEquals(List.of(), items(report(), away));
        var classes = new DeviceClasses(List.of(THICK), Map.of());
        assertEquals(
                List.of(),
                Messages.state(classes, Map.of(), ClassCapacity.standard()).getItemsList());
    }

    /** TopoLVM reports the free bytes of a group that LVM refuses to change. */
    @Test
    void whatCannotBeMadeIsNotReportedAsFree() {
        var broken =
                group(
                        "vg",
                        Set.of(),
                        List.of(pv("/dev/sdb", "vg", 10 * GIB, 3 * GIB), missingPv("vg")));
        assertEquals(0, items(broken, THICK).getFirst().getFreeBytes());
    }

    @Test
    void aVolumeWithoutTagsHasOneEmptyTagOnTheWire() {
        assertEquals(List.of(""), Messages.listed(thin("vg", "one", "pool", GIB)).getTagsList());
    }

    @Test
    void anInactiveVolumeHasNumbersOfZero() {
        var listed = Messages.listed(thin("vg", "one", "pool", GIB));
        assertEquals(0, listed.getDevMajor());
        assertEquals(0, listed.getDevMinor());
        assertEquals("Vwi-a-tz--", listed.getAttr());
        assertEquals("", Messages.made(thin("vg", "one", "pool", GIB)).getAttr());
    }

    @Test
    void aClassHasTheVolumesOfItsKind() {
        var volumes = report().logicalVolumes();
        assertEquals(
                List.of("root"),
                volumes.stream()
                        .filter(v -> Messages.belongs(v, THICK))
                        .map(v -> v.name().lv())
                        .toList());
        assertEquals(
                List.of("one"),
                volumes.stream()
                        .filter(v -> Messages.belongs(v, THIN))
                        .map(v -> v.name().lv())
                        .toList());
        assertTrue(volumes.size() == 4);
    }

    /** It has a pool, as thin volumes have, and is a thick one all the same. */
    @Test
    void aVolumeWithAWriteCacheIsNotTakenForAThinOne() {
        var cached =
                group(
                        "vg",
                        Set.of(),
                        List.of(pv("/dev/sdb", "vg", 10 * GIB, 3 * GIB)),
                        lv("vg", "pool", "twi-aotz--", 4 * GIB),
                        writeCached("vg", "fast", "pool", 2 * GIB));
        var fast = cached.logicalVolume("fast").orElseThrow();
        assertTrue(Messages.belongs(fast, THICK));
        assertFalse(Messages.belongs(fast, THIN));
        assertEquals(List.of(), cached.thinVolumes("pool"));
        assertEquals(
                8 * GIB,
                items(cached, THIN).getFirst().getThinPool().getOverprovisionBytes(),
                "it takes nothing of the pool");
    }
}
