package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.disk.DeviceSelection;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.disk.DeviceVerdict;
import lvms.node.disk.DeviceVerdict.Kind;
import lvms.node.disk.KnownPv;
import lvms.node.disk.TestDevice;
import lvms.node.disk.TestLvm;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Set;

/** A disk that has grown is taken up whole; one that has become smaller is never worked on. */
class DiskSizesTests {
    private static final KnownPv PV = TestLvm.on("/dev/sdb", "vg1", 0);

    /** A group on a physical volume of 10 GiB, on a disk of this size. */
    private static Situation onDisk(long diskBytes) {
        return onDisk(diskBytes, TestLvm.ours("vg1", List.of(PV.pv())));
    }

    private static Situation onDisk(long diskBytes, VolumeGroupReport group) {
        var disk = TestDevice.disk("sdb").sized(diskBytes).device();
        return Situations.of(
                Situations.THICK,
                DeviceSelection.EVERYTHING,
                List.of(new DeviceVerdict(disk, Kind.MEMBER, List.of())),
                List.of(group),
                List.of(PV));
    }

    @Safety(53)
    @Test
    void leavesPhysicalVolumesAsPeopleMadeThem() {
        var group = TestLvm.group("vg1", Set.of("lvms", "lvms-kept-sizes"), List.of(PV.pv()));
        var decision = new VolumeGroupPlan(onDisk(20 * TestLvm.GIB, group)).next();
        assertEquals(new Decision.Converged(), decision);
    }

    @Test
    void takesUpOneExtentMore() {
        var decision = new VolumeGroupPlan(onDisk(10 * TestLvm.GIB + TestLvm.EXTENT)).next();
        assertEquals(new Decision.Act(new Step.ResizeDevices(List.of(PV))), decision);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, TestLvm.EXTENT - 1})
    void leavesADiskAloneThatHasRoomForNoWholeExtent(long moreBytes) {
        var decision = new VolumeGroupPlan(onDisk(10 * TestLvm.GIB + moreBytes)).next();
        assertEquals(new Decision.Converged(), decision);
    }

    @Test
    void reportsADiskThatHasBecomeSmaller() {
        var decision = new VolumeGroupPlan(onDisk(10 * TestLvm.GIB - 512)).next();
        var blocked = assertInstanceOf(Decision.Blocked.class, decision);
        assertEquals(EventReason.PATH_CHECK_FAILED, blocked.reason());
        assertTrue(
                blocked.message()
                        .startsWith(
                                "/dev/sdb has become smaller than the physical volume on it:"
                                        + " 10737417728 bytes, 10737418240 are needed"),
                blocked.message());
    }

    @Test
    void comparesNothingWithADiskThatIsNotThere() {
        var s =
                Situations.of(
                        Situations.THICK,
                        DeviceSelection.EVERYTHING,
                        List.of(),
                        List.of(TestLvm.ours("vg1", List.of(PV.pv()))),
                        List.of(PV));
        assertEquals(new Decision.Converged(), new VolumeGroupPlan(s).next());
    }
}
