package lvms.node.disk;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.disk.ClassChoice;
import lvms.api.disk.DeviceClaims;
import lvms.api.disk.DeviceSelection;
import lvms.api.disk.DeviceSelection.SelectedPath;
import lvms.k8s.object.Quantity;
import lvms.lvm2.label.GroupText;
import lvms.node.disk.DeviceVerdict.Kind;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** A device is taken only if nothing at all speaks against it, and every objection is told. */
class DeviceFilterTests {
    private static final DeviceFilter PLAIN = filter(DeviceSelection.EVERYTHING);

    private static DeviceFilter filter(DeviceSelection selection, KnownPv... pvs) {
        return filter(selection, List.of(), pvs);
    }

    private static DeviceFilter filter(
            DeviceSelection selection, List<UnlistedPv> unlisted, KnownPv... pvs) {
        var groups = List.of(TestLvm.ours("vg1", List.of()));
        var inventory = new Inventory(List.of(), groups, List.of(pvs), unlisted);
        var choice = new ClassChoice("vg1", selection, DeviceClaims.NONE);
        return new DeviceFilter("vg1", choice, inventory);
    }

    private static DeviceSelection paths(String... kernelNames) {
        return new DeviceSelection(
                Stream.of(kernelNames).map(n -> new SelectedPath(n, Optional.of(n))).toList(),
                List.of());
    }

    private static List<String> reasons(DeviceFilter filter, TestDevice device) {
        return filter.judge(device.device()).reasons();
    }

    @Test
    void takesABlankDisk() {
        assertEquals(Kind.AVAILABLE, PLAIN.judge(TestDevice.disk("sdb").device()).kind());
    }

    @Test
    void takesABlankPartition() {
        assertEquals(Kind.AVAILABLE, PLAIN.judge(TestDevice.of("sdb1", "part").device()).kind());
    }

    static Stream<Arguments> objections() {
        var disk = TestDevice.disk("sdb");
        return Stream.of(
                Arguments.of(disk.readOnly(), "/dev/sdb cannot be read-only"),
                Arguments.of(disk.suspended(), "/dev/sdb cannot be in state \"suspended\""),
                Arguments.of(
                        disk.labelled("EFI BOOT partition"),
                        "/dev/sdb has a reserved partition label \"EFI BOOT partition\""),
                Arguments.of(
                        disk.labelled("BIOS-thing"),
                        "/dev/sdb has a reserved partition label \"BIOS-thing\""),
                Arguments.of(
                        disk.labelled("Microsoft reserved"),
                        "/dev/sdb has a reserved partition label \"Microsoft reserved\""),
                Arguments.of(disk.with("xfs"), "/dev/sdb has a filesystem signature \"xfs\""),
                Arguments.of(
                        disk.with("crypto_LUKS"),
                        "/dev/sdb has a filesystem signature \"crypto_LUKS\""),
                Arguments.of(disk.table("gpt"), "/dev/sdb has a partition table \"gpt\""),
                Arguments.of(
                        disk.over("sdb1", "sdb2"),
                        "/dev/sdb has children block devices: sdb1, sdb2"),
                Arguments.of(TestDevice.of("sr0", "rom"), "/dev/sr0 has device type \"rom\""),
                Arguments.of(
                        TestDevice.of("loop3", "loop")
                                .backedBy("/var/lib/kubelet/plugins/kubernetes.io/csi/x"),
                        "/dev/loop3 is a loop device of Kubernetes:"
                                + " /var/lib/kubelet/plugins/kubernetes.io/csi/x"),
                Arguments.of(
                        disk.sized((2048L << 10) - 512), "/dev/sdb is too small: 2096640 bytes"),
                Arguments.of(disk.used("mounted at /data"), "/dev/sdb is in use: mounted at /data"),
                Arguments.of(disk.used("swap"), "/dev/sdb is used as swap"),
                Arguments.of(
                        disk.unreadable("Input/output error"),
                        "/dev/sdb could not be examined: Input/output error"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("objections")
    void refusesADeviceWithAReason(TestDevice device, String reason) {
        assertEquals(List.of(reason), reasons(PLAIN, device));
    }

    @Test
    void takesALoopDeviceOfAnotherFile() {
        var loop = TestDevice.of("loop3", "loop").backedBy("/images/a");
        assertEquals(Kind.AVAILABLE, PLAIN.judge(loop.device()).kind());
    }

    @Test
    void tellsEveryReasonSorted() {
        var device = TestDevice.disk("sdb").readOnly().with("ext4").used("mounted at /");
        assertEquals(
                List.of(
                        "/dev/sdb cannot be read-only",
                        "/dev/sdb has a filesystem signature \"ext4\"",
                        "/dev/sdb is in use: mounted at /"),
                reasons(PLAIN, device));
    }

    @Test
    void namesTheShortestOfManyUses() {
        var device =
                TestDevice.disk("sdb")
                        .used("mounted at /etc/hosts", "mounted at /a", "swap", "mounted at /b");
        assertEquals(
                List.of(
                        "/dev/sdb is in use at 2 more places",
                        "/dev/sdb is in use: mounted at /a",
                        "/dev/sdb is used as swap"),
                reasons(PLAIN, device));
    }

    @Test
    void refusesADeviceThatNoPathNames() {
        assertEquals(
                List.of("/dev/sdb is not part of the device selector"),
                reasons(filter(paths("/dev/sdc")), TestDevice.disk("sdb")));
    }

    @Test
    void takesADeviceThatAnOptionalPathLeadsTo() {
        var selection =
                new DeviceSelection(
                        List.of(),
                        List.of(
                                new SelectedPath("/dev/disk/by-id/a", Optional.of("/dev/sdb")),
                                new SelectedPath("/dev/disk/by-id/gone", Optional.empty())));
        assertEquals(
                Kind.AVAILABLE, filter(selection).judge(TestDevice.disk("sdb").device()).kind());
    }

    /** A disk of the very size is taken; what is in the group already is not asked again. */
    @Test
    void keepsOutWhatIsSmallerThanTheClassWants() {
        var disk = TestDevice.disk("sdb");
        var size = disk.device().sizeBytes();
        assertEquals(Kind.AVAILABLE, atLeast(size).judge(disk.device()).kind());
        assertEquals(
                List.of(
                        "/dev/sdb has %d bytes, and the class takes devices of %s or more"
                                .formatted(size, Quantity.ofBytes(size + 1))),
                reasons(atLeast(size + 1), disk));
        var member = atLeast(size + 1, TestLvm.on("/dev/sdb", "vg1"));
        assertEquals(Kind.MEMBER, member.judge(disk.device()).kind());
    }

    private static DeviceFilter atLeast(long bytes, KnownPv... pvs) {
        var minimum = Optional.of(Quantity.ofBytes(bytes));
        return new DeviceFilter(
                "vg1",
                new ClassChoice("vg1", DeviceSelection.EVERYTHING, DeviceClaims.NONE, minimum),
                new Inventory(List.of(), List.of(), List.of(pvs), List.of()));
    }

    @Test
    void namesTheClassThatADeviceBelongsTo() {
        var filter =
                new DeviceFilter(
                        "vg2",
                        new ClassChoice(
                                "vg2",
                                DeviceSelection.EVERYTHING,
                                new DeviceClaims(Map.of("/dev/sdb", "vg1"))),
                        new Inventory(List.of(), List.of(), List.of(), List.of()));
        assertEquals(
                List.of("/dev/sdb is claimed by device class \"vg1\""),
                reasons(filter, TestDevice.disk("sdb")));
    }

    @Test
    void knowsItsOwnPhysicalVolumeWhateverElseIsTrueOfIt() {
        var member = TestDevice.disk("sdb").with("LVM2_member").over("dm-0");
        var verdict =
                filter(paths("/dev/sdc"), TestLvm.on("/dev/sdb", "vg1")).judge(member.device());
        assertEquals(Kind.MEMBER, verdict.kind());
    }

    @Test
    void neverTakesAPhysicalVolumeOfAnotherGroup() {
        var foreign = TestDevice.disk("sdb").with("LVM2_member");
        assertEquals(
                List.of("/dev/sdb is a physical volume of volume group \"data\""),
                reasons(
                        filter(DeviceSelection.EVERYTHING, TestLvm.on("/dev/sdb", "data")),
                        foreign));
    }

    @Test
    void takesAPhysicalVolumeInNoGroup() {
        var orphan = TestDevice.disk("sdb").with("LVM2_member");
        var filter = filter(DeviceSelection.EVERYTHING, TestLvm.on("/dev/sdb", ""));
        assertEquals(Kind.AVAILABLE, filter.judge(orphan.device()).kind());
    }

    @Test
    void refusesAPhysicalVolumeInNoGroupThatSomethingLiesOn() {
        var orphan = TestDevice.disk("sdb").with("LVM2_member").over("dm-7");
        var filter = filter(DeviceSelection.EVERYTHING, TestLvm.on("/dev/sdb", ""));
        assertEquals(List.of("/dev/sdb has children block devices: dm-7"), reasons(filter, orphan));
    }

    private static UnlistedPv unlisted(String group, String uuid) {
        var text = new GroupText(group, uuid, Set.of("lvms"), List.of(), List.of());
        return new UnlistedPv("/dev/sdb", Optional.of(text), Optional.empty());
    }

    @Test
    void takesALabelThatThisVeryGroupGaveUp() {
        var stale = TestDevice.disk("sdb").with("LVM2_member");
        var filter =
                filter(
                        DeviceSelection.EVERYTHING,
                        List.of(unlisted("vg1", "uuid-of-vg1")),
                        TestLvm.on("/dev/sdc", "vg1"));
        assertEquals(Kind.AVAILABLE, filter.judge(stale.device()).kind());
    }

    static Stream<Arguments> hidden() {
        return Stream.of(
                Arguments.of(unlisted("vg1", "another"), " of volume group \"vg1\" that LVM"),
                Arguments.of(
                        new UnlistedPv("/dev/sdb", Optional.empty(), Optional.empty()),
                        "a physical volume that LVM does not list"),
                Arguments.of(
                        new UnlistedPv("/dev/sdb", Optional.empty(), Optional.of("EIO")),
                        "which cannot be read (EIO)"));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("hidden")
    @Safety(9)
    void refusesALabelThatLvmDoesNotListOnItsDiskAlone(UnlistedPv pv, String reason) {
        var filter = filter(DeviceSelection.EVERYTHING, List.of(pv));
        var reasons = reasons(filter, TestDevice.disk("sdb").with("LVM2_member"));
        assertTrue(reasons.getFirst().contains(reason), reasons::toString);
        assertEquals(Kind.AVAILABLE, filter.judge(TestDevice.disk("sdc").device()).kind());
    }

    @Test
    void refusesALabelThatMayBeOfAPhysicalVolumeWithAnUnknownName() {
        var unknown = new KnownPv(TestLvm.pv("/dev/odd", "data", 1, 0), Optional.empty(), 0);
        assertEquals(
                List.of("/dev/sdb may be physical volume /dev/odd"),
                reasons(
                        filter(DeviceSelection.EVERYTHING, unknown),
                        TestDevice.disk("sdb").with("LVM2_member")));
    }

    @Test
    void hidesLogicalVolumes() {
        var verdict = PLAIN.judge(TestDevice.of("dm-1", "lvm").with("xfs").device());
        assertEquals(Kind.LOGICAL_VOLUME, verdict.kind());
        assertTrue(verdict.reasons().isEmpty());
    }

    @ParameterizedTest
    @ValueSource(strings = {"data", "", "ESP"})
    void takesAPartitionWithAnOrdinaryLabel(String label) {
        var partition = TestDevice.of("sdb1", "part").labelled(label);
        assertEquals(Kind.AVAILABLE, PLAIN.judge(partition.device()).kind());
    }

    /**
     * Arrays and opened LUKS devices are devices like others; what they are made of is not free.
     */
    @ParameterizedTest
    @CsvSource({
        "md127, raid1, linux_raid_member",
        "dm-0, crypt, crypto_LUKS",
        "dm-1, mpath, mpath_member"
    })
    void takesWhatIsMadeOfDisksButNotTheDisks(String name, String type, String signature) {
        assertEquals(Kind.AVAILABLE, PLAIN.judge(TestDevice.of(name, type).device()).kind());
        assertEquals(
                List.of(
                        "/dev/sdb has a filesystem signature \"" + signature + "\"",
                        "/dev/sdb has children block devices: " + name),
                reasons(PLAIN, TestDevice.disk("sdb").with(signature).over(name)));
    }
}
