package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import lvms.api.disk.DeviceSelection;
import lvms.lvm2.LogicalVolume;
import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.DeviceVerdict;
import lvms.node.disk.KnownPv;
import lvms.node.disk.TestLvm;

import org.junit.jupiter.api.Test;

import java.util.List;

/** A list that has lost its last device gives its volume group up, but never a volume. */
class EmptyingTests {
    private static final VolumeGroupGoal LIST = Situations.listed("{\"allowEmptying\": true}");
    private static final DeviceSelection NOTHING = new DeviceSelection(List.of(), List.of(), true);
    private static final KnownPv SDB = TestLvm.on("/dev/sdb", "vg1");
    private static final DeviceVerdict NOT_NAMED =
            Situations.excluded("sdc", "/dev/sdc is not part of the device selector");

    private static Situation holding(LogicalVolume... volumes) {
        return Situations.of(
                LIST,
                NOTHING,
                List.of(Situations.member("sdb"), NOT_NAMED),
                List.of(TestLvm.ours("vg1", TestLvm.pvsOf(List.of(SDB)), volumes)),
                List.of(SDB));
    }

    @Test
    void anEmptyGroupGoes() {
        assertEquals(
                new Decision.Act(new Step.RemoveGroup(List.of(SDB))),
                new VolumeGroupPlan(holding()).next());
    }

    @Test
    void aGroupWithAVolumeStays() {
        var volume = TestLvm.lv("vg1", "data", "-wi-------", 1 << 30);
        var blocked =
                assertInstanceOf(
                        Decision.Blocked.class, new VolumeGroupPlan(holding(volume)).next());
        assertEquals(EventReason.REMOVAL_FAILED, blocked.reason());
        assertEquals(
                "the class names no device any more, but volume group \"vg1\" still has logical"
                        + " volumes, manual cleanup required: vg1/data",
                blocked.message());
    }

    @Test
    void withoutAGroupNothingIsLeftToDo() {
        var s = Situations.of(LIST, NOTHING, List.of(NOT_NAMED), List.of(), List.of());
        assertEquals(new Decision.Converged(), new VolumeGroupPlan(s).next());
    }

    /**
     * A path that leads to nothing may be late; only a list without any says that it means none.
     */
    @Test
    void aListWithAPathKeepsItsLastDevice() {
        var late = new DeviceSelection(List.of(), List.of(Situations.dangling("/dev/sdz")));
        var s = Situations.existing(LIST, late, List.of(SDB));
        var blocked = assertInstanceOf(Decision.Blocked.class, new VolumeGroupPlan(s).next());
        assertEquals("cannot remove /dev/sdb: no device would remain", blocked.message());
    }
}
