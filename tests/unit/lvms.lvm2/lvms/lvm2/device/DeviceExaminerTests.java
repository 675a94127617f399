package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.ffi.Fd;
import lvms.lvm2.label.DeviceData;
import lvms.lvm2.system.Program;
import lvms.tests.runner.LinuxOnly;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A device is free only if it is proved to be, and is wiped only while nobody else can use it. */
@Timeout(120)
@LinuxOnly
class DeviceExaminerTests {
    @TempDir Path folder;

    private static DeviceExamination examine(LoopDisk disk) throws Exception {
        while (true) {
            var found = DeviceExaminer.system().examine(disk.device()).orElseThrow();
            if (found.obstacles().stream().noneMatch(DeviceExaminerTests::isPassing)) {
                return found;
            }
        }
    }

    /** Two programs that look for a free loop device may choose the same: one opens it in vain. */
    private static boolean isPassing(Obstacle obstacle) {
        return obstacle instanceof Obstacle.Opened(var by)
                && by.stream().anyMatch(program -> program.startsWith("losetup "));
    }

    private static List<Obstacle> obstacles(LoopDisk disk) throws Exception {
        return examine(disk).obstacles();
    }

    @Test
    void aBlankDeviceIsFree() throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            assertEquals(List.of(), obstacles(disk));
            assertTrue(examine(disk).free());
            assertEquals(List.of(), DeviceWipe.wipe(examine(disk).device()));
        }
    }

    @Test
    void aPathThatIsNoDeviceIsNotExamined() throws Exception {
        assertTrue(DeviceExaminer.system().examine(folder.resolve("missing")).isEmpty());
        assertTrue(DeviceExaminer.system().examine(folder).isEmpty());
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ext4",
                "xfs",
                "btrfs",
                "swap",
                "LVM2_member",
                "crypto_LUKS",
                "linux_raid_member",
                "zfs_member"
            })
    void contentIsFoundAndWiped(String type) throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            disk.put(type);
            var found = examine(disk);
            assertEquals(List.of(new Obstacle.Content(List.of(type))), found.obstacles());
            var wiped = DeviceWipe.wipe(found.device());
            assertTrue(wiped.contains(type), wiped.toString());
            assertEquals(List.of(), obstacles(disk));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"dos", "gpt"})
    void aPartitionTableIsFoundAndWiped(String type) throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            disk.put(type);
            var found = examine(disk);
            assertTrue(
                    found.obstacles().contains(new Obstacle.PartitionTable(type)),
                    found.obstacles().toString());
            DeviceWipe.wipe(found.device());
            assertEquals(List.of(), obstacles(disk));
        }
    }

    @Test
    @Safety(8)
    void aProgramThatWritesWithoutTellingTheKernelIsFound() throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            try (var _ = Files.newByteChannel(disk.device(), StandardOpenOption.READ)) {
                assertEquals(List.of(), obstacles(disk), "whoever reads loses nothing");
            }
            try (var _ = Files.newByteChannel(disk.device(), StandardOpenOption.WRITE)) {
                var found = assertInstanceOf(Obstacle.Opened.class, obstacles(disk).getFirst());
                var self = "(process " + ProcessHandle.current().pid() + ")";
                assertTrue(found.by().getFirst().contains(self), found.toString());
            }
            assertEquals(List.of(), obstacles(disk));
        }
    }

    @Test
    @Safety(8)
    void aLoopDeviceOnADiskIsFound() throws Exception {
        try (var disk = LoopDisk.create(folder);
                var _ = LoopDisk.over(disk.device())) {
            var found = assertInstanceOf(Obstacle.Opened.class, obstacles(disk).getFirst());
            assertTrue(found.toString().contains("loop device /dev/loop"), found.toString());
        }
    }

    @Test
    @Safety(8)
    void aLockOnADiskIsAwaited() throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            assertTrue(DeviceClaim.awaitUnlocked(disk.device(), Duration.ZERO));
            try (var fd = Fd.open(disk.device(), Fd.RDONLY)) {
                fd.lock(Fd.LOCK_EX);
                assertFalse(DeviceClaim.awaitUnlocked(disk.device(), Duration.ZERO));
            }
            assertTrue(DeviceClaim.awaitUnlocked(disk.device(), Duration.ofSeconds(30)));
        }
    }

    @ParameterizedTest(name = "a byte at {0}: {1}")
    @CsvSource({"0,true", "70000,true", "1048576,false", "536870911,true", "535822335,false"})
    @Safety(8)
    void dataIsLookedForAtBothEnds(long at, boolean found) throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            assertFalse(DeviceData.isOn(disk.device()));
            try (var channel = FileChannel.open(disk.device(), StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(new byte[] {1}), at);
            }
            assertEquals(found, DeviceData.isOn(disk.device()));
        }
    }

    @Test
    void contentsThatContradictEachOtherAreContent() throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            disk.put("ext4+btrfs");
            var found = examine(disk);
            var content = assertInstanceOf(Obstacle.Content.class, found.obstacles().getFirst());
            assertTrue(content.types().containsAll(List.of("ext4", "btrfs")), content.toString());
            assertTrue(DeviceWipe.wipe(found.device()).size() >= 2);
            assertEquals(List.of(), obstacles(disk));
        }
    }

    @Test
    void partitionsLieOnTheirDiskUntilItsTableIsWiped() throws Exception {
        try (var disk = LoopDisk.create(folder, "--partscan")) {
            disk.put("dos");
            disk.run("partx", "-u"); // not every kernel reads such tables itself
            var found = examine(disk);
            var partition = disk.device().getFileName() + "p1";
            assertTrue(
                    found.obstacles().contains(new Obstacle.Children(List.of(partition))),
                    found.obstacles().toString());
            try (var _ = DeviceClaim.of(disk.device().resolveSibling(partition))) {
                assertThrows(IOException.class, () -> DeviceWipe.wipe(found.device()));
            }
            DeviceWipe.wipe(found.device());
            assertEquals(List.of(), obstacles(disk));
        }
    }

    @Test
    void aReadOnlyDeviceIsNotFree() throws Exception {
        try (var disk = LoopDisk.create(folder, "-r")) {
            assertEquals(List.of(new Obstacle.ReadOnly()), obstacles(disk));
            var device = examine(disk).device();
            assertThrows(IOException.class, () -> DeviceWipe.wipe(device));
        }
    }

    @Test
    void aDeviceThatAProgramHoldsIsNotFreeNorWiped() throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            disk.put("zfs_member");
            var device = examine(disk).device();
            try (var _ = DeviceClaim.of(disk.device())) {
                assertTrue(obstacles(disk).contains(new Obstacle.Held()));
                var failure = assertThrows(IOException.class, () -> DeviceWipe.wipe(device));
                assertTrue(failure.getMessage().contains("held"), failure.getMessage());
            }
            assertFalse(obstacles(disk).contains(new Obstacle.Held()));
            assertFalse(obstacles(disk).isEmpty(), "the content is still there");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"ext4", "btrfs"})
    void aMountInAnotherNamespaceIsSeenAndNotWiped(String type) throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            disk.put(type);
            var device = examine(disk).device();
            var mountPoint = Files.createDirectory(folder.resolve("mnt"));
            var script =
                    "mount -t %s %s %s && echo mounted && read end"
                            .formatted(type, disk.device(), mountPoint);
            var other =
                    new ProcessBuilder("unshare", "--mount", "sh", "-c", script)
                            .redirectError(ProcessBuilder.Redirect.DISCARD)
                            .start();
            try {
                var answer = other.inputReader().readLine();
                assumeTrue("mounted".equals(answer), "mounting a " + type + " is not possible");
                assertTrue(
                        obstacles(disk).contains(new Obstacle.Mounted(mountPoint)),
                        obstacles(disk).toString());
                assertTrue(obstacles(disk).contains(new Obstacle.Held()));
                assertThrows(IOException.class, () -> DeviceWipe.wipe(device));
            } finally {
                other.outputWriter().close();
                assertTrue(other.waitFor(20, TimeUnit.SECONDS));
            }
        }
    }

    @Test
    void swapInUseIsSeen() throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            disk.put("swap");
            var on = Program.of(Duration.ofSeconds(20), "swapon", disk.device().toString()).run();
            assumeTrue(on.succeeded(), "swapon: " + on.stderr());
            try {
                assertTrue(obstacles(disk).contains(new Obstacle.Swap()));
                var device = examine(disk).device();
                assertThrows(IOException.class, () -> DeviceWipe.wipe(device));
            } finally {
                Program.of(Duration.ofSeconds(20), "swapoff", disk.device().toString()).run();
            }
        }
    }

    @Test
    void anotherDeviceOfTheSameNameIsNotWiped() throws Exception {
        BlockDevice seen;
        try (var disk = LoopDisk.create(folder)) {
            seen = examine(disk).device();
        }
        try (var other = LoopDisk.create(folder)) {
            assumeTrue(other.device().equals(seen.path()), "it got another name");
            other.put("ext4");
            var failure = assertThrows(IOException.class, () -> DeviceWipe.wipe(seen));
            assertTrue(failure.getMessage().contains("another device"), failure.getMessage());
            assertFalse(obstacles(other).isEmpty());
        }
    }

    @Test
    void aDeviceIsKnownAgainUnderAnotherName() throws Exception {
        var identities = new ArrayList<DeviceIdentity>();
        try (var disk = LoopDisk.create(folder)) {
            disk.put("LVM2_member");
            identities.add(examine(disk).identity());
            Program.of(Duration.ofSeconds(20), "losetup", "-d", disk.device().toString()).run();
            var again =
                    Program.of(Duration.ofSeconds(20), "losetup", "-f", "--show", "" + disk.file())
                            .run();
            var device = Path.of(again.stdout().strip());
            identities.add(DeviceExaminer.system().examine(device).orElseThrow().identity());
            Program.of(Duration.ofSeconds(20), "losetup", "-d", device.toString()).run();
        }
        assertTrue(identities.get(0).best().orElseThrow().startsWith("PV_UUID="));
        assertTrue(identities.get(0).sameAs(identities.get(1)), identities.toString());
    }
}
