package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.disk.DeviceSelection;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.node.disk.NodeDevice;
import lvms.node.disk.TestLvm;

import org.junit.jupiter.api.Test;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** The next step follows from what is there, and only what proves to be ours is touched. */
class VolumeGroupPlanTests {
    private static Decision next(Situation s) {
        return new VolumeGroupPlan(s).next();
    }

    private static Decision.Blocked blocked(Situation s, EventReason reason) {
        var decision = assertInstanceOf(Decision.Blocked.class, next(s));
        assertEquals(reason, decision.reason());
        return decision;
    }

    private static <S extends Step> S step(Class<S> type, Decision decision) {
        return assertInstanceOf(type, assertInstanceOf(Decision.Act.class, decision).step());
    }

    @Test
    void makesTheGroupOfEveryAvailableDevice() {
        var s =
                Situations.blank(
                        Situations.THICK,
                        Situations.available("sdb"),
                        Situations.excluded("sda", "mounted"),
                        Situations.available("sdc"));
        var step = step(Step.CreateGroup.class, next(s));
        assertEquals(
                List.of("/dev/sdb", "/dev/sdc"),
                step.devices().stream().map(NodeDevice::name).toList());
    }

    @Test
    void extendsTheGroupByANewDevice() {
        var s =
                Situations.existing(
                        Situations.THICK,
                        DeviceSelection.EVERYTHING,
                        List.of(TestLvm.on("/dev/sdb", "vg1")),
                        Situations.available("sdc"));
        assertEquals(1, step(Step.ExtendGroup.class, next(s)).devices().size());
    }

    @Test
    void isSettledWithoutAnythingNew() {
        var s =
                Situations.existing(
                        Situations.THICK,
                        DeviceSelection.EVERYTHING,
                        List.of(TestLvm.on("/dev/sdb", "vg1")),
                        Situations.excluded("sda", "mounted"));
        assertEquals(new Decision.Converged(), next(s));
    }

    @Test
    void cannotMakeAGroupOfNothing() {
        var blocked =
                blocked(
                        Situations.blank(Situations.THICK, Situations.excluded("sda", "mounted")),
                        EventReason.NO_AVAILABLE_DEVICES);
        assertTrue(
                blocked.message().contains("there were no available devices to create it"),
                blocked.message());
        assertTrue(blocked.message().contains("\"lvms\""), blocked.message());
    }

    @Test
    void leavesAGroupOfItsNameWithoutOurTagAlone() {
        var pvs = List.of(TestLvm.on("/dev/sdb", "vg1"));
        var foreign = TestLvm.group("vg1", Set.of("theirs"), TestLvm.pvsOf(pvs));
        var s =
                Situations.of(
                        Situations.THICK,
                        DeviceSelection.EVERYTHING,
                        List.of(Situations.available("sdc")),
                        List.of(foreign),
                        pvs);
        assertTrue(blocked(s, EventReason.GROUP_FAILED).message().contains("is not ours"));
        assertEquals(new Decision.Converged(), new VolumeGroupPlan(s).nextOfRemoval());
    }

    @Test
    void doesNothingWhileTwoGroupsHaveTheName() {
        var ours = TestLvm.ours("vg1", List.of());
        var s =
                Situations.of(
                        Situations.THICK,
                        DeviceSelection.EVERYTHING,
                        List.of(Situations.available("sdc")),
                        List.of(ours, TestLvm.group("vg1", Set.of(), List.of())),
                        List.of());
        blocked(s, EventReason.GROUP_FAILED);
        assertInstanceOf(Decision.Blocked.class, new VolumeGroupPlan(s).nextOfRemoval());
    }

    @Test
    void adoptsAGroupWithOurTag() {
        var s =
                Situations.existing(
                        Situations.THICK,
                        Situations.required(Situations.path("/dev/sdb")),
                        List.of(TestLvm.on("/dev/sdb", "vg1")));
        assertEquals(new Decision.Converged(), next(s));
    }

    @Test
    void stopsWhileADeviceIsMissing() {
        var pvs = List.of(TestLvm.on("/dev/sdb", "vg1"), TestLvm.missing("vg1"));
        var thick =
                Situations.existing(
                        Situations.THICK,
                        DeviceSelection.EVERYTHING,
                        pvs,
                        Situations.available("sdd"));
        blocked(thick, EventReason.PATH_CHECK_FAILED);
        blocked(
                Situations.existing(Situations.RAID1, DeviceSelection.EVERYTHING, pvs),
                EventReason.RAID_CHECK_FAILED);
    }

    @Test
    void countsTheDevicesOfARaidClass() {
        var s =
                Situations.of(
                        Situations.RAID1,
                        Situations.required(Situations.path("/dev/sdb")),
                        List.of(Situations.available("sdb")),
                        List.of(),
                        List.of());
        assertEquals(
                "raid1 requires at least 2 devices, got 1",
                blocked(s, EventReason.NO_AVAILABLE_DEVICES).message());
    }

    @Test
    void aMandatoryPathThatLeadsNowhereBlocksEverything() {
        var s =
                Situations.of(
                        Situations.THICK,
                        Situations.required(
                                Situations.path("/dev/sdb"), Situations.dangling("/dev/none")),
                        List.of(Situations.available("sdb")),
                        List.of(),
                        List.of());
        var message = blocked(s, EventReason.PATH_CHECK_FAILED).message();
        for (var part :
                List.of(
                        "mandatory device path \"/dev/none\" cannot be used",
                        "NOT available as a new device for the volume group",
                        "NOT part of a valid and tagged existing volume group",
                        "the device did not exist on the host",
                        "lsblk")) {
            assertTrue(message.contains(part), message);
        }
    }

    @Test
    void aMandatoryPathThatIsOccupiedTellsWhy() {
        var s =
                Situations.of(
                        Situations.THICK,
                        Situations.required(Situations.path("/dev/sdb")),
                        List.of(Situations.excluded("sdb", "/dev/sdb is in use: mounted at /x")),
                        List.of(),
                        List.of());
        assertTrue(
                blocked(s, EventReason.PATH_CHECK_FAILED)
                        .message()
                        .endsWith(": /dev/sdb is in use: mounted at /x"));
    }

    @Test
    void aNewDeviceComesInBeforeAnOldOneGoesOut() {
        var s =
                Situations.existing(
                        Situations.THICK,
                        Situations.required(
                                new SelectedPath("/dev/disk/by-id/wwn-2", Optional.of("/dev/sdc"))),
                        List.of(TestLvm.on("/dev/sdb", "vg1")),
                        Situations.available("sdc"));
        step(Step.ExtendGroup.class, next(s));
    }

    @Test
    void takesOutADeviceThatIsNotSelectedAnyMore() {
        var pvs = List.of(TestLvm.on("/dev/sdb", "vg1"), TestLvm.on("/dev/sdc", "vg1"));
        var s =
                Situations.existing(
                        Situations.THICK, Situations.required(Situations.path("/dev/sdc")), pvs);
        assertEquals(List.of(pvs.getFirst()), step(Step.RemoveDevices.class, next(s)).pvs());
    }

    @Test
    void makesAPoolThatIsMissingEvenWithoutANewDevice() {
        var s =
                Situations.existing(
                        Situations.THIN,
                        DeviceSelection.EVERYTHING,
                        List.of(TestLvm.on("/dev/sdb", "vg1")));
        step(Step.CreatePool.class, next(s));
    }

    @Test
    void refusesToRemoveAGroupWithVolumes() {
        var pvs = List.of(TestLvm.on("/dev/sdb", "vg1"));
        var report =
                TestLvm.ours(
                        "vg1",
                        TestLvm.pvsOf(pvs),
                        TestLvm.lv("vg1", "pool", "twi-a-tz--", TestLvm.GIB),
                        TestLvm.thin("vg1", "data", "pool", TestLvm.GIB));
        var s =
                Situations.of(
                        Situations.THIN,
                        DeviceSelection.EVERYTHING,
                        List.of(),
                        List.of(report),
                        pvs);
        var blocked =
                assertInstanceOf(Decision.Blocked.class, new VolumeGroupPlan(s).nextOfRemoval());
        assertEquals(EventReason.MANUAL_CLEANUP, blocked.reason());
        assertTrue(blocked.message().contains("manual cleanup required"), blocked.message());
        assertTrue(blocked.message().endsWith(": vg1/data"), blocked.message());
    }

    @Test
    void keepsAPoolThatIsNotTheConfiguredOne() {
        var report =
                TestLvm.ours(
                        "vg1", List.of(), TestLvm.lv("vg1", "other", "twi-a-tz--", TestLvm.GIB));
        var s =
                Situations.of(
                        Situations.THIN,
                        DeviceSelection.EVERYTHING,
                        List.of(),
                        List.of(report),
                        List.of());
        assertInstanceOf(Decision.Blocked.class, new VolumeGroupPlan(s).nextOfRemoval());
    }

    @Test
    void removesTheEmptyPoolThenTheGroup() {
        var pvs = List.of(TestLvm.on("/dev/sdb", "vg1"));
        var pool = TestLvm.lv("vg1", "pool", "twi-a-tz--", TestLvm.GIB);
        var withPool = TestLvm.ours("vg1", TestLvm.pvsOf(pvs), pool);
        var s =
                Situations.of(
                        Situations.THIN,
                        DeviceSelection.EVERYTHING,
                        List.of(),
                        List.of(withPool),
                        pvs);
        step(Step.RemovePool.class, new VolumeGroupPlan(s).nextOfRemoval());
        var empty = Situations.existing(Situations.THIN, DeviceSelection.EVERYTHING, pvs);
        assertEquals(
                pvs,
                step(Step.RemoveGroup.class, new VolumeGroupPlan(empty).nextOfRemoval()).pvs());
    }

    @Test
    void isDoneWhenTheGroupIsGone() {
        assertEquals(
                new Decision.Converged(),
                new VolumeGroupPlan(Situations.blank(Situations.THIN)).nextOfRemoval());
    }

    @Test
    void optionalPathsThatLeadNowhereMakeNoGroup() {
        var s =
                Situations.of(
                        Situations.THICK,
                        new DeviceSelection(List.of(), List.of(Situations.dangling("/dev/none"))),
                        List.of(Situations.excluded("sdb", "not part of the device selector")),
                        List.of(),
                        List.of());
        assertTrue(
                blocked(s, EventReason.NO_AVAILABLE_DEVICES)
                        .message()
                        .contains("there were no available devices to create it"));
    }

    @Test
    void aDiskThatTwoPathsNameIsOneDevice() {
        var link = new DeviceSelection.SelectedPath("/dev/disk/by-id/a", Optional.of("/dev/sdb"));
        var s =
                Situations.of(
                        Situations.RAID1,
                        new DeviceSelection(List.of(Situations.path("/dev/sdb")), List.of(link)),
                        List.of(Situations.available("sdb")),
                        List.of(),
                        List.of());
        assertEquals(
                "raid1 requires at least 2 devices, got 1",
                blocked(s, EventReason.NO_AVAILABLE_DEVICES).message());
    }
}
