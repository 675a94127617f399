package lvms.lvm2;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.device.BlockDevices;
import lvms.lvm2.device.DeviceMapper;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

/** Pools that fill up and devices that fail, on {@code /dev/ubdb} and {@code /dev/ubdc}. */
final class DeviceFaults {
    private static final long MIB = 1L << 20;
    private static final Path STEADY = Path.of("/dev/ubdb");
    private static final Path BELOW = Path.of("/dev/ubdc");
    private static final String NAME = "frail";
    private static final Path FRAIL = Path.of("/dev/mapper", NAME);
    private static final LvName POOL = new LvName(FaultGuest.VG, "pool");
    private static final LvName VOLUME = new LvName(FaultGuest.VG, "volume");

    /** Reports and growth work on a full pool, creation is refused, and growth frees who waits. */
    void aFullPool(boolean errors) throws Exception {
        try (var all = LvmCommands.open(FaultGuest.options())) {
            var lvm = all.limitedTo(DeviceScope.only(List.of(STEADY)));
            lvm.groups().create(new NewVolumeGroup(FaultGuest.VG, List.of(STEADY), Set.of()));
            lvm.pools().create(new NewThinPool(POOL, new PoolSize.Bytes(32 * MIB)));
            if (errors) {
                LabGuest.program("lvchange", "-y", "--errorwhenfull", "y", POOL.toString());
            }
            lvm.volumes().createThin(new NewThinVolume(VOLUME, "pool", 64 * MIB, Set.of()));
            var writer = fill();
            if (errors) {
                assertThrows(Exception.class, () -> writer.get(1, TimeUnit.MINUTES));
            }
            awaitFull();
            fullPoolIsReported(lvm, errors);
            var another = new NewThinVolume(name("another"), "pool", 4 * MIB, Set.of());
            FaultGuest.refused(
                    LvmException.OutOfSpace.class,
                    Duration.ZERO,
                    () -> lvm.volumes().createThin(another));
            FaultGuest.soon(
                    () -> lvm.pools().extend(Now.volume(lvm, POOL), new PoolSize.Bytes(128 * MIB)));
            if (!errors) {
                writer.get(1, TimeUnit.MINUTES);
            }
            assertTrue(lvm.volumes().createThin(another).active());
            FaultGuest.remove(lvm);
        }
    }

    private static void fullPoolIsReported(Lvm lvm, boolean errors) throws Exception {
        var pool = FaultGuest.soon(() -> lvm.pools().find(POOL)).orElseThrow();
        assertEquals(errors ? "error" : "queue", pool.whenFull());
        assertEquals(100.0, pool.volume().dataPercent().orElseThrow());
        var usage = DeviceMapper.system().thinPool(POOL).orElseThrow();
        assertEquals(!errors, usage.queuesWhenFull());
        assertEquals(1.0, usage.dataUse());
        assertTrue(FaultGuest.soon(() -> lvm.groups().report(FaultGuest.VG)).isPresent());
    }

    private static LvName name(String lv) {
        return new LvName(FaultGuest.VG, lv);
    }

    private static CompletableFuture<Void> fill() {
        var end = new CompletableFuture<Void>();
        Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            try {
                                write(VOLUME, 40);
                                end.complete(null);
                            } catch (IOException e) {
                                end.completeExceptionally(e);
                            }
                        });
        return end;
    }

    private static void write(LvName volume, int mebibytes) throws IOException {
        var path = Path.of("/dev", volume.vg(), volume.lv());
        try (var device =
                FileChannel.open(path, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
            for (int i = 0; i < mebibytes; i++) {
                device.write(ByteBuffer.allocate((int) MIB));
            }
        }
    }

    private static void awaitFull() throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (DeviceMapper.system().thinPool(POOL).orElseThrow().dataUse() < 1) {
            assertTrue(System.nanoTime() < end, "the pool is not full");
            Thread.sleep(20);
        }
    }

    private Lvm twoDevices(Lvm all) throws Exception {
        map();
        var lvm = all.limitedTo(DeviceScope.only(List.of(STEADY, FRAIL)));
        lvm.groups().create(new NewVolumeGroup(FaultGuest.VG, List.of(STEADY, FRAIL), Set.of()));
        lvm.volumes().createThick(new NewThickVolume(VOLUME, 1500 * MIB, Set.of()));
        return lvm;
    }

    /** Without udev nobody makes the node, or takes it away. */
    private static void map() throws Exception {
        LabGuest.program("dmsetup", "create", NAME, "--table", table("linear", " 0"));
        try (var devices = Files.list(Path.of("/sys/class/block"))) {
            for (var device : devices.toList()) {
                var name = device.resolve("dm/name");
                if (Files.exists(name) && Files.readString(name).strip().equals(NAME)) {
                    Files.createSymbolicLink(FRAIL, Path.of("/dev").resolve(device.getFileName()));
                }
            }
        }
    }

    private static void unmap() throws Exception {
        LabGuest.program("dmsetup", "remove", NAME);
        Files.deleteIfExists(FRAIL);
    }

    private static String table(String target, String rest) throws IOException {
        var below = target.equals("error") ? "" : " " + BELOW;
        return "0 " + BlockDevices.sizeBytes(BELOW) / 512 + " " + target + below + rest;
    }

    /** Nothing is changed in a group with a hole; it is whole again when the device is back. */
    void aVanishedDevice() throws Exception {
        try (var all = LvmCommands.open(FaultGuest.options())) {
            var lvm = twoDevices(all);
            lvm.volumes().deactivate(Now.volume(lvm, VOLUME));
            unmap();
            aHole(lvm);
            assertThrows(
                    LvmException.MissingDevice.class,
                    () -> lvm.volumes().activate(Now.volume(lvm, VOLUME)));
            map();
            whole(lvm);
        }
    }

    /** The same under volumes that are in use. */
    void anUnreadableDevice(String target) throws Exception {
        try (var all = LvmCommands.open(FaultGuest.options())) {
            var lvm = twoDevices(all);
            replace(target.equals("error") ? table("error", "") : table("flakey", " 0 0 3600"));
            aHole(lvm);
            assertThrows(IOException.class, () -> write(VOLUME, 1400), "the kernel says so too");
            replace(table("linear", " 0"));
            whole(lvm);
        }
    }

    private static void replace(String table) throws Exception {
        LabGuest.program("dmsetup", "suspend", "--noflush", "--nolockfs", NAME);
        LabGuest.program("dmsetup", "load", NAME, "--table", table);
        LabGuest.program("dmsetup", "resume", NAME);
    }

    private static void aHole(Lvm lvm) throws Exception {
        var group = FaultGuest.soon(() -> lvm.groups().find(FaultGuest.VG)).orElseThrow();
        assertEquals(1, group.missingPhysicalVolumes());
        var volume = FaultGuest.soon(() -> lvm.volumes().find(VOLUME)).orElseThrow();
        assertEquals(1500 * MIB, volume.sizeBytes());
        var another = new NewThickVolume(name("another"), 4 * MIB, Set.of());
        FaultGuest.refused(
                LvmException.MissingDevice.class,
                Duration.ZERO,
                () -> lvm.volumes().createThick(another));
        FaultGuest.refused(
                LvmException.MissingDevice.class,
                Duration.ZERO,
                () -> lvm.volumes().extend(Now.volume(lvm, VOLUME), 1600 * MIB));
    }

    private static void whole(Lvm lvm) throws Exception {
        assertEquals(0, lvm.groups().find(FaultGuest.VG).orElseThrow().missingPhysicalVolumes());
        assertTrue(lvm.volumes().activate(Now.volume(lvm, VOLUME)).active());
        assertEquals(
                1600 * MIB, lvm.volumes().extend(Now.volume(lvm, VOLUME), 1600 * MIB).sizeBytes());
        FaultGuest.remove(lvm);
        assertFalse(DeviceMapper.system().list().isEmpty(), "our own device is left alone");
        unmap();
    }
}
