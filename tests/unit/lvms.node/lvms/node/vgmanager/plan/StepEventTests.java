package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.lvm2.Identity;
import lvms.lvm2.LvName;
import lvms.node.disk.TestDevice;
import lvms.node.disk.TestLvm;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** A step that changes what a person sees of a group is told in an Event; others are not. */
class StepEventTests {
    private static Optional<StepEvent> event(EventReason reason, String note) {
        return Optional.of(new StepEvent(reason, note));
    }

    @Test
    void namesTheDevicesThatJoin() {
        var devices = List.of(TestDevice.disk("sdb").device(), TestDevice.disk("sdc").device());
        var joined = event(EventReason.DEVICE_ADDED, "added /dev/sdb, /dev/sdc");
        assertEquals(joined, StepEvent.of(new Step.CreateGroup(devices)));
        assertEquals(joined, StepEvent.of(new Step.ExtendGroup(devices)));
    }

    @Test
    void namesTheDevicesThatLeaveAndTheUuidsOfThoseThatHaveNoNameAnyMore() {
        var pvs = List.of(TestLvm.on("/dev/sdc", "vg1"), TestLvm.on("/dev/sdb", "vg1"));
        assertEquals(
                event(EventReason.DEVICE_REMOVED, "removed /dev/sdc, /dev/sdb"),
                StepEvent.of(new Step.RemoveDevices(pvs)));
        assertEquals(
                event(
                        EventReason.DEVICE_REMOVED,
                        "removed missing physical volumes uuid-of-/dev/sdb, uuid-of-/dev/sdc"),
                StepEvent.of(new Step.RemoveMissing(pvs)));
    }

    @Test
    void namesTheVolumeThatIsRepaired() {
        var volume =
                new Identity<>(new LvName("vg1", "a"), "000000-0000-0000-0000-0000-0000-00000a");
        assertEquals(
                event(EventReason.RAID_REPAIR, "vg1/a is synchronized again"),
                StepEvent.of(new Step.RefreshVolume(volume)));
        assertEquals(
                event(EventReason.RAID_REPAIR, "vg1/a is copied to another device"),
                StepEvent.of(new Step.RepairVolume(volume)));
    }

    @Test
    void namesTheDisksThatHaveGrown() {
        assertEquals(
                event(EventReason.DEVICE_GREW, "took up the growth of /dev/sdb"),
                StepEvent.of(new Step.ResizeDevices(List.of(TestLvm.on("/dev/sdb", "vg1")))));
    }

    @Test
    void isSilentAboutThePool() {
        assertEquals(Optional.empty(), StepEvent.of(new Step.ActivatePool()));
        assertEquals(Optional.empty(), StepEvent.of(new Step.RemovePool("pool")));
        assertEquals(Optional.empty(), StepEvent.of(new Step.ForgetGrowth()));
    }
}
