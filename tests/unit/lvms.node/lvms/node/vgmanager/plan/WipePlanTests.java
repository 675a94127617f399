package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.disk.ClassChoice;
import lvms.api.disk.DeviceClaims;
import lvms.api.disk.DeviceSelection;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.k8s.object.Quantity;
import lvms.lvm2.LogicalVolume;
import lvms.lvm2.VolumeGroupReport;
import lvms.lvm2.label.GroupText;
import lvms.node.disk.Inventory;
import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;
import lvms.node.disk.TestDevice;
import lvms.node.disk.TestLvm;
import lvms.node.disk.UnlistedPv;
import lvms.node.vgmanager.plan.WipePlan.Outcome;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Wiping destroys data: each doubt stops it. */
class WipePlanTests {
    private static Outcome decide(
            DeviceSelection selection, List<KnownPv> pvs, TestDevice... devices) {
        return decide(selection, pvs, DeviceClaims.NONE, devices);
    }

    private static Outcome decide(
            DeviceSelection selection,
            List<KnownPv> pvs,
            DeviceClaims claims,
            TestDevice... devices) {
        var found = Stream.of(devices).map(TestDevice::device).toList();
        var inventory = new Inventory(found, List.of(), pvs, List.of());
        return new WipePlan(new ClassChoice("vg1", selection, claims), inventory, Set.of())
                .decide();
    }

    private static ClassChoice choice() {
        return new ClassChoice("vg1", sdb(), DeviceClaims.NONE);
    }

    /** A disk with a group of one volume, which LVM lists. */
    private static Outcome decide(VolumeGroupReport group, Set<String> named) {
        var disk = TestDevice.disk("sdb").with("LVM2_member").device();
        var pv = TestLvm.on("/dev/sdb", group.group().name());
        var inventory = new Inventory(List.of(disk), List.of(group), List.of(pv), List.of());
        return new WipePlan(choice(), inventory, named).decide();
    }

    /** The same on a disk that LVM does not list. */
    private static Outcome decide(Optional<GroupText> group, Optional<String> failure) {
        var disk = TestDevice.disk("sdb").with("LVM2_member").device();
        var pv = new UnlistedPv("/dev/sdb", group, failure);
        var inventory = new Inventory(List.of(disk), List.of(), List.of(), List.of(pv));
        return new WipePlan(choice(), inventory, Set.of()).decide();
    }

    private static LogicalVolume volume(String name) {
        return TestLvm.lv("old", name, "-wi-------", 1 << 30);
    }

    @Test
    @Safety(3)
    void refusesOurGroupWithAVolumeWhateverItsNameAndWhetherLvmListsIt() {
        var holds = "volume group \"old\" on it holds volumes that were handed out: data";
        refused(decide(TestLvm.ours("old", List.of(), volume("data")), Set.of()), holds);
        var text =
                new GroupText(
                        "old",
                        "u",
                        Set.of("lvms"),
                        List.of(new GroupText.Volume("data", Set.of(), false)),
                        List.of());
        refused(decide(Optional.of(text), Optional.empty()), holds);
        refused(decide(Optional.empty(), Optional.of("EIO")), "cannot be read: EIO");
    }

    @Test
    @Safety(3)
    void refusesAForeignGroupWithAVolumeThatWasHandedOut() {
        var uid = "0f0c8a52-34e4-4f07-a1b0-6a9a4a6e2b11";
        refused(decide(TestLvm.group("old", Set.of(), List.of(), volume(uid)), Set.of()), uid);
        refused(
                decide(TestLvm.group("old", Set.of(), List.of(), volume("a")), Set.of("a")),
                "handed out: a");
    }

    @Test
    void wipesAForeignGroupAndAnEmptyPoolOfOurs() {
        var foreign = TestLvm.group("old", Set.of(), List.of(), volume("root"));
        assertEquals(List.of("/dev/sdb"), wiped(decide(foreign, Set.of("b"))));
        var pool = TestLvm.lv("old", "thin-pool-1", "twi-a-tz--", 1 << 30);
        assertEquals(
                List.of("/dev/sdb"), wiped(decide(TestLvm.ours("old", List.of(), pool), Set.of())));
        assertEquals(List.of("/dev/sdb"), wiped(decide(Optional.empty(), Optional.empty())));
    }

    private static List<String> wiped(Outcome outcome) {
        return assertInstanceOf(Outcome.Wipe.class, outcome).devices().stream()
                .map(NodeDevice::kernelName)
                .toList();
    }

    private static void refused(Outcome outcome, String why) {
        var message = assertInstanceOf(Outcome.Refused.class, outcome).message();
        assertTrue(message.contains(why), message);
    }

    private static DeviceSelection sdb() {
        return Situations.required(Situations.path("/dev/sdb"));
    }

    @Test
    void wipesANamedDiskWithAFilesystem() {
        assertEquals(
                List.of("/dev/sdb"),
                wiped(
                        decide(
                                sdb(),
                                List.of(),
                                TestDevice.disk("sda").with("ext4"),
                                TestDevice.disk("sdb").with("xfs"))));
    }

    @Test
    void wipesPartitionsBeforeTheirDisk() {
        assertEquals(
                List.of("/dev/sdb1", "/dev/sdb2", "/dev/sdb"),
                wiped(
                        decide(
                                sdb(),
                                List.of(),
                                TestDevice.disk("sdb").table("gpt").over("sdb1", "sdb2"),
                                TestDevice.of("sdb1", "part").with("ext4"),
                                TestDevice.of("sdb2", "part"))));
    }

    @Test
    void refusesADiskWithAMountedPartition() {
        refused(
                decide(
                        sdb(),
                        List.of(),
                        TestDevice.disk("sdb").over("sdb1"),
                        TestDevice.of("sdb1", "part").used("mounted at /boot")),
                "/dev/sdb1 is in use: mounted at /boot");
    }

    @Test
    void refusesADiskUnderAMountedLogicalVolume() {
        refused(
                decide(
                        sdb(),
                        List.of(TestLvm.on("/dev/sdb", "old")),
                        TestDevice.disk("sdb").with("LVM2_member").over("dm-0"),
                        TestDevice.of("dm-0", "lvm").used("mounted at /srv")),
                "/dev/dm-0 is in use");
    }

    @ParameterizedTest
    @CsvSource({"crypt, crypto_LUKS", "raid, linux_raid_member", "dm, ext4", "disk, bcache"})
    void refusesADiskUnderADeviceThatSomebodyMade(String type, String member) {
        refused(
                decide(
                        sdb(),
                        List.of(),
                        TestDevice.disk("sdb").with(member).over("upper"),
                        TestDevice.of("upper", type)),
                "/dev/upper lies on it and has type \"" + type + "\"; take it down first, or name");
    }

    /** The user means the array or the encrypted device, and not the disks below. */
    @ParameterizedTest
    @ValueSource(strings = {"crypt", "raid", "dm", "mpath", "loop"})
    @Safety(3)
    void wipesWhatIsOnANamedDeviceAndNothingBelow(String type) {
        assertEquals(
                List.of("/dev/upper1", "/dev/upper"),
                wiped(
                        decide(
                                Situations.required(Situations.path("/dev/upper")),
                                List.of(),
                                TestDevice.disk("sdb").with("linux_raid_member").over("upper"),
                                TestDevice.disk("sdc").with("linux_raid_member").over("upper"),
                                TestDevice.of("upper", type).with("ext4").over("upper1"),
                                TestDevice.of("upper1", "part").with("xfs"))));
    }

    @Test
    void refusesAnEncryptedDeviceOnANamedArray() {
        refused(
                decide(
                        Situations.required(Situations.path("/dev/md0")),
                        List.of(),
                        TestDevice.of("md0", "raid").with("crypto_LUKS").over("dm-0"),
                        TestDevice.of("dm-0", "crypt")),
                "/dev/dm-0 lies on it");
    }

    @Test
    @Safety(3)
    void refusesAnArrayWithAGroupWhoseVolumeWasHandedOut() {
        var md = TestDevice.of("md0", "raid").with("LVM2_member").device();
        var group = TestLvm.ours("old", List.of(), volume("data"));
        var pv = TestLvm.on("/dev/md0", "old");
        var inventory = new Inventory(List.of(md), List.of(group), List.of(pv), List.of());
        var md0 = Situations.required(Situations.path("/dev/md0"));
        refused(
                new WipePlan(new ClassChoice("vg1", md0, DeviceClaims.NONE), inventory, Set.of())
                        .decide(),
                "holds volumes that were handed out: data");
    }

    @Test
    void refusesAnOpticalDrive() {
        refused(
                decide(
                        Situations.required(Situations.path("/dev/sr0")),
                        List.of(),
                        TestDevice.of("sr0", "rom").with("iso9660")),
                "/dev/sr0 is an optical drive");
    }

    @Test
    void deactivatesAGroupThatLiesWhollyOnTheDisks() {
        var outcome =
                decide(
                        sdb(),
                        List.of(TestLvm.on("/dev/sdb", "old")),
                        TestDevice.disk("sdb").with("LVM2_member").over("dm-0"),
                        TestDevice.of("dm-0", "lvm"));
        assertEquals(Set.of("old"), assertInstanceOf(Outcome.Wipe.class, outcome).groups());
        assertEquals(List.of("/dev/sdb"), wiped(outcome));
    }

    @Test
    void refusesAGroupThatAlsoLiesElsewhere() {
        refused(
                decide(
                        sdb(),
                        List.of(TestLvm.on("/dev/sdb", "old"), TestLvm.on("/dev/sdc", "old")),
                        TestDevice.disk("sdb").with("LVM2_member"),
                        TestDevice.disk("sdc").with("LVM2_member")),
                "\"old\" also lies on /dev/sdc");
    }

    @Test
    void wipesNothingIfOneMandatoryPathIsMissing() {
        refused(
                decide(
                        Situations.required(
                                Situations.path("/dev/sdb"), Situations.dangling("/dev/sdx")),
                        List.of(),
                        TestDevice.disk("sdb")),
                "\"/dev/sdx\": the device did not exist on the host");
    }

    @Test
    void passesOverAnOptionalPathThatCannotBeWiped() {
        var selection =
                new DeviceSelection(
                        List.of(Situations.path("/dev/sdb")),
                        List.of(
                                new SelectedPath("/dev/sdx", Optional.empty()),
                                Situations.path("/dev/sdc")));
        assertEquals(
                List.of("/dev/sdb"),
                wiped(
                        decide(
                                selection,
                                List.of(),
                                TestDevice.disk("sdb"),
                                TestDevice.disk("sdc").used("swap"))));
    }

    @Test
    void refusesADiskOfAnotherClass() {
        refused(
                decide(
                        sdb(),
                        List.of(),
                        new DeviceClaims(Map.of("/dev/sdb", "other")),
                        TestDevice.disk("sdb")),
                "claimed by device class \"other\"");
    }

    /** It would be wiped, and then not taken. */
    @Test
    @Safety(3)
    void refusesADiskThatTheClassFindsTooSmall() {
        var disk = TestDevice.disk("sdb").device();
        var minimum = Optional.of(Quantity.ofBytes(disk.sizeBytes() + 1));
        var choice = new ClassChoice("vg1", sdb(), DeviceClaims.NONE, minimum);
        var inventory = new Inventory(List.of(disk), List.of(), List.of(), List.of());
        refused(
                new WipePlan(choice, inventory, Set.of()).decide(),
                "and the class takes devices of");
    }
}
