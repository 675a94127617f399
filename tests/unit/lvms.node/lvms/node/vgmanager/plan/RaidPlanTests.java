package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.disk.DeviceSelection;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.PhysicalSegment;
import lvms.lvm2.VolumeGroupReport;
import lvms.node.disk.DeviceVerdict;
import lvms.node.disk.KnownPv;
import lvms.node.disk.TestLvm;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** A RAID group gets its device back or a new one; what is not certain is left to people. */
class RaidPlanTests {
    private static final String LOST = TestLvm.missingPv("vg1").uuid();
    private static final KnownPv LEFT = TestLvm.on("/dev/sdb", "vg1");
    private static final KnownPv MORE = TestLvm.on("/dev/sdd", "vg1");
    private static final LogicalVolume HURT = TestLvm.raid("data", "rwi-aor-p-", "partial", 100);

    private static Situation situation(
            List<KnownPv> pvs, List<DeviceVerdict> more, LogicalVolume... volumes) {
        var selection = Situations.required(Situations.dangling("/dev/disk/by-id/lost"));
        var s =
                Situations.existing(
                        Situations.RAID1, selection, pvs, more.toArray(DeviceVerdict[]::new));
        return Situations.with(s, report(pvs, volumes), Optional.empty());
    }

    /** Each volume has its images on the first two devices. */
    private static VolumeGroupReport report(List<KnownPv> pvs, LogicalVolume... volumes) {
        var plain = TestLvm.ours("vg1", TestLvm.pvsOf(pvs), volumes);
        var runs = new ArrayList<PhysicalSegment>();
        for (var volume : volumes) {
            for (int image = 0; image < Math.min(2, pvs.size()); image++) {
                var name = Optional.of(volume.name().lv() + "_rimage_" + image);
                var uuid = pvs.get(image).pv().uuid();
                runs.add(new PhysicalSegment(uuid, 1, 256, name, "linear", 0, 0));
            }
        }
        return new VolumeGroupReport(
                plain.group(),
                plain.physicalVolumes(),
                plain.logicalVolumes(),
                plain.segments(),
                runs);
    }

    private static Decision next(Situation s, String... given) {
        return new VolumeGroupPlan(s, Set.of(given)).next();
    }

    private static Step step(Decision decision) {
        return assertInstanceOf(Decision.Act.class, decision).step();
    }

    private static String message(Decision decision) {
        var blocked = assertInstanceOf(Decision.Blocked.class, decision);
        assertEquals(EventReason.RAID_CHECK_FAILED, blocked.reason());
        return blocked.message();
    }

    @Test
    void namesTheDeviceAndTheVolumesAndWhatToDo() {
        var s = situation(List.of(LEFT, TestLvm.missing("vg1")), List.of(), HURT);
        assertEquals(
                "volume group \"vg1\" is missing 1 of 2 devices: physical volume "
                        + LOST
                        + ", nothing at /dev/disk/by-id/lost; volumes without redundancy: data;"
                        + " plug it in again, or give the device class another device",
                message(next(s, LOST)));
    }

    @Test
    void namesThreeOfManyVolumes() {
        var volumes =
                List.of("e", "d", "c", "b", "a").stream()
                        .map(name -> TestLvm.raid(name, "rwi-aor-p-", "partial", 100))
                        .toArray(LogicalVolume[]::new);
        var s = situation(List.of(LEFT, TestLvm.missing("vg1")), List.of(), volumes);
        assertTrue(message(next(s)).contains(": a, b, c and 2 more;"), message(next(s)));
    }

    @Test
    void takesADeviceBackThatMissedAChange() {
        var back = new KnownPv(TestLvm.missing("vg1").pv(), Optional.of("/dev/sdc"), 0);
        var step = step(next(situation(List.of(LEFT, back), List.of(), HURT)));
        assertEquals(new Step.RestoreDevices(List.of(back)), step);
    }

    @Test
    void refreshesAVolumeWhoseDeviceIsBack() {
        var volume = TestLvm.raid("data", "rwi-aor-r-", "refresh needed", 100);
        var s = situation(List.of(LEFT, MORE), List.of(), volume);
        var whole =
                new Situation(
                        s.goal(),
                        DeviceSelection.EVERYTHING,
                        s.verdicts(),
                        s.groups(),
                        s.pvs(),
                        s.pool(),
                        true);
        assertEquals(new Step.RefreshVolume(volume.identity()), step(next(whole)));
    }

    @Test
    void addsANewDeviceBeforeTheLostOneIsGivenUp() {
        var added = Situations.available("sdc");
        var s = situation(List.of(LEFT, TestLvm.missing("vg1")), List.of(added), HURT);
        assertEquals(new Step.ExtendGroup(List.of(added.device())), step(next(s)));
    }

    @Test
    void copiesToFreeSpaceOnceTheDeviceIsGivenUp() {
        var s = situation(List.of(LEFT, TestLvm.missing("vg1"), MORE), List.of(), HURT);
        assertTrue(message(next(s)).contains("not back within 5 minutes"), message(next(s)));
        assertEquals(new Step.RepairVolume(HURT.identity()), step(next(s, LOST)));
    }

    @Test
    void copiesNothingThatIsNotInSync() {
        var unfinished = TestLvm.raid("data", "rwi-aor-p-", "partial", 42);
        var s = situation(List.of(LEFT, TestLvm.missing("vg1"), MORE), List.of(), unfinished);
        assertTrue(message(next(s, LOST)).contains("not in sync"), message(next(s, LOST)));
    }

    @Test
    void needsRoomForAWholeCopyOnADeviceThatHasNoneYet() {
        var full = TestLvm.on("/dev/sdd", "vg1", TestLvm.GIB);
        var s = situation(List.of(LEFT, TestLvm.missing("vg1"), full), List.of(), HURT);
        assertTrue(message(next(s, LOST)).contains("another device"), message(next(s, LOST)));
    }

    @Test
    void removesTheLostDeviceWhenNothingIsOnIt() {
        var empty = empty(TestLvm.missing("vg1"));
        var s = situation(List.of(LEFT, MORE, empty), List.of());
        assertEquals(new Step.RemoveMissing(List.of(empty)), step(next(s, LOST)));
        assertTrue(message(next(s)).contains("no volume is on it"), message(next(s)));
    }

    @Test
    void keepsALostDeviceOfWhichTheLayoutHasNoOther() {
        var s = situation(List.of(LEFT, empty(TestLvm.missing("vg1"))), List.of());
        assertTrue(message(next(s, LOST)).contains("another device"), message(next(s, LOST)));
    }

    private static KnownPv empty(KnownPv missing) {
        var pv = TestLvm.pv(missing.pv().device(), "vg1", TestLvm.GIB, TestLvm.GIB, true);
        return new KnownPv(pv, Optional.empty(), 0);
    }

    @Test
    void aDeviceIsGivenUpAfterTheGraceOrForAnother() {
        var now = new AtomicReference<>(Instant.EPOCH);
        var missingDevices = new MissingDevices((InstantSource) now::get);
        var s = situation(List.of(LEFT, TestLvm.missing("vg1")), List.of(), HURT);
        assertEquals(Set.of(), missingDevices.givenUp(s, false));
        assertEquals(Set.of(LOST), missingDevices.givenUp(s, true));
        now.set(Instant.EPOCH.plus(MissingDevices.GRACE).minus(Duration.ofSeconds(1)));
        assertEquals(Set.of(), missingDevices.givenUp(s, false));
        now.set(Instant.EPOCH.plus(MissingDevices.GRACE));
        assertEquals(Set.of(LOST), missingDevices.givenUp(s, false));
    }

    @Test
    void aDeviceThatComesBackStartsAnew() {
        var now = new AtomicReference<>(Instant.EPOCH);
        var missingDevices = new MissingDevices((InstantSource) now::get);
        var away = situation(List.of(LEFT, TestLvm.missing("vg1")), List.of(), HURT);
        var pv = TestLvm.missing("vg1").pv();
        var there = TestLvm.pv(pv.device(), "vg1", TestLvm.GIB, 0, false);
        missingDevices.givenUp(away, false);
        missingDevices.givenUp(
                situation(List.of(LEFT, new KnownPv(there, LEFT.kernelName(), 0)), List.of()),
                false);
        now.set(Instant.EPOCH.plus(MissingDevices.GRACE));
        assertEquals(Set.of(), missingDevices.givenUp(away, false));
    }

    @Test
    void anEmptyGroupGoesWithoutItsLostDevice() {
        var lost = TestLvm.missing("vg1");
        var s = situation(List.of(LEFT, lost), List.of());
        assertEquals(
                new Step.RemoveMissing(List.of(lost)),
                step(new VolumeGroupPlan(s).nextOfRemoval()));
    }
}
