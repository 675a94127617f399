package lvms.lvm2.device;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.lvm2.filesystem.FileLock;
import lvms.lvm2.filesystem.FilesystemUsage;
import lvms.lvm2.filesystem.Mounts;
import lvms.lvm2.system.ErrnoException;
import lvms.lvm2.system.Program;
import lvms.tests.runner.LinuxOnly;
import lvms.tests.runner.Needs;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** System calls and libblkid through the foreign function interface do what their manuals say. */
@LinuxOnly
class SystemCallTests {
    @TempDir Path folder;

    private Path image(String... mkfs) throws Exception {
        var file = Files.createTempFile(folder, "disk", ".img");
        try (var image = new RandomAccessFile(file.toFile(), "rw")) {
            image.setLength(64 << 20);
        }
        if (mkfs.length > 0) {
            assumeTrue(found(mkfs[0]), mkfs[0] + " is not installed");
            var words = new ArrayList<>(List.of(mkfs));
            words.add(file.toString());
            var result = Program.of(Duration.ofSeconds(60), words.toArray(String[]::new)).run();
            assertTrue(result.succeeded(), result.toString());
        }
        return file;
    }

    private static boolean found(String program) {
        return List.of("/sbin", "/usr/sbin", "/bin", "/usr/bin").stream()
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    @Test
    void theUsageOfAFilesystemIsWhatTheJdkSays() throws Exception {
        var usage = FilesystemUsage.of(folder);
        var store = Files.getFileStore(folder);
        assertEquals(store.getTotalSpace(), usage.sizeBytes());
        assertTrue(usage.availableBytes() <= usage.freeBytes());
        assertTrue(usage.usedBytes() <= usage.sizeBytes());
        assertTrue(usage.freeInodes() <= usage.inodes());
    }

    @Test
    void errorsSayWhatWasTriedAndWhy() {
        var missing = folder.resolve("missing");
        var failure = assertThrows(ErrnoException.class, () -> FilesystemUsage.of(missing));
        assertEquals(ErrnoException.ENOENT, failure.errno());
        assertEquals(
                "statvfs " + missing + ": No such file or directory (errno 2)",
                failure.getMessage());
    }

    @Test
    void unmountingWhatIsNotMountedIsRefused() {
        var failure = assertThrows(ErrnoException.class, () -> Mounts.unmount(folder));
        assertTrue(failure.errno() == ErrnoException.EINVAL || failure.errno() == 1);
    }

    @Test
    void aLockExcludesOthersInTheSameProcess() throws Exception {
        var file = folder.resolve("lock");
        try (var _ = FileLock.tryLock(file).orElseThrow()) {
            assertEquals(Optional.empty(), FileLock.tryLock(file).map(_ -> "taken"));
        }
        FileLock.tryLock(file).orElseThrow().close();
    }

    @Test
    void aBlankImageIsBlank() throws Exception {
        assertEquals(new Signatures.Blank(), Signatures.probe(image()));
    }

    @Test
    @Needs("mkfs.ext4")
    void aFilesystemIsFound() throws Exception {
        var probed = Signatures.probe(image("mkfs.ext4", "-q", "-L", "data"));
        var found = assertInstanceOf(Signatures.Found.class, probed);
        var signature = found.signature().orElseThrow();
        assertEquals("ext4", signature.type());
        assertEquals("filesystem", signature.usage());
        assertEquals("data", signature.label());
        assertEquals(36, signature.uuid().length());
    }

    @Test
    @Needs("mkswap")
    void swapIsFound() throws Exception {
        var found = assertInstanceOf(Signatures.Found.class, Signatures.probe(image("mkswap")));
        assertEquals("swap", found.signature().orElseThrow().type());
    }

    @Test
    @Needs("mkfs.ext4")
    void twoFilesystemsAreAmbivalentAndBothNamed() throws Exception {
        var file = image("mkfs.ext4", "-q");
        try (var image = new RandomAccessFile(file.toFile(), "rw")) {
            image.seek(0x10040); // where btrfs has its magic, 64 bytes into its superblock
            image.write("_BHRfS_M".getBytes(StandardCharsets.US_ASCII));
        }
        var probed = Signatures.probe(file);
        var found = assertInstanceOf(Signatures.Ambivalent.class, probed);
        assertTrue(found.types().containsAll(List.of("ext4", "btrfs")), found.toString());
    }

    @Test
    void aPartitionTableIsFound() throws Exception {
        var file = image();
        try (var image = new RandomAccessFile(file.toFile(), "rw")) {
            image.seek(446);
            image.write(new byte[] {0, 0, 2, 0, (byte) 0x83, 0, 0, 0, 0, 8, 0, 0, 0, 16, 0, 0});
            image.seek(510);
            image.write(new byte[] {0x55, (byte) 0xaa});
        }
        var found = assertInstanceOf(Signatures.Found.class, Signatures.probe(file));
        assertEquals(Optional.of("dos"), found.partitionTable());
        assertEquals(Optional.empty(), found.signature());
    }

    @Test
    void theSizeOfAFileIsItsLength() throws Exception {
        assertEquals(64 << 20, BlockDevices.sizeBytes(image()));
    }

    @Test
    void aMachineWithoutDeviceMapperHasNoDevices() throws Exception {
        var mapper = DeviceMapper.system();
        assumeTrue(!mapper.available(), "this kernel has a device-mapper: the lab tests it");
        assertEquals(List.of(), mapper.list());
        assertEquals(Optional.empty(), mapper.state("anything"));
        assertEquals(List.of(), mapper.suspended());
    }

    @Test
    void swapAreasAreRead() {
        var text =
                "Filename\t\t\t\tType\t\tSize\n/dev/sda2   partition\t1\n/a\\040b file\t1\t0\t-2\n";
        assertEquals(Set.of(Path.of("/dev/sda2"), Path.of("/a b")), Swaps.parse(text));
    }
}
