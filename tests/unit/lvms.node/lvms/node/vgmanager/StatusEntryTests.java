package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.RaidHealth;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus.ExcludedDevice;
import lvms.api.disk.DeviceSelection;
import lvms.node.disk.TestLvm;
import lvms.node.vgmanager.plan.Situations;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The node status tells the state, the devices, and why each other device is left alone. */
class StatusEntryTests {
    @Test
    void aGroupThatIsNotThereHasFailed() {
        var entry = StatusEntry.failed(Situations.blank(Situations.THICK), "why");
        assertEquals(Optional.of(VolumeGroupState.FAILED), entry.state());
        assertEquals("why", entry.reason());
    }

    @Test
    void aGroupWithADeviceIsDegraded() {
        var s =
                Situations.existing(
                        Situations.THICK,
                        DeviceSelection.EVERYTHING,
                        List.of(TestLvm.on("/dev/sdb", "vg1")));
        var entry = StatusEntry.failed(s, "why");
        assertEquals(Optional.of(VolumeGroupState.DEGRADED), entry.state());
        assertEquals(List.of("/dev/sdb"), entry.devices());
    }

    /** As LVMS shows it: who counts the devices sees that one is gone. */
    @Test
    void aMissingDeviceIsUnknown() {
        var pvs =
                List.of(
                        TestLvm.missing("vg1"),
                        TestLvm.on("/dev/sdb", "vg1"),
                        TestLvm.missing("vg1"));
        var s = Situations.existing(Situations.THICK, DeviceSelection.EVERYTHING, pvs);
        var entry = StatusEntry.failed(s, "why");
        assertEquals(List.of("/dev/sdb", "[unknown]", "[unknown]"), entry.devices());
        assertEquals(Optional.of(VolumeGroupState.DEGRADED), entry.state());
    }

    @Test
    void aForeignGroupOfItsNameHasNoDevicesOfOurs() {
        var pvs = List.of(TestLvm.on("/dev/sdb", "vg1"));
        var s =
                Situations.of(
                        Situations.THICK,
                        DeviceSelection.EVERYTHING,
                        List.of(),
                        List.of(TestLvm.group("vg1", Set.of(), TestLvm.pvsOf(pvs))),
                        pvs);
        var entry = StatusEntry.failed(s, "why");
        assertEquals(Optional.of(VolumeGroupState.FAILED), entry.state());
        assertEquals(List.of(), entry.devices());
    }

    @Test
    void listsExcludedDevicesByName() {
        var s =
                Situations.blank(
                        Situations.THICK,
                        Situations.excluded("sdc", "z", "a"),
                        Situations.available("sdd"),
                        Situations.excluded("sdb", "b"));
        assertEquals(
                List.of(
                        new ExcludedDevice("/dev/sdb", List.of("b"), List.of()),
                        new ExcludedDevice("/dev/sdc", List.of("a", "z"), List.of())),
                StatusEntry.ready(s).excluded());
    }

    @Test
    void illRaidMakesAReadyGroupDegraded() {
        var pvs = List.of(TestLvm.on("/dev/sdb", "vg1"), TestLvm.missing("vg1"));
        var s = Situations.existing(Situations.RAID1, DeviceSelection.EVERYTHING, pvs);
        var entry = StatusEntry.ready(s);
        assertEquals(Optional.of(VolumeGroupState.DEGRADED), entry.state());
        assertEquals(RaidHealth.DEGRADED, entry.raid().orElseThrow().health());
    }
}
