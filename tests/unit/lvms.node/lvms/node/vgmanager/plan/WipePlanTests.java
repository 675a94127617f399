package lvms.node.vgmanager.plan;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.node.disk.DeviceClaims;
import lvms.node.disk.DeviceSelection;
import lvms.node.disk.DeviceSelection.SelectedPath;
import lvms.node.disk.Inventory;
import lvms.node.disk.KnownPv;
import lvms.node.disk.NodeDevice;
import lvms.node.disk.TestDevice;
import lvms.node.disk.TestLvm;
import lvms.node.vgmanager.plan.WipePlan.Outcome;

import org.junit.jupiter.api.Test;

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
        var inventory = new Inventory(found, List.of(), pvs);
        return new WipePlan(Situations.THICK, selection, inventory, claims).decide();
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

    @Test
    void refusesADiskUnderAnEncryptedDevice() {
        refused(
                decide(
                        sdb(),
                        List.of(),
                        TestDevice.disk("sdb").with("crypto_LUKS").over("dm-0"),
                        TestDevice.of("dm-0", "crypt")),
                "type \"crypt\"");
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
}
