package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.disk.DeviceSelection;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.node.deviceclass.VolumeGroupGoal;
import lvms.node.disk.KnownPv;
import lvms.node.disk.TestLvm;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** A device leaves its group only if it certainly is none of those that the user still names. */
class RemovalPlanTests {
    private static final KnownPv SDB = TestLvm.on("/dev/sdb", "vg1");
    private static final KnownPv SDC = TestLvm.on("/dev/sdc", "vg1");

    private static Optional<Decision> next(
            List<SelectedPath> required, List<SelectedPath> optional, KnownPv... pvs) {
        return next(Situations.THICK, required, optional, pvs);
    }

    private static Optional<Decision> next(
            VolumeGroupGoal goal,
            List<SelectedPath> required,
            List<SelectedPath> optional,
            KnownPv... pvs) {
        return RemovalPlan.next(
                Situations.existing(goal, new DeviceSelection(required, optional), List.of(pvs)));
    }

    private static String refusal(Optional<Decision> decision) {
        var blocked = assertInstanceOf(Decision.Blocked.class, decision.orElseThrow());
        assertEquals(EventReason.REMOVAL_FAILED, blocked.reason());
        return blocked.message();
    }

    @Test
    void removesWhatNoPathNames() {
        assertEquals(
                Optional.of(new Decision.Act(new Step.RemoveDevices(List.of(SDC)))),
                next(List.of(Situations.path("/dev/sdb")), List.of(), SDB, SDC));
    }

    @Test
    void keepsWhatHoldsDataAndSaysHowToMoveIt() {
        var used = TestLvm.on("/dev/sdc", "vg1", 9 * TestLvm.GIB);
        assertEquals(
                "cannot remove /dev/sdc yet: volumes are on it: before; move them with \"pvmove"
                        + " /dev/sdc\" on the node, or delete them",
                refusal(next(List.of(Situations.path("/dev/sdb")), List.of(), SDB, used)));
    }

    @Test
    void removesWhatIsEmptyBesideWhatHoldsData() {
        var used = TestLvm.on("/dev/sdd", "vg1", 9 * TestLvm.GIB);
        assertEquals(
                Optional.of(new Decision.Act(new Step.RemoveDevices(List.of(SDC)))),
                next(List.of(Situations.path("/dev/sdb")), List.of(), SDB, SDC, used));
    }

    @Test
    void removesNothingWithoutPaths() {
        assertEquals(Optional.empty(), next(List.of(), List.of(), SDB, SDC));
    }

    @Test
    void keepsWhatAnOptionalPathNames() {
        assertEquals(
                Optional.empty(),
                next(
                        List.of(Situations.path("/dev/sdb")),
                        List.of(Situations.path("/dev/sdc")),
                        SDB,
                        SDC));
    }

    @Test
    void keepsTheLastDevice() {
        assertTrue(
                refusal(next(List.of(Situations.path("/dev/sdd")), List.of(), SDB))
                        .endsWith("no device would remain"));
    }

    @Test
    void removesNothingWhileALinkIsMissing() {
        var link = Situations.dangling("/dev/disk/by-id/wwn-1");
        assertTrue(
                refusal(next(List.of(Situations.path("/dev/sdb")), List.of(link), SDB, SDC))
                        .contains("the path /dev/disk/by-id/wwn-1 leads nowhere now"));
    }

    @Test
    void removesNonethelessIfAKernelNameDoesNotExist() {
        var gone = Situations.dangling("/dev/sdz");
        assertEquals(
                Optional.of(new Decision.Act(new Step.RemoveDevices(List.of(SDC)))),
                next(List.of(Situations.path("/dev/sdb")), List.of(gone), SDB, SDC));
    }

    @Test
    void keepsAPhysicalVolumeWhoseDeviceIsUnknown() {
        var odd = new KnownPv(TestLvm.pv("/dev/odd", "vg1", 1, 1), Optional.empty(), 0);
        refusal(next(List.of(Situations.path("/dev/sdb")), List.of(), SDB, odd));
    }

    @Test
    void keepsTheDevicesThatRaidNeeds() {
        assertTrue(
                refusal(
                                next(
                                        Situations.RAID1,
                                        List.of(Situations.path("/dev/sdb")),
                                        List.of(),
                                        SDB,
                                        SDC))
                        .contains("raid1 requires at least 2 devices, got 1"));
    }
}
