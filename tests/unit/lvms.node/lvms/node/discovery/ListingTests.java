package lvms.node.discovery;

import static lvms.node.disk.TestDevice.GIB;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.disk.DeviceClaims;
import lvms.node.disk.Inventory;
import lvms.node.disk.NodeDevice;
import lvms.node.disk.TestDevice;
import lvms.node.survey.DataMemory;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Devices are listed by NativeStor's rules; what is not free says why, in its words if it has any.
 */
class ListingTests {
    private static final Set<String> WITH_DATA = Set.of("/dev/data");

    private static List<ListedDevice> list(boolean loops, DeviceClaims claims, TestDevice... all) {
        var devices = Stream.of(all).map(TestDevice::device).toList();
        var inventory = new Inventory(devices, List.of(), List.of(), List.of());
        return new Listing(loops, new DataMemory(ListingTests::hasData)).of(inventory, claims);
    }

    private static boolean hasData(NodeDevice device) throws IOException {
        if (device.name().equals("/dev/broken")) {
            throw new IOException("Input/output error");
        }
        return WITH_DATA.contains(device.name());
    }

    static Stream<Arguments> devices() {
        return Stream.of(
                Arguments.of(TestDevice.disk("sda"), ""),
                Arguments.of(TestDevice.disk("sda").sized(2 * GIB), ""),
                Arguments.of(TestDevice.disk("sda").sized(2 * GIB - 1), "size less than 2G"),
                Arguments.of(TestDevice.disk("sda").with("xfs"), "containe a filesystem xfs"),
                Arguments.of(
                        TestDevice.disk("sda")
                                .with("xfs")
                                .used("mounted at /var/lib/x/y", "mounted at /mnt/data"),
                        "containe a filesystem xfs; has a mount point data"),
                Arguments.of(
                        TestDevice.disk("sda").with("swap").used("swap"),
                        "containe a filesystem swap; has a mount point [SWAP]; /dev/sda is used as"
                                + " swap"),
                Arguments.of(TestDevice.disk("sda").over("sda1"), "has child"),
                Arguments.of(TestDevice.disk("sda").readOnly(), "/dev/sda cannot be read-only"),
                Arguments.of(
                        TestDevice.disk("sda").table("gpt"),
                        "/dev/sda has a partition table \"gpt\""),
                Arguments.of(
                        TestDevice.disk("sda").used("a path to the same disk as sdb"),
                        "/dev/sda is in use: a path to the same disk as sdb"),
                Arguments.of(
                        TestDevice.of("sda1", "part").labelled("BIOS boot"),
                        "/dev/sda1 has a reserved partition label \"BIOS boot\""),
                Arguments.of(
                        TestDevice.disk("sda").unreadable("Input/output error"),
                        "/dev/sda could not be examined: Input/output error"),
                Arguments.of(
                        TestDevice.disk("broken"), "could not be examined: Input/output error"),
                Arguments.of(
                        TestDevice.disk("data"),
                        "has data in its first or last MiB, though nothing that is known; if nobody"
                                + " needs it, clear the disk, for example with \"blkdiscard\""));
    }

    @ParameterizedTest(name = "{1}")
    @MethodSource("devices")
    void aDeviceThatIsNotFreeSaysWhy(TestDevice device, String message) {
        var listed = list(false, DeviceClaims.NONE, device);
        assertEquals(1, listed.size());
        assertEquals(message, listed.getFirst().message());
        assertEquals(message.isEmpty(), listed.getFirst().available());
    }

    @Test
    void aLabelOfLvmNamesItsOwner() {
        var message =
                list(false, DeviceClaims.NONE, TestDevice.disk("sda").with("LVM2_member"))
                        .getFirst()
                        .message();
        var words = message.split("; ", 2);
        assertEquals("containe a filesystem LVM2_member", words[0]);
        assertEquals("/dev/sda has the label of a physical volume", words[1].substring(0, 43));
    }

    @Test
    void onlyKindsThatNativestorKnowsAreListed() {
        var all =
                Stream.of("disk", "part", "mpath", "crypt", "loop", "rom", "lvm", "raid", "dm")
                        .map(type -> TestDevice.of(type + "0", type))
                        .toArray(TestDevice[]::new);
        assertEquals(List.of("disk0", "part0", "mpath0", "crypt0"), names(false, all));
        assertEquals(List.of("disk0", "part0", "mpath0", "crypt0", "loop0"), names(true, all));
    }

    private static List<String> names(boolean loops, TestDevice... all) {
        return list(loops, DeviceClaims.NONE, all).stream().map(ListedDevice::kernelName).toList();
    }

    @Test
    void whatADeviceClassWillTakeIsNotFree() {
        var listed =
                list(
                        false,
                        new DeviceClaims(Map.of("/dev/sda", "vg1")),
                        TestDevice.disk("sda"),
                        TestDevice.disk("sdb"));
        assertEquals("is claimed by device class \"vg1\"", listed.getFirst().message());
        assertEquals("", listed.getLast().message());
    }
}
