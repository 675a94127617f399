package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.filesystem.Mount;
import lvms.lvm2.filesystem.MountTable;
import lvms.lvm2.filesystem.MountedFilesystem;
import lvms.lvm2.filesystem.Mounts;
import lvms.lvm2.system.ErrnoException;
import lvms.lvm2.system.Program;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Random;
import java.util.Set;

/** A mounted filesystem gives back what it no longer uses, and never another one in its place. */
@LinuxOnly
class MountedFilesystemTests {
    private static final int MIB = 1 << 20;
    private static final long SIZE = 512L * MIB; // of a LoopDisk
    private static final int DATA = 64 * MIB;

    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @TempDir Path folder;
    private Path target;

    private Mount mount(LoopDisk disk, String type) throws Exception {
        disk.put(type);
        target = Files.createDirectory(folder.resolve("mnt"));
        try {
            Mounts.mount(disk.device(), target, type, Set.of(), "");
        } catch (ErrnoException e) {
            assumeTrue(e.errno() != ErrnoException.ENODEV, "the kernel has no " + type);
            throw e;
        }
        return MountTable.read().at(target).orElseThrow();
    }

    @AfterEach
    void unmount() throws IOException {
        while (target != null && MountTable.read().at(target).isPresent()) {
            Mounts.unmount(target);
        }
    }

    private static long allocatedBytes(LoopDisk disk) throws Exception {
        var file = disk.file().toString();
        var stat = Program.of(Duration.ofSeconds(60), "stat", "-c", "%b", file).run();
        return Long.parseLong(stat.stdout().strip()) * 512;
    }

    private void sync() throws Exception {
        assertTrue(
                Program.of(Duration.ofSeconds(60), "sync", "-f", target.toString())
                        .run()
                        .succeeded());
    }

    private void writeAndDelete() throws Exception {
        var content = new byte[DATA];
        new Random(1).nextBytes(content);
        var file = target.resolve("data");
        Files.write(file, content);
        sync();
        Files.delete(file);
        sync();
    }

    @ParameterizedTest(name = "{0} in pieces of {1} MiB")
    @CsvSource({"ext4, 128", "xfs, 200", "btrfs, 0"})
    void whatADeletedFileUsedComesBack(String type, long pieceMib) throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            var filesystem = new MountedFilesystem(mount(disk, type));
            Files.writeString(target.resolve("kept"), "kept");
            writeAndDelete();
            long before = allocatedBytes(disk);
            long discarded = 0;
            long back = 0;
            long deadline = System.nanoTime() + PATIENCE.toNanos();
            while (back < DATA * 3L / 4) { // XFS frees the blocks of deleted files late
                assertTrue(System.nanoTime() < deadline, back + " of " + DATA + " bytes came back");
                sync();
                discarded += trimAll(filesystem, pieceMib);
                back = before - allocatedBytes(disk);
            }
            assertTrue(discarded >= back, discarded + " bytes discarded");
            assertEquals("kept", Files.readString(target.resolve("kept")));
            unmount();
        }
    }

    private static long trimAll(MountedFilesystem filesystem, long pieceMib) throws IOException {
        if (pieceMib == 0) {
            return filesystem.trim(0, MountedFilesystem.ALL);
        }
        long sum = 0;
        for (long at = 0; at < SIZE; at += pieceMib * MIB) {
            sum += filesystem.trim(at, pieceMib * MIB);
        }
        return sum;
    }

    @ParameterizedTest
    @CsvSource({"ext4", "xfs"})
    void anOffsetPastTheEndIsAnInvalidArgument(String type) throws Exception {
        try (var disk = LoopDisk.create(folder)) {
            var filesystem = new MountedFilesystem(mount(disk, type));
            var failure =
                    assertThrows(ErrnoException.class, () -> filesystem.trim(2 * SIZE, 128 * MIB));
            assertEquals(ErrnoException.EINVAL, failure.errno());
            unmount();
        }
    }

    @Test
    void whatIsThereInPlaceOfItIsLeftAlone() throws Exception {
        try (var disk = LoopDisk.create(folder);
                var other = LoopDisk.create(folder)) {
            var mount = mount(disk, "ext4");
            var filesystem = new MountedFilesystem(mount);
            other.put("ext4");
            Mounts.mount(other.device(), target, "ext4", Set.of(), "");
            writeAndDelete(); // on the other one
            long before = allocatedBytes(other);
            var text = mount.source() + " is not mounted at " + target;
            assertEquals(text, refused(filesystem));
            assertEquals(before, allocatedBytes(other));
            unmount();
            assertEquals(text, refused(filesystem));
        }
    }

    private static String refused(MountedFilesystem filesystem) {
        return assertThrows(IOException.class, () -> filesystem.trim(0, MountedFilesystem.ALL))
                .getMessage();
    }
}
