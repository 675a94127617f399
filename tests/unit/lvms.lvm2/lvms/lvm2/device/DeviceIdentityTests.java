package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.system.DeviceNumber;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** A device is known again by what it carries, and two names of one disk are noticed. */
class DeviceIdentityTests {
    private static BlockDevice device(
            String name, DeviceType type, String serial, String wwn, String... links) {
        return new BlockDevice(
                name,
                Path.of("/dev", name),
                new DeviceNumber(8, 0),
                7,
                type,
                1 << 30,
                false,
                false,
                false,
                "DISK",
                "ACME",
                serial,
                wwn,
                "running",
                "",
                List.of(),
                List.of(),
                List.of(),
                Optional.empty(),
                Optional.empty(),
                Optional.empty(),
                List.of(links).stream().map(Path::of).toList());
    }

    private static DeviceIdentity identity(BlockDevice device) {
        return DeviceIdentity.of(device, Optional.empty());
    }

    private static Optional<Signatures> label(String uuid) {
        var signature = new Signatures.Signature("LVM2_member", "raid", "LVM2 001", "", uuid);
        return Optional.of(new Signatures.Found(Optional.of(signature), Optional.empty()));
    }

    @Test
    void aDiskThatWasPluggedInElsewhereIsTheSame() {
        var before = identity(device("sda", DeviceType.DISK, "S1", "naa.5000"));
        var after = identity(device("sdq", DeviceType.DISK, "S1", "naa.5000"));
        assertTrue(before.sameAs(after));
        assertEquals(Optional.of("WWN=naa.5000"), before.best());
    }

    @Test
    void anotherDiskOfTheSameNameIsAnother() {
        var one = identity(device("sda", DeviceType.DISK, "S1", "naa.5000"));
        assertFalse(one.sameAs(identity(device("sda", DeviceType.DISK, "S2", "naa.5001"))));
        assertFalse(one.sameAs(identity(device("sda", DeviceType.DISK, "S2", "naa.5000"))));
    }

    @Test
    void withoutAnyMarkNothingIsProved() {
        var one = identity(device("sda", DeviceType.DISK, "", ""));
        assertFalse(one.sameAs(one));
        assertEquals(Optional.empty(), one.best());
    }

    @Test
    void aPartitionIsNotItsDiskNorItsNeighbour() {
        var disk = identity(device("nvme0n1", DeviceType.DISK, "S1", "eui.12"));
        var first = identity(device("nvme0n1p1", DeviceType.PARTITION, "S1", "eui.12"));
        var second = identity(device("nvme0n1p2", DeviceType.PARTITION, "S1", "eui.12"));
        assertFalse(disk.sameAs(first));
        assertFalse(first.sameAs(second));
        assertEquals(Optional.of("WWN=eui.12-part1"), first.best());
    }

    @Test
    void aLabelComesAndGoes() {
        var disk = device("sda", DeviceType.DISK, "S1", "naa.5000");
        assertTrue(DeviceIdentity.of(disk, label("u1")).sameAs(identity(disk)));
        assertTrue(
                DeviceIdentity.of(disk, label("u1")).sameAs(DeviceIdentity.of(disk, label("u2"))));
        var bare = device("sda", DeviceType.DISK, "", "");
        assertTrue(
                DeviceIdentity.of(bare, label("u1")).sameAs(DeviceIdentity.of(bare, label("u1"))));
        assertFalse(
                DeviceIdentity.of(bare, label("u1")).sameAs(DeviceIdentity.of(bare, label("u2"))));
    }

    @Test
    void linksOfUdevAreMarks() {
        var link = "/dev/disk/by-id/virtio-data1";
        var one = identity(device("vda", DeviceType.DISK, "", "", link));
        var two = identity(device("vdb", DeviceType.DISK, "", "", link));
        assertTrue(one.sameAs(two));
        assertEquals(Optional.of("BY_ID=virtio-data1"), one.best());
        var label = "/dev/disk/by-id/lvm-pv-uuid-NzgnsQ-5fHa";
        var three = identity(device("vdc", DeviceType.DISK, "", "", label));
        assertEquals(Optional.empty(), three.best(), "a link of the label is no mark of the disk");
    }

    @Test
    void twoPathsToOneDiskAreNoticed() {
        var one = device("sda", DeviceType.DISK, "S1", "naa.5000");
        assertTrue(DeviceIdentity.paths(one, device("sdb", DeviceType.DISK, "S1", "naa.5000")));
        assertFalse(DeviceIdentity.paths(one, one));
        assertFalse(DeviceIdentity.paths(one, device("sdb", DeviceType.DISK, "S2", "naa.5001")));
        var joined = device("dm-0", DeviceType.MULTIPATH, "S1", "naa.5000");
        assertFalse(DeviceIdentity.paths(one, joined), "that is what they are joined to");
        var partition = device("sda1", DeviceType.PARTITION, "S1", "naa.5000");
        assertFalse(DeviceIdentity.paths(one, partition));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "0x0000000000000000", "naa.0000000000000000", "eui.0000"})
    void namesThatSayNothingAreNotCompared(String wwn) {
        var one = device("sda", DeviceType.DISK, "", wwn);
        assertFalse(DeviceIdentity.paths(one, device("sdb", DeviceType.DISK, "", wwn)));
    }
}
