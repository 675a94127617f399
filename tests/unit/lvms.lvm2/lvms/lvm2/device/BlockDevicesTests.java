package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.system.DeviceNumber;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What sysfs, udev and the links below /dev say becomes one record for each device. */
class BlockDevicesTests {
    @TempDir Path root;
    private Path sys;
    private Path dev;
    private BlockDevices devices;

    @BeforeEach
    void machine() throws Exception {
        sys = Files.createDirectories(root.resolve("sys"));
        dev = Files.createDirectories(root.resolve("dev"));
        Files.createDirectories(sys.resolve("class/block"));
        devices = new BlockDevices(sys, root.resolve("run"), dev);
        device(
                "sda",
                "8:0",
                Map.of(
                        "size", "2048",
                        "ro", "0",
                        "removable", "0",
                        "queue/rotational", "1",
                        "device/model", "WDC disk  ",
                        "device/vendor", "ATA",
                        "device/state", "running",
                        "wwid", "naa.5000"));
        var part =
                Map.of(
                        "dev",
                        "8:1",
                        "size",
                        "8",
                        "partition",
                        "1",
                        "uevent",
                        "A=b\nPARTNAME=data\n");
        files(sys.resolve("devices/sda/sda1"), part);
        Files.createSymbolicLink(
                sys.resolve("class/block/sda1"), Path.of("../../devices/sda/sda1"));
        device(
                "dm-0",
                "254:0",
                Map.of("size", "8", "dm/name", "vg-lv", "dm/uuid", "LVM-x", "dm/suspended", "1"));
        Files.createDirectories(sys.resolve("devices/dm-0/slaves/sda1"));
        Files.createDirectories(sys.resolve("devices/sda/sda1/holders/dm-0"));
        device("loop0", "7:0", Map.of("size", "8", "loop/backing_file", "/var/disk.img"));
        device("loop1", "7:1", Map.of("size", "0"));
        files(root.resolve("run/udev/data"), Map.of("b8:0", "S:disk/x\nE:ID_SERIAL_SHORT=S1\n"));
        link("disk/by-id/wwn-1", "../../sda");
        link("mapper/vg-lv", "../dm-0");
    }

    private void device(String name, String number, Map<String, String> attributes)
            throws Exception {
        files(sys.resolve("devices").resolve(name), attributes);
        files(sys.resolve("devices").resolve(name), Map.of("dev", number + "\n"));
        Files.createSymbolicLink(
                sys.resolve("class/block").resolve(name), Path.of("../../devices", name));
    }

    private static void files(Path folder, Map<String, String> texts) throws Exception {
        for (var text : texts.entrySet()) {
            var file = folder.resolve(text.getKey());
            Files.createDirectories(file.getParent());
            Files.writeString(file, text.getValue());
        }
    }

    private void link(String name, String target) throws Exception {
        var link = dev.resolve(name);
        Files.createDirectories(link.getParent());
        Files.createSymbolicLink(link, Path.of(target));
    }

    private BlockDevice named(String name) throws Exception {
        return devices.list().stream()
                .filter(d -> d.kernelName().equals(name))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void readsADisk() throws Exception {
        var disk = named("sda");
        assertEquals(DeviceType.DISK, disk.type());
        assertEquals(1 << 20, disk.sizeBytes());
        assertEquals("WDC disk", disk.model());
        assertEquals("ATA", disk.vendor());
        assertEquals("S1", disk.serial());
        assertEquals("naa.5000", disk.wwn());
        assertTrue(disk.rotational());
        assertFalse(disk.readOnly() || disk.suspended());
        assertEquals(List.of("sda1"), disk.children());
        assertEquals(List.of(), disk.holders());
        assertEquals(List.of(dev.resolve("disk/by-id/wwn-1")), disk.links());
    }

    /** All disks without a serial number would have the same one. */
    @Test
    void whatTheKernelCallsNullIsNothing() throws Exception {
        device("ubdb", "98:16", Map.of("size", "2048\n", "device/serial", "(null)\n"));
        assertEquals("", named("ubdb").serial());
    }

    @Test
    void aPartitionHasItsDiskAsParent() throws Exception {
        var partition = named("sda1");
        assertEquals(DeviceType.PARTITION, partition.type());
        assertEquals(List.of("sda"), partition.parents());
        assertEquals(List.of("dm-0"), partition.holders());
        assertEquals("data", partition.partitionLabel());
        assertTrue(partition.hasChildren());
        assertTrue(partition.rotational(), "what the disk is, the partition is");
    }

    @Test
    void aLogicalVolumeIsKnownByItsUuid() throws Exception {
        var volume = named("dm-0");
        assertEquals(DeviceType.LVM, volume.type());
        assertEquals(Optional.of("vg-lv"), volume.dmName());
        assertEquals(List.of("sda1"), volume.parents());
        assertTrue(volume.suspended());
        assertEquals(List.of(dev.resolve("mapper/vg-lv")), volume.links());
    }

    @Test
    void aLoopDeviceCountsOnlyWithAFile() throws Exception {
        assertEquals(Optional.of(Path.of("/var/disk.img")), named("loop0").backingFile());
        assertFalse(devices.list().stream().anyMatch(d -> d.kernelName().equals("loop1")));
    }

    @Test
    void findsADeviceBehindALink() throws Exception {
        Files.createFile(dev.resolve("sda"));
        var found = devices.find(dev.resolve("disk/by-id/wwn-1"));
        assertEquals("sda", found.orElseThrow().kernelName());
        assertEquals(Optional.empty(), devices.find(dev.resolve("nothing")));
        var byNumber = devices.find(new DeviceNumber(254, 0)).orElseThrow();
        assertEquals("dm-0", byNumber.kernelName());
    }

    @Test
    void numbersAreDecodedAsGlibcDoes() {
        assertEquals(new DeviceNumber(254, 3), DeviceNumber.ofDev(254 << 8 | 3));
        // makedev(259, 300) of glibc
        assertEquals(new DeviceNumber(259, 300), DeviceNumber.ofDev(0x11032c & 0xffffffffL));
    }
}
