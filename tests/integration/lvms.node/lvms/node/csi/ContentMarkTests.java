package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;

import lvms.node.format.ContentMark;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Optional;

/**
 * A volume that had a filesystem never gets another one, whatever its device shows at the moment;
 * one that never had gets it, whatever earlier volumes left in its extents.
 */
@Safety(44)
@Timeout(120)
class ContentMarkTests {
    private static final long MIB = 1L << 20;

    @TempDir Path temp;
    private LoopNode node;
    private LoopVolumes volumes;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(LoopVolumes.possible(), "needs root and loop devices");
        node = new LoopNode(temp);
        volumes = node.volumes();
    }

    @AfterEach
    void stop() throws Exception {
        if (node != null) {
            node.close();
        }
    }

    private void publish(String volume, String type) {
        node.csi().publish(volume, node.target(volume), CsiClient.filesystem(type), false);
    }

    private void unpublish(String volume) {
        node.csi().unpublish(volume, node.target(volume));
    }

    private String refusal(String volume, String type) {
        var failure =
                assertThrows(StatusRuntimeException.class, () -> publish(volume, type)).getStatus();
        assertEquals(Code.FAILED_PRECONDITION, failure.getCode());
        return failure.getDescription();
    }

    private byte[] sum(String volume) throws Exception {
        return MessageDigest.getInstance("SHA-256")
                .digest(Files.readAllBytes(node.folder().resolve(volume + ".img")));
    }

    /** As what a repair of a thin pool may lose, or a disk that gives back zeros. */
    private void loseBegin(String volume) throws Exception {
        var device = volumes.node(volume).toString();
        LoopVolumes.run("blkdiscard", "--zeroout", "--length", "131072", device);
    }

    private void used(String volume, String type, long mib) throws Exception {
        volumes.create(volume, mib * MIB);
        volumes.mark(VolumeId.of(volume), ContentMark.NO_FILESYSTEM);
        publish(volume, type);
        assertEquals(Optional.of(ContentMark.FILESYSTEM), volumes.remembered(volume));
        Files.writeString(node.target(volume).resolve("data"), "kept");
        unpublish(volume);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "ext4, 64, e2fsck -b 8193",
        "xfs, 320, xfs_repair",
        "btrfs, 256, btrfs rescue super-recover"
    })
    void aFilesystemWhoseBeginIsLostIsLeftToAPerson(String type, long mib, String repair)
            throws Exception {
        used("v", type, mib);
        loseBegin("v");
        var before = sum("v");
        var refusal = refusal("v", type);
        assertTrue(refusal.contains("it had a filesystem"), refusal);
        assertTrue(refusal.contains(repair + ' ' + volumes.node("v")), refusal);
        assertTrue(
                refusal.contains(
                        "kubectl annotate logicalvolumes.topolvm.io v"
                                + " topolvm.io/allow-format=uuid-of-v"),
                refusal);
        assertArrayEquals(before, sum("v"));
    }

    @Test
    void whatTheRefusalSaysRepairsIt() throws Exception {
        used("v", "ext4", 64);
        loseBegin("v");
        var repair = "e2fsck -y -b 8193 " + volumes.node("v") + "; test $? -le 1"; // 1: mended
        LoopVolumes.run("sh", "-c", repair);
        publish("v", "ext4");
        assertEquals("kept", Files.readString(node.target("v").resolve("data")));
    }

    @Test
    void aPersonsPermissionCountsOnce() throws Exception {
        used("v", "ext4", 64);
        loseBegin("v");
        volumes.permit("v");
        publish("v", "ext4");
        assertFalse(Files.exists(node.target("v").resolve("data")));
        unpublish("v");
        loseBegin("v");
        refusal("v", "ext4");
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"ext4, 64", "xfs, 320", "btrfs, 256"})
    void aNewVolumeGetsItsFilesystemInTheExtentsOfAnother(String type, long mib) throws Exception {
        used("v0", type, mib);
        for (int i = 1; i <= 10; i++) {
            volumes.replace("v" + (i - 1), "v" + i);
            volumes.mark(VolumeId.of("v" + i), ContentMark.NO_FILESYSTEM);
            publish("v" + i, type);
            assertFalse(Files.exists(node.target("v" + i).resolve("data")));
            Files.writeString(node.target("v" + i).resolve("data"), "kept");
            unpublish("v" + i);
        }
    }

    /** Whose older version, or another system, has made it. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"ext4, 64", "ext4, 640", "xfs, 320", "btrfs, 256"})
    void aVolumeWithoutAMarkIsNotBlankIfASecondSuperblockFits(String type, long mib)
            throws Exception {
        var device = volumes.create("v", mib * MIB);
        LoopVolumes.run(type.equals("ext4") ? "mkfs.ext4" : "mkfs." + type, device.toString());
        loseBegin("v");
        var refusal = refusal("v", type);
        assertTrue(refusal.contains("a second superblock of " + type), refusal);
    }

    @Test
    void whatIsOlderThanAVolumeWithoutAMarkWasAnothers() throws Exception {
        used("old", "ext4", 64);
        volumes.replace("old", "v");
        publish("v", "ext4");
        assertFalse(Files.exists(node.target("v").resolve("data")));
    }

    @Test
    void aVolumeWithoutAMarkRemembersItsFilesystemFromTheFirstMountOn() throws Exception {
        var device = volumes.create("v", 64 * MIB);
        LoopVolumes.run("mkfs.ext4", "-q", device.toString());
        volumes.lockTags(true); // a disk of its group is away
        publish("v", "ext4");
        unpublish("v");
        assertEquals(Optional.empty(), volumes.remembered("v"));
        volumes.lockTags(false);
        publish("v", "ext4");
        assertEquals(Optional.of(ContentMark.FILESYSTEM), volumes.remembered("v"));
    }

    @Test
    void aNewFilesystemIsNotHandedOutBeforeItsVolumeRemembersIt() throws Exception {
        volumes.create("v", 64 * MIB);
        volumes.mark(VolumeId.of("v"), ContentMark.NO_FILESYSTEM);
        volumes.lockTags(true);
        assertThrows(StatusRuntimeException.class, () -> publish("v", "ext4"));
        assertFalse(Files.exists(node.target("v").resolve("lost+found")));
        volumes.lockTags(false);
        publish("v", "ext4");
        assertEquals(Optional.of(ContentMark.FILESYSTEM), volumes.remembered("v"));
    }

    /** A database writes what libblkid does not know. */
    @Test
    void aBlockVolumeIsNotPublishedAsAFilesystem() throws Exception {
        var device = volumes.create("v", 64 * MIB);
        volumes.mark(VolumeId.of("v"), ContentMark.BLOCK);
        Files.write(device, "RAWDB".repeat(100_000).getBytes(StandardCharsets.UTF_8));
        var before = sum("v");
        var refusal = refusal("v", "ext4");
        assertTrue(refusal.contains("was made as volumeMode: Block"), refusal);
        assertArrayEquals(before, sum("v"));
    }

    @Test
    void aFilesystemIsNotPublishedAsABlockVolume() throws Exception {
        used("v", "ext4", 64);
        var failure =
                assertThrows(
                        StatusRuntimeException.class,
                        () ->
                                node.csi()
                                        .publish(
                                                "v",
                                                node.target("v"),
                                                CsiClient.block(Mode.SINGLE_NODE_SINGLE_WRITER),
                                                false));
        assertEquals(Code.FAILED_PRECONDITION, failure.getStatus().getCode());
    }

    @Test
    void aCopyOfAFilesystemThatLooksBlankGetsNone() throws Exception {
        volumes.create("v", 64 * MIB);
        volumes.copy("v", "copy");
        volumes.mark(VolumeId.of("copy"), ContentMark.FILESYSTEM);
        refusal("copy", "ext4");
    }
}
