package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import lvms.api.disk.DeviceSelection;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.node.disk.DeviceVerdict;
import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;
import lvms.node.disk.TestLvm;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;

/** A disk that has the name of a member since the last boot is not taken for it. */
class NameCheckTests {
    private static final long DATA = 9 * TestLvm.GIB;

    /** The disk that was /dev/sdb, with volumes on it. */
    private static final KnownPv RENAMED = TestLvm.on("/dev/sdc", "vg1", DATA);

    private static Decision next(DeviceSelection selection, List<KnownPv> pvs, String... more) {
        var free = List.of(more).stream().map(Situations::available);
        var s =
                Situations.existing(
                        Situations.THICK, selection, pvs, free.toArray(DeviceVerdict[]::new));
        return new VolumeGroupPlan(s).next();
    }

    private static List<String> taken(Decision decision) {
        var act = assertInstanceOf(Decision.Act.class, decision);
        var step = assertInstanceOf(Step.ExtendGroup.class, act.step());
        return step.devices().stream().map(NodeDevice::name).toList();
    }

    private static SelectedPath link(String name) {
        return new SelectedPath("/dev/disk/by-id/wwn-0x5", Optional.of(name));
    }

    @Test
    @Safety(7)
    void aBlankDiskThatGotTheNameOfAMemberIsNotTaken() {
        var blocked =
                assertInstanceOf(
                        Decision.Blocked.class,
                        next(
                                Situations.required(Situations.path("/dev/sdb")),
                                List.of(RENAMED),
                                "sdb"));
        assertEquals(EventReason.PATH_CHECK_FAILED, blocked.reason());
        assertEquals(
                "/dev/sdb is not taken: no path leads to /dev/sdc, which is in volume group"
                        + " \"vg1\", so the disks may have changed their names; name them by paths"
                        + " below /dev/disk, and to replace a disk, add the new one before you take"
                        + " the old one off",
                blocked.message());
    }

    @Test
    @Safety(7)
    void norByAnOptionalPath() {
        var optional = new DeviceSelection(List.of(), List.of(Situations.path("/dev/sdb")));
        assertInstanceOf(Decision.Blocked.class, next(optional, List.of(RENAMED), "sdb"));
    }

    @Test
    void aLinkIsTheDisksOwnName() {
        var selection = Situations.required(link("/dev/sdb"));
        assertEquals(List.of("/dev/sdb"), taken(next(selection, List.of(RENAMED), "sdb")));
    }

    @Test
    void aDiskIsAddedAsLongAsTheMembersAreNamed() {
        var selection =
                Situations.required(Situations.path("/dev/sdb"), Situations.path("/dev/sdc"));
        assertEquals(List.of("/dev/sdb"), taken(next(selection, List.of(RENAMED), "sdb")));
    }

    @Test
    void aMemberThatIsGoneHasNoName() {
        var lost = new KnownPv(TestLvm.pv("/dev/odd", "vg1", 1, 1), Optional.empty(), 0);
        var selection =
                Situations.required(Situations.path("/dev/sdb"), Situations.path("/dev/sdc"));
        assertEquals(
                Optional.empty(),
                NameCheck.problem(
                        Situations.existing(
                                Situations.THICK,
                                selection,
                                List.of(RENAMED, lost),
                                Situations.available("sdb"))));
    }

    @Test
    void aClassWithoutPathsTakesWhatItFinds() {
        assertEquals(
                List.of("/dev/sdb"),
                taken(next(DeviceSelection.EVERYTHING, List.of(RENAMED), "sdb")));
    }
}
