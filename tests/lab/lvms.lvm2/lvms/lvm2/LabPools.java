package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.device.DeviceMapper;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.util.Optional;
import java.util.Set;

/** Thin pools: one that runs full, one that is taken over, and what thin_check says of them. */
record LabPools(Lvm lvm) {
    private static final long MIB = OperationsGuest.MIB;
    private static final LvName POOL = OperationsGuest.name("pool");
    private static final LvName DATA = OperationsGuest.name("data");
    private static final int METADATA_BLOCK = 4096;

    /** In the superblock: root of the bitmaps of data blocks; dm-thin-metadata.c. */
    private static final int BITMAP_ROOT = 80;

    void run() throws Exception {
        var mine = new LabPools(OperationsGuest.group(lvm, 3));
        mine.halfMade();
        mine.adopt();
        mine.full();
        mine.check();
        mine.damage();
        mine.lvm.pools().removeWithVolumes(Now.volume(mine.lvm, POOL));
        mine.lvm.pools().removeWithVolumes(Now.volume(mine.lvm, POOL));
        mine.lvm.volumes().all(OperationsGuest.VG).forEach(mine::removeOld);
        mine.lvm.groups().remove(Now.group(mine.lvm, OperationsGuest.VG));
    }

    private void removeOld(LogicalVolume backup) {
        assertTrue(backup.name().lv().startsWith("pool_meta"), backup.toString());
        try {
            lvm.volumes().remove(Now.volume(lvm, backup.name()));
        } catch (LvmException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /** LVM begins with a plain volume of the pool's name; killed after the end, a mark is left. */
    private void halfMade() throws Exception {
        var request = new NewThinPool(POOL, new PoolSize.Bytes(32 * MIB));
        var plain = new NewThickVolume(POOL, 4 * MIB, Set.of(ThinPools.UNFINISHED));
        lvm.volumes().createThick(plain);
        var made = lvm.pools().create(request);
        assertEquals(Set.of(), made.volume().tags());
        lvm.volumes().changeTags(made.identity(), plain.tags(), Set.of());
        lvm.volumes().deactivate(made.identity());
        assertEquals(made, lvm.pools().create(request));
    }

    private void adopt() throws Exception {
        var ours = lvm.pools().adopt(Now.volume(lvm, POOL), Set.of("ours"));
        assertEquals(Set.of("ours"), ours.volume().tags());
        assertEquals(ours, lvm.pools().adopt(Now.volume(lvm, POOL), Set.of("ours")));
        assertThrows(
                LvmException.NotFound.class,
                () -> lvm.pools().adopt(Now.volume(lvm, DATA), Set.of("ours")));
        LabGuest.program("lvm", "lvchange", "-y", "-Zn", POOL.toString());
        assertThrows(
                LvmException.InvalidArgument.class,
                () -> lvm.pools().adopt(Now.volume(lvm, POOL), Set.of("more")));
        LabGuest.program("lvm", "lvchange", "-y", "-Zy", POOL.toString());
    }

    private void full() throws Exception {
        lvm.volumes().createThin(new NewThinVolume(DATA, "pool", 128 * MIB, Set.of()));
        LabGuest.program("lvm", "lvchange", "-y", "--errorwhenfull", "y", POOL.toString());
        assertThrows(IOException.class, () -> OperationsGuest.write("data", 1, 40 << 20));
        var full = lvm.pools().find(POOL).orElseThrow();
        assertEquals(Optional.of(LvHealth.POOL_OUT_OF_DATA), full.health());
        assertEquals(100, full.dataPercent().orElseThrow());
        assertEquals("error", full.whenFull());
        assertFalse(DeviceMapper.system().thinPool(POOL).orElseThrow().healthy());
        assertThrows(
                LvmException.InvalidArgument.class,
                () -> lvm.pools().adopt(Now.volume(lvm, POOL), Set.of("more")));
        var grown = lvm.pools().extend(Now.volume(lvm, POOL), new PoolSize.Bytes(64 * MIB));
        assertEquals(grown.sizeBytes(), 64 * MIB);
        assertEquals(
                64 * MIB,
                lvm.pools()
                        .extend(Now.volume(lvm, POOL), new PoolSize.Bytes(64 * MIB))
                        .sizeBytes());
        OperationsGuest.await(
                "space again", () -> lvm.pools().find(POOL).orElseThrow().health().isEmpty());
        OperationsGuest.write("data", 2, 40 << 20);
        OperationsGuest.assertContent("data", 2, 40 << 20);
        assertEquals(
                8 * MIB,
                lvm.pools().extendMetadata(Now.volume(lvm, POOL), 8 * MIB).metadataSizeBytes());
        var huge = new PoolSize.Bytes(1L << 40);
        assertThrows(
                LvmException.OutOfSpace.class,
                () -> lvm.pools().extend(Now.volume(lvm, POOL), huge));
        var smaller = new VolumeReduction(Now.volume(lvm, POOL), 32 * MIB);
        assertThrows(LvmException.InvalidArgument.class, () -> lvm.volumes().reduce(smaller));
    }

    private void check() throws Exception {
        for (int i = 0; i < 2; i++) {
            var check = lvm.pools().check(Now.volume(lvm, POOL));
            assertEquals(ThinPoolCheck.Scope.SNAPSHOT, check.scope());
            assertTrue(check.sound(), check.toString());
        }
        LabGuest.program("dmsetup", "message", "ops--vg-pool-tpool", "0", "reserve_metadata_snap");
        for (int i = 0; i < 2; i++) {
            assertThrows(
                    LvmException.InUse.class,
                    () -> lvm.pools().check(Now.volume(lvm, POOL)),
                    "another program's snapshot stays");
        }
        LabGuest.program("dmsetup", "message", "ops--vg-pool-tpool", "0", "release_metadata_snap");
        OperationsGuest.write("data", 3, 4 << 20);
        assertThrows(LvmException.InUse.class, () -> lvm.pools().repair(Now.volume(lvm, POOL)));
        assertThrows(LvmException.NotFound.class, () -> lvm.pools().check(Now.volume(lvm, DATA)));
        deactivate();
        for (int i = 0; i < 2; i++) {
            var check = lvm.pools().check(Now.volume(lvm, POOL));
            assertEquals(ThinPoolCheck.Scope.WHOLE, check.scope());
            assertTrue(check.sound(), check.toString());
        }
        assertTrue(lvm.pools().repair(Now.volume(lvm, POOL)).sound(), "there is nothing to repair");
        LabGuest.program("lvm", "lvchange", "-y", "-ay", POOL + "_tmeta");
        assertTrue(lvm.pools().check(Now.volume(lvm, POOL)).sound(), "after one that was cut");
        assertTrue(lvm.volumes().activate(Now.volume(lvm, DATA)).active());
        OperationsGuest.assertContent("data", 3, 4 << 20);
    }

    private void deactivate() throws Exception {
        lvm.volumes().deactivate(Now.volume(lvm, DATA));
        lvm.volumes().deactivate(Now.volume(lvm, POOL));
        assertFalse(lvm.pools().find(POOL).orElseThrow().volume().active());
    }

    /** The bitmaps of the data blocks are lost; the mappings tell the same. */
    private void damage() throws Exception {
        deactivate();
        LabGuest.program("lvm", "lvchange", "-y", "-ay", POOL + "_tmeta");
        var table = LabGuest.program("dmsetup", "table", "ops--vg-pool_tmeta").stdout().split(" ");
        LabGuest.program("lvm", "lvchange", "-y", "-an", POOL + "_tmeta");
        var slice =
                LabGuest.program(
                                "dmsetup",
                                "info",
                                "-c",
                                "--noheadings",
                                "-o",
                                "name",
                                "-j",
                                table[3].split(":")[0],
                                "-m",
                                table[3].split(":")[1])
                        .stdout()
                        .strip();
        long start = Long.parseLong(table[4].strip()) * 512;
        try (var disk = new RandomAccessFile("/dev/mapper/" + slice, "rw")) {
            disk.seek(start + BITMAP_ROOT);
            long block = Long.reverseBytes(disk.readLong());
            disk.seek(start + block * METADATA_BLOCK);
            disk.write(new byte[METADATA_BLOCK]);
        }
        var damaged = lvm.pools().check(Now.volume(lvm, POOL));
        assertFalse(damaged.sound(), damaged.toString());
        assertFalse(damaged.messages().isEmpty());
        System.out.println(damaged.messages());
        assertTrue(lvm.pools().repair(Now.volume(lvm, POOL)).sound());
        lvm.volumes().activate(Now.volume(lvm, DATA));
        OperationsGuest.assertContent("data", 3, 4 << 20);
    }
}
