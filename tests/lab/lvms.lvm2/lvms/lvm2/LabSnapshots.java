package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.channels.FileChannel;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Set;

/** Thick snapshots and merges, volumes made smaller, and a cache as it is reported. */
record LabSnapshots(Lvm lvm) {
    private static final long MIB = OperationsGuest.MIB;
    private static final int CONTENT = 4 << 20;
    private static final LvName DATA = OperationsGuest.name("data");
    private static final LvName SNAPSHOT = OperationsGuest.name("snap");

    void run() throws Exception {
        var mine = new LabSnapshots(OperationsGuest.group(lvm, 3));
        mine.thick();
        mine.overflow();
        mine.thin();
        mine.reduce();
        mine.cache();
        mine.lvm.groups().remove(Now.group(mine.lvm, OperationsGuest.VG));
    }

    private void thick() throws Exception {
        OperationsGuest.thick(lvm, "data", 32 * MIB);
        OperationsGuest.write("data", 1, CONTENT);
        var request = new NewThickSnapshot(SNAPSHOT, "data", 16 * MIB, true, Set.of("s"));
        var made = lvm.snapshots().createThick(request);
        var details = made.snapshot().orElseThrow();
        assertFalse(details.thin() || details.merging() || details.invalid());
        assertEquals(Optional.of("data"), made.origin());
        assertTrue(made.active());
        assertEquals(made.uuid(), lvm.snapshots().createThick(request).uuid());
        var other = new NewThickSnapshot(SNAPSHOT, "data", 16 * MIB, true, Set.of("other"));
        assertThrows(LvmException.AlreadyExists.class, () -> lvm.snapshots().createThick(other));
        var nothing =
                new NewThickSnapshot(
                        OperationsGuest.name("no"), "nothing", 16 * MIB, true, Set.of());
        assertThrows(LvmException.NotFound.class, () -> lvm.snapshots().createThick(nothing));
        assertThrows(
                LvmException.InUse.class,
                () -> lvm.volumes().remove(Now.volume(lvm, DATA)),
                "it has a snapshot");
        OperationsGuest.write("data", 2, CONTENT);
        OperationsGuest.assertContent("snap", 1, CONTENT);
        var fill = lvm.volumes().find(SNAPSHOT).orElseThrow().snapshot().orElseThrow();
        assertTrue(fill.fillPercent().orElseThrow() > 20, fill.toString());
        lvm.snapshots().merge(Now.volume(lvm, SNAPSHOT));
        lvm.snapshots().merge(Now.volume(lvm, SNAPSHOT));
        assertEquals(Optional.empty(), lvm.volumes().find(SNAPSHOT));
        OperationsGuest.assertContent("data", 1, CONTENT);
        mergeOfAnOpenVolume();
        assertThrows(
                LvmException.InvalidArgument.class,
                () -> lvm.snapshots().merge(Now.volume(lvm, DATA)));
    }

    private void mergeOfAnOpenVolume() throws Exception {
        lvm.snapshots()
                .createThick(new NewThickSnapshot(SNAPSHOT, "data", 16 * MIB, true, Set.of()));
        OperationsGuest.write("data", 2, CONTENT);
        mergeWhileOpen();
        OperationsGuest.assertContent("data", 1, CONTENT);
    }

    private void mergeWhileOpen() throws Exception {
        try (var _ = FileChannel.open(OperationsGuest.device("data"), StandardOpenOption.READ)) {
            lvm.snapshots().merge(Now.volume(lvm, SNAPSHOT));
            lvm.snapshots().merge(Now.volume(lvm, SNAPSHOT));
            assertTrue(
                    lvm.volumes().find(SNAPSHOT).orElseThrow().snapshot().orElseThrow().merging(),
                    "it waits for the next activation");
        }
        lvm.snapshots().merge(Now.volume(lvm, SNAPSHOT));
        lvm.snapshots().merge(Now.volume(lvm, SNAPSHOT));
        assertEquals(Optional.empty(), lvm.volumes().find(SNAPSHOT));
    }

    private void overflow() throws Exception {
        lvm.snapshots()
                .createThick(new NewThickSnapshot(SNAPSHOT, "data", 4 * MIB, false, Set.of()));
        OperationsGuest.write("data", 3, 3 * CONTENT);
        var full = lvm.volumes().find(SNAPSHOT).orElseThrow();
        assertTrue(full.snapshot().orElseThrow().invalid(), full.toString());
        assertEquals(Optional.of(LvHealth.INVALID_SNAPSHOT), full.attributes().health());
        lvm.volumes().remove(Now.volume(lvm, SNAPSHOT));
        lvm.volumes().remove(Now.volume(lvm, DATA));
    }

    private void thin() throws Exception {
        var pool = OperationsGuest.name("pool");
        lvm.pools().create(new NewThinPool(pool, new PoolSize.Bytes(64 * MIB)));
        lvm.volumes().createThin(new NewThinVolume(DATA, "pool", 32 * MIB, Set.of()));
        OperationsGuest.write("data", 4, CONTENT);
        var snapshot =
                lvm.snapshots()
                        .createThin(new NewSnapshot(SNAPSHOT, "data", true, Set.of()))
                        .snapshot()
                        .orElseThrow();
        assertTrue(snapshot.thin() && !snapshot.merging());
        OperationsGuest.write("data", 5, CONTENT);
        mergeWhileOpen();
        OperationsGuest.assertContent("data", 4, CONTENT);
        lvm.pools().removeWithVolumes(Now.volume(lvm, pool));
    }

    private void reduce() throws Exception {
        OperationsGuest.thick(lvm, "data", 64 * MIB);
        OperationsGuest.write("data", 6, CONTENT);
        var request = new VolumeReduction(Now.volume(lvm, DATA), 30 * MIB);
        try (var _ = FileChannel.open(OperationsGuest.device("data"), StandardOpenOption.READ)) {
            assertThrows(LvmException.InUse.class, () -> lvm.volumes().reduce(request));
        }
        assertEquals(32 * MIB, lvm.volumes().reduce(request).sizeBytes());
        assertEquals(32 * MIB, lvm.volumes().reduce(request).sizeBytes());
        var larger = new VolumeReduction(Now.volume(lvm, DATA), 64 * MIB);
        assertEquals(32 * MIB, lvm.volumes().reduce(larger).sizeBytes(), "it grows nothing");
        OperationsGuest.assertContent("data", 6, CONTENT);
        var nothing = new VolumeReduction(Now.volume(lvm, OperationsGuest.name("nothing")), MIB);
        assertThrows(LvmException.NotFound.class, () -> lvm.volumes().reduce(nothing));
    }

    private void cache() throws Exception {
        var words =
                "lvm lvcreate -y --type cache-pool -L 16m -n fast --config global/use_aio=0 ops-vg";
        LabGuest.program(words.split(" "));
        LabGuest.program(
                "lvm lvconvert -y --type cache --cachepool ops-vg/fast ops-vg/data".split(" "));
        var cached = lvm.volumes().find(DATA).orElseThrow();
        assertEquals(LvAttributes.Type.CACHE, cached.attributes().type());
        var cache = (LvDetails.Cache) cached.details();
        assertTrue(cache.totalBlocks().orElse(0) > 0 && cache.usedBlocks().isPresent());
        OperationsGuest.assertContent("data", 6, CONTENT);
        lvm.volumes().remove(Now.volume(lvm, DATA));
    }
}
