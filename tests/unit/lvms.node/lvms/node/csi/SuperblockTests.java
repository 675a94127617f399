package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.filesystem.MkfsOptions;
import lvms.lvm2.system.Program;
import lvms.tests.runner.Needs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Size and state of a filesystem are read from its superblock as its own tools write them. */
class SuperblockTests {
    private static final long MIB = 1L << 20;
    @TempDir Path folder;

    private Path image(long sizeBytes) throws Exception {
        var file = folder.resolve("image");
        try (var image = new RandomAccessFile(file.toFile(), "rw")) {
            image.setLength(sizeBytes);
        }
        return file;
    }

    private static boolean have(String program) {
        return List.of("/sbin", "/usr/sbin", "/bin", "/usr/bin").stream()
                .anyMatch(dir -> Files.isExecutable(Path.of(dir, program)));
    }

    private static void run(List<String> command) throws Exception {
        var words = new ArrayList<>(command);
        var result =
                new Program(
                                words,
                                Duration.ofMinutes(1),
                                4096,
                                Map.of("PATH", "/usr/sbin:/sbin:/usr/bin:/bin"))
                        .run();
        assertTrue(result.succeeded(), result.stderr());
    }

    private Superblock made(Filesystem filesystem, long sizeBytes) throws Exception {
        var command = filesystem.make(image(sizeBytes), MkfsOptions.NONE);
        assumeTrue(have(command.getFirst()), command.getFirst() + " is not installed");
        run(command);
        return Superblock.read(folder.resolve("image"), filesystem).orElseThrow();
    }

    @Test
    @Needs("mkfs.ext4")
    void readsWhatMkfsExt4Writes() throws Exception {
        var superblock = made(Filesystem.EXT4, 64 * MIB);
        assertEquals(64 * MIB, superblock.sizeBytes());
        assertFalse(superblock.errors());
        assertFalse(superblock.canGrow(64 * MIB));
        assertTrue(superblock.canGrow(68 * MIB));
    }

    @Test
    @Needs("mkfs.ext4")
    void readsTheErrorMarkOfExt4() throws Exception {
        made(Filesystem.EXT4, 16 * MIB);
        try (var image = new RandomAccessFile(folder.resolve("image").toFile(), "rw")) {
            image.seek(1024 + 0x3a);
            image.write(3); // valid, with errors
        }
        assertTrue(
                Superblock.read(folder.resolve("image"), Filesystem.EXT4).orElseThrow().errors());
    }

    @Test
    void readsWhatMkfsXfsWrites() throws Exception {
        var superblock = made(Filesystem.XFS, 320 * MIB);
        assertEquals(320 * MIB, superblock.sizeBytes());
        assertFalse(superblock.halfMade());
    }

    @Test
    void readsWhatMkfsBtrfsWrites() throws Exception {
        assertEquals(256 * MIB, made(Filesystem.BTRFS, 256 * MIB).sizeBytes());
    }

    /** A flag in a superblock whose checksum is wrong is no word of mkfs. */
    @Test
    @Needs("mkfs.xfs")
    void seesThatMakingXfsWasCutIfTheChecksumIsRight() throws Exception {
        made(Filesystem.XFS, 320 * MIB);
        var file = folder.resolve("image");
        try (var image = new RandomAccessFile(file.toFile(), "rw")) {
            image.seek(126); // sb_inprogress
            image.write(1);
        }
        assertFalse(Superblock.read(file, Filesystem.XFS).orElseThrow().halfMade());
        run(List.of("xfs_db", "-x", "-c", "sb 0", "-c", "write inprogress 1", file.toString()));
        assertTrue(Superblock.read(file, Filesystem.XFS).orElseThrow().halfMade());
    }

    @Test
    void aBlankOrShortDeviceHasNone() throws Exception {
        for (var filesystem : Filesystem.values()) {
            assertEquals(Optional.empty(), Superblock.read(image(MIB), filesystem));
            assertEquals(Optional.empty(), Superblock.read(image(512), filesystem));
        }
    }
}
