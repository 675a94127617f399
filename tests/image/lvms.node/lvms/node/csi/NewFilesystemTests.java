package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.filesystem.MkfsOptions;
import lvms.lvm2.system.Program;
import lvms.node.format.XfsFeatures;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * What the image's programs make is mounted by the kernels of RHEL 8 and Linux 5, which know fewer
 * features than they do. Source: the masks of features in fs/xfs/libxfs/xfs_format.h,
 * fs/ext4/ext4.h and fs/btrfs/fs.h of those versions.
 */
class NewFilesystemTests {
    private static final Path ROOT = Path.of("out/oci/debian").toAbsolutePath();
    private static final long BYTES = 512L << 20;

    @TempDir Path folder;
    private Path device;

    @BeforeEach
    void prepare() throws IOException {
        var obstacle = System.getProperty("lvms.skip.oci", "");
        assumeTrue(obstacle.isEmpty(), obstacle);
        device = folder.resolve("device");
        try (var file = new RandomAccessFile(device.toFile(), "rw")) {
            file.setLength(BYTES);
        }
    }

    /** Runs a program of the image by its own loader, so that it needs no root. */
    private void run(List<String> words) throws Exception {
        var command = new ArrayList<String>();
        try (var files = Files.walk(ROOT.resolve("usr/lib"))) {
            var loader =
                    files.filter(file -> file.getFileName().toString().startsWith("ld-linux"))
                            .filter(file -> !Files.isSymbolicLink(file))
                            .findFirst()
                            .orElseThrow();
            command.addAll(
                    List.of(
                            loader.toString(),
                            "--library-path",
                            loader.getParent().toString(),
                            ROOT.resolve("usr/sbin/" + words.getFirst()).toString()));
        }
        command.addAll(words.subList(1, words.size()));
        var configuration = Map.of("MKE2FS_CONFIG", ROOT.resolve("etc/mke2fs.conf").toString());
        var made = new Program(command, Duration.ofMinutes(1), 8192, configuration).run();
        assertEquals(0, made.status(), made.stderr());
    }

    private void xfs(String kernel) throws Exception {
        var words = new ArrayList<>(Filesystem.XFS.make());
        words.addAll(new XfsFeatures(kernel).words(MkfsOptions.NONE));
        words.add(device.toString());
        run(words);
    }

    private static String unknown(long features, long known) {
        return Long.toHexString(features & ~known);
    }

    /** A number in the order of the bytes on the disk. */
    private long number(long offset, int bytes, boolean lowestFirst) throws IOException {
        try (var file = new RandomAccessFile(device.toFile(), "r")) {
            file.seek(offset);
            long number = 0;
            for (int i = 0; i < bytes; i++) {
                long next = file.readUnsignedByte();
                number = lowestFirst ? number | next << 8 * i : number << 8 | next;
            }
            return number;
        }
    }

    /**
     * Features of Linux 4.18: types in folders, sparse inodes, a UUID of metadata; finobt to
     * reflink.
     */
    @Test
    void linux418KnowsEveryFeatureOfAnXfs() throws Exception {
        xfs("4.18.0-372.9.1.el8.x86_64");
        assertEquals("0", unknown(number(216, 4, false), 0x7), "incompatible");
        assertEquals("0", unknown(number(212, 4, false), 0x7), "read-only compatible");
    }

    /** And of 5.14: times after 2038 and counters of inode trees, too. */
    @Test
    void linux514KnowsEveryFeatureOfAnXfsAndItsTimesGoOn() throws Exception {
        xfs("5.14.0-362.8.1.el9_3.x86_64");
        assertEquals("0", unknown(number(216, 4, false), 0xf), "incompatible");
        assertEquals("0", unknown(number(212, 4, false), 0xf), "read-only compatible");
        assertEquals(0x8, number(216, 4, false) & 0x8, "bigtime");
    }

    /** e2fsck and resize2fs refuse compatible features that they do not know, too. */
    @Test
    void anExt4IsOneThatDebian12WouldMake() throws Exception {
        run(Filesystem.EXT4.make(device, MkfsOptions.NONE));
        long superblock = 1024;
        assertEquals("0", unknown(number(superblock + 0x5c, 4, true), 0x23f), "compatible");
        assertEquals("0", unknown(number(superblock + 0x60, 4, true), 0x3de), "incompatible");
        assertEquals("0", unknown(number(superblock + 0x64, 4, true), 0x77b), "read-only");
    }

    /** Extended references, small metadata, no holes; a tree of free space. */
    @Test
    void linux5KnowsEveryFeatureOfABtrfs() throws Exception {
        run(Filesystem.BTRFS.make(device, MkfsOptions.NONE));
        long superblock = 64 << 10;
        assertEquals("0", unknown(number(superblock + 0xbc, 8, true), 0xfff), "incompatible");
        assertEquals("0", unknown(number(superblock + 0xb4, 8, true), 0x3), "read-only");
    }
}
