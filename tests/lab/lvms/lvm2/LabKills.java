package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.device.Mounts;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/**
 * The worker is killed at a random moment of a change, again and again, while a filesystem on the
 * volume is in use. The same call made again always ends well, and no I/O hangs.
 */
record LabKills(Lvm lvm) {
    private static final long MIB = 1L << 20;
    private static final int ROUNDS = 24;
    private static final int LONGEST_MILLIS = 160;
    private static final long SEED = 4711;

    private interface Change {
        Object make() throws LvmException, InterruptedException;
    }

    void run() throws Exception {
        var pool = LabGuest.groupWithPool(lvm);
        var name = new LvName(LabGuest.VG, "mounted");
        lvm.createThinVolume(new NewThinVolume(name, "pool", 64 * MIB, Set.of()));
        var device = Path.of("/dev", LabGuest.VG, "mounted");
        LabGuest.program("mkfs.ext4", "-q", device.toString());
        var mount = Files.createTempDirectory(Path.of("/tmp"), "mount");
        Mounts.mount(device, mount, "ext4", Set.of(), "");
        var random = new Random(SEED);
        int unknown = 0;
        try (var clock = Executors.newSingleThreadScheduledExecutor()) {
            for (int round = 1; round <= ROUNDS; round++) {
                long size = (64 + 4L * round) * MIB;
                var copy = new NewSnapshot(copy(round), "mounted", true, Set.of());
                unknown += killed(clock, random, () -> lvm.extendVolume(name, size));
                unknown += killed(clock, random, () -> lvm.createSnapshot(copy));
                Files.writeString(mount.resolve("file"), "round " + round);
                LabGuest.program("sync", mount.resolve("file").toString());
                assertEquals(size, lvm.logicalVolume(name).orElseThrow().sizeBytes());
                assertTrue(lvm.logicalVolume(copy.name()).orElseThrow().active());
                unknown += killed(clock, random, () -> remove(copy.name()));
            }
        }
        System.out.println("killed inside a change: " + unknown + " of " + 3 * ROUNDS);
        assertTrue(unknown > ROUNDS / 2, "the kills must hit: " + unknown);
        LabGuest.program("vgck", "--config", "global/use_aio=0", LabGuest.VG);
        Mounts.unmount(mount);
        LabGuest.program("e2fsck", "-fn", device.toString());
        lvm.removeThinPoolWithVolumes(pool);
        lvm.removeVolumeGroup(LabGuest.VG);
    }

    private static LvName copy(int round) {
        return new LvName(LabGuest.VG, "copy-" + round);
    }

    private Object remove(LvName name) throws LvmException, InterruptedException {
        lvm.removeVolume(name);
        return name;
    }

    /** Makes a change while its worker is killed; then once more in peace. */
    private static int killed(ScheduledExecutorService clock, Random random, Change change)
            throws Exception {
        var kill =
                clock.schedule(
                        LabKills::killWorkers,
                        random.nextInt(LONGEST_MILLIS),
                        TimeUnit.MILLISECONDS);
        int unknown = 0;
        try {
            change.make();
        } catch (LvmException.OutcomeUnknown e) {
            unknown = 1;
        } finally {
            kill.get();
        }
        assertEquals(List.of(), DeviceMapper.system().suspended(), "I/O would hang");
        change.make();
        return unknown;
    }

    private static void killWorkers() {
        ProcessHandle.current()
                .children()
                .filter(child -> child.info().command().orElse("").endsWith("java"))
                .forEach(
                        worker -> {
                            worker.destroyForcibly();
                            worker.onExit().join();
                        });
    }
}
