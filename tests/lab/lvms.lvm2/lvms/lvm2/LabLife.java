package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.DeviceClaim;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.DeviceType;
import lvms.lvm2.device.Signatures;
import lvms.lvm2.filesystem.FilesystemUsage;
import lvms.lvm2.filesystem.MountTable;
import lvms.lvm2.filesystem.Mounts;
import lvms.lvm2.system.ErrnoException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;

/** The life of a pool and its volumes, from blank disks to blank disks. */
record LabLife(Lvm lvm) {
    private static final long MIB = 1L << 20;
    private static final String DM_NAME = "lab--vg-thin--1";
    private static final LvName THIN = new LvName(LabGuest.VG, "thin-1");
    private static final LvName THICK = new LvName(LabGuest.VG, "thick-1");
    private static final LvName SNAPSHOT = new LvName(LabGuest.VG, "snap-1");
    private static final Path THICK_DEVICE = Path.of("/dev", LabGuest.VG, "thick-1");
    private static final Path THIN_DEVICE = Path.of("/dev", LabGuest.VG, "thin-1");

    void run() throws Exception {
        var pool = LabGuest.groupWithPool(lvm);
        var mount = Files.createTempDirectory(Path.of("/tmp"), "mount");
        createVolumes();
        mountAndFill(mount);
        growOnline(mount);
        mend(mount);
        snapshot(mount);
        goOnAfterACutCreation();
        refuseWhatIsInUse(pool);
        Mounts.unmount(mount);
        var again = assertThrows(ErrnoException.class, () -> Mounts.unmount(mount));
        assertEquals(ErrnoException.EINVAL, again.errno());
        growPool(pool);
        remove(pool);
    }

    private void createVolumes() throws Exception {
        var request = new NewThinVolume(THIN, "pool", 256 * MIB, Set.of("owner=a"));
        var thin = lvm.volumes().createThin(request);
        var reported = lvm.volumes().find(THIN).orElseThrow();
        assertEquals(reported.uuid(), thin.uuid(), "the kernel's word and LVM's agree");
        assertEquals(reported.sizeBytes(), thin.sizeBytes());
        assertEquals(reported.minor(), thin.minor());
        assertEquals(reported.attributes().type(), thin.attributes().type());
        assertEquals(reported.tags(), thin.tags());
        assertEquals(reported.layout(), thin.layout());
        assertEquals(reported.path(), thin.path());
        assertEquals(thin.uuid(), lvm.volumes().createThin(request).uuid());
        assertEquals(new Signatures.Blank(), Signatures.probe(THIN_DEVICE));
        var thick = lvm.volumes().createThick(thick());
        assertTrue(thick.created().isEmpty(), "it is new");
        var same = lvm.volumes().find(THICK).orElseThrow();
        assertEquals(same.uuid(), thick.uuid());
        assertEquals(same.layout(), thick.layout());
        assertEquals(same.sizeBytes(), thick.sizeBytes());
        assertTrue(DeviceClaim.isFree(THIN_DEVICE));
        assertFalse(DeviceClaim.isFree(LabGuest.DISKS.getFirst()), "the device-mapper holds it");
        LabGuest.program("mkswap", "/dev/" + THICK);
        var found = lvm.volumes().createThick(thick());
        assertEquals(thick.uuid(), found.uuid());
        assertInstanceOf(Signatures.Found.class, Signatures.probe(THICK_DEVICE), "it may be used");
        var age = Duration.between(found.created().orElseThrow(), Instant.now());
        assertTrue(!age.isNegative() && age.toMinutes() < 60, "made " + found.created());
        lvm.volumes().wipeSignatures(found.identity());
        assertEquals(new Signatures.Blank(), Signatures.probe(THICK_DEVICE));
        var device = BlockDevices.system().find(THIN_DEVICE).orElseThrow();
        assertEquals(DeviceType.LVM, device.type());
        assertEquals(Optional.of(DM_NAME), device.dmName());
    }

    private static NewThickVolume thick() {
        return new NewThickVolume(
                THICK,
                64 * MIB,
                Set.of(),
                OptionalInt.empty(),
                OptionalLong.empty(),
                LvcreateOptions.NONE);
    }

    /** As a process leaves it that is killed in the middle of a change: the next one mends it. */
    private void mend(Path mount) throws Exception {
        assertFalse(lvm.groups().unfinished(LabGuest.VG));
        LabGuest.program("dmsetup", "suspend", DM_NAME);
        assertFalse(lvm.groups().unfinished(LabGuest.VG), "somebody did it on purpose");
        lvm.groups().mend(LabGuest.VG);
        assertEquals(List.of(DM_NAME), DeviceMapper.system().suspended());
        var cut = cutChange();
        assertTrue(lvm.groups().unfinished(LabGuest.VG));
        assertFalse(lvm.groups().unfinished("another-vg"));
        lvm.groups().mend(LabGuest.VG);
        assertFalse(lvm.groups().unfinished(LabGuest.VG));
        assertTrue(Files.notExists(cut), "it is mended");
        Files.writeString(mount.resolve("mended"), "I/O goes on");
        LabGuest.program("sync", mount.resolve("mended").toString());
        LabGuest.program("dmsetup", "suspend", DM_NAME);
        cutChange();
        assertEquals(320 * MIB, lvm.volumes().extend(Now.volume(lvm, THIN), 320 * MIB).sizeBytes());
        assertEquals(List.of(), DeviceMapper.system().suspended(), "as large as asked, and usable");
    }

    /** What a change of this volume leaves beside LVM's locks if its process dies. */
    private static Path cutChange() throws Exception {
        var file = Path.of("/proc/1/root/run/lock/lvm/lvms-change-of-the-dead");
        return Files.writeString(file, "lvextend\n" + THIN);
    }

    private void mountAndFill(Path mount) throws Exception {
        LabGuest.program("mkfs.ext4", "-q", THIN_DEVICE.toString());
        var found = assertInstanceOf(Signatures.Found.class, Signatures.probe(THIN_DEVICE));
        assertEquals("ext4", found.signature().orElseThrow().type());
        Mounts.mount(THIN_DEVICE, mount, "ext4", Set.of(Mounts.Flag.NO_ATIME), "");
        var seen = MountTable.read().at(mount).orElseThrow();
        assertTrue(seen.options().contains("noatime") && !seen.readOnly(), seen.toString());
        assertEquals(1, MountTable.read().ofDevice(seen.device()).size());
        var bound = Files.createTempDirectory(Path.of("/tmp"), "bind");
        Mounts.bind(mount, bound, Set.of(Mounts.Flag.READ_ONLY));
        Mounts.propagation(bound, Mounts.Propagation.PRIVATE, true);
        assertTrue(MountTable.read().at(bound).orElseThrow().readOnly());
        assertFalse(MountTable.read().at(mount).orElseThrow().readOnly());
        assertThrows(IOException.class, () -> Files.createFile(bound.resolve("x")));
        Mounts.unmount(bound);
        write(mount, 7);
    }

    private static void write(Path mount, int seed) throws Exception {
        var bytes = new byte[4 << 20];
        new Random(seed).nextBytes(bytes);
        Files.write(mount.resolve("file"), bytes);
        LabGuest.program("sync", mount.resolve("file").toString());
    }

    private void growOnline(Path mount) throws Exception {
        long before = FilesystemUsage.of(mount).sizeBytes();
        assertEquals(320 * MIB, lvm.volumes().extend(Now.volume(lvm, THIN), 320 * MIB).sizeBytes());
        assertEquals(320 * MIB, BlockDevices.sizeBytes(THIN_DEVICE));
        LabGuest.program("resize2fs", THIN_DEVICE.toString());
        assertTrue(FilesystemUsage.of(mount).sizeBytes() > before);
        assertEquals(
                128 * MIB, lvm.volumes().extend(Now.volume(lvm, THICK), 125 * MIB).sizeBytes());
    }

    private void snapshot(Path mount) throws Exception {
        LabGuest.program("fsfreeze", "--freeze", mount.toString());
        var request = new NewSnapshot(SNAPSHOT, "thin-1", false, Set.of("s"));
        LogicalVolume snapshot;
        try {
            snapshot = lvm.snapshots().createThin(request);
        } finally {
            LabGuest.program("fsfreeze", "--unfreeze", mount.toString());
        }
        assertEquals(Optional.of("thin-1"), snapshot.origin());
        assertTrue(snapshot.active() && !snapshot.writable(), snapshot.toString());
        assertFalse(snapshot.attributes().skipActivation());
        assertEquals(snapshot.uuid(), lvm.snapshots().createThin(request).uuid());
        write(mount, 8);
        var old = Files.createTempDirectory(Path.of("/tmp"), "snapshot");
        var device = Path.of("/dev", LabGuest.VG, "snap-1");
        Mounts.mount(device, old, "ext4", Set.of(Mounts.Flag.READ_ONLY), "noload");
        var bytes = new byte[4 << 20];
        new Random(7).nextBytes(bytes);
        assertArrayEquals(bytes, Files.readAllBytes(old.resolve("file")), "as it was then");
        Mounts.unmount(old);
        assertTrue(lvm.volumes().changePermission(Now.volume(lvm, SNAPSHOT), true).writable());
        lvm.volumes().deactivate(Now.volume(lvm, SNAPSHOT));
        lvm.volumes().deactivate(Now.volume(lvm, SNAPSHOT));
        assertFalse(lvm.volumes().find(SNAPSHOT).orElseThrow().active());
        assertTrue(lvm.volumes().activate(Now.volume(lvm, SNAPSHOT)).active());
        var plain = new NewSnapshot(new LvName(LabGuest.VG, "no"), "thick-1", true, Set.of());
        assertThrows(LvmException.InvalidArgument.class, () -> lvm.snapshots().createThin(plain));
        var nothing = new NewSnapshot(new LvName(LabGuest.VG, "no"), "nothing", true, Set.of());
        assertThrows(LvmException.NotFound.class, () -> lvm.snapshots().createThin(nothing));
    }

    /** As a creation leaves it that was cut between the kernel's work and LVM's note of it. */
    private void goOnAfterACutCreation() throws Exception {
        var next = new LvName(LabGuest.VG, "next");
        LabGuest.program("dmsetup", "message", "lab--vg-pool-tpool", "0", "create_thin 3");
        lvm.volumes().createThin(new NewThinVolume(next, "pool", 32 * MIB, Set.of()));
        assertTrue(lvm.volumes().find(next).orElseThrow().active());
        lvm.volumes().remove(Now.volume(lvm, next));
    }

    private void refuseWhatIsInUse(LvName pool) throws Exception {
        assertThrows(LvmException.InUse.class, () -> lvm.volumes().remove(Now.volume(lvm, THIN)));
        assertThrows(
                LvmException.InUse.class, () -> lvm.volumes().deactivate(Now.volume(lvm, THIN)));
        assertThrows(
                LvmException.InUse.class,
                () -> lvm.volumes().wipeSignatures(Now.volume(lvm, THIN)));
        assertThrows(LvmException.InUse.class, () -> lvm.volumes().remove(Now.volume(lvm, pool)));
        assertThrows(
                LvmException.InUse.class, () -> lvm.groups().remove(Now.group(lvm, LabGuest.VG)));
        var claimed = assertThrows(ErrnoException.class, () -> DeviceClaim.of(THIN_DEVICE));
        assertEquals(ErrnoException.EBUSY, claimed.errno());
        var usage = DeviceMapper.system().thinPool(pool).orElseThrow();
        assertTrue(usage.healthy() && usage.dataUse() > 0 && usage.dataUse() < 1);
        assertEquals(List.of(), DeviceMapper.system().suspended());
        assertEquals(2, lvm.groups().report(LabGuest.VG).orElseThrow().thinVolumes("pool").size());
    }

    private void growPool(LvName pool) throws Exception {
        var half = new PoolSize.PercentOfGroup(50);
        var grown = lvm.pools().extend(Now.volume(lvm, pool), half);
        assertTrue(grown.sizeBytes() > 900 * MIB, grown.toString());
        assertEquals(
                grown,
                lvm.pools().extend(Now.volume(lvm, pool), half),
                "the same call again changes nothing");
        assertEquals(
                16 * MIB,
                lvm.pools().extendMetadata(Now.volume(lvm, pool), 16 * MIB).metadataSizeBytes());
        assertEquals(
                16 * MIB,
                lvm.pools().extendMetadata(Now.volume(lvm, pool), 16 * MIB).metadataSizeBytes());
        assertEquals(
                "thick-2", lvm.volumes().rename(Now.volume(lvm, THICK), "thick-2").name().lv());
    }

    private void remove(LvName pool) throws Exception {
        lvm.volumes().remove(Now.volume(lvm, new LvName(LabGuest.VG, "thick-2")));
        lvm.volumes().remove(Now.volume(lvm, THIN));
        lvm.volumes().remove(Now.volume(lvm, THIN));
        assertEquals(Optional.empty(), lvm.volumes().find(THIN));
        assertTrue(lvm.volumes().find(SNAPSHOT).isPresent(), "a snapshot outlives its source");
        lvm.pools().removeWithVolumes(Now.volume(lvm, pool));
        lvm.pools().removeWithVolumes(Now.volume(lvm, pool));
        lvm.groups().remove(Now.group(lvm, LabGuest.VG));
        assertEquals(List.of(), DeviceMapper.system().list());
        for (var disk : LabGuest.DISKS) {
            assertEquals(new Signatures.Blank(), Signatures.probe(disk));
            assertTrue(DeviceClaim.isFree(disk));
        }
    }
}
