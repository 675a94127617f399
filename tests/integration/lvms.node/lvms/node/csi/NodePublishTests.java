package lvms.node.csi;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;

import lvms.api.filesystem.MkfsOptions;
import lvms.lvm2.device.Signatures;
import lvms.lvm2.filesystem.FilesystemUsage;
import lvms.lvm2.filesystem.MountTable;
import lvms.lvm2.filesystem.Mounts;
import lvms.node.format.BeingFormatted;
import lvms.node.format.Formats;
import lvms.proto.csi.v1.GetPluginInfoRequest;
import lvms.proto.csi.v1.NodeGetInfoRequest;
import lvms.proto.csi.v1.NodeStageVolumeRequest;
import lvms.proto.csi.v1.ProbeRequest;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;
import lvms.proto.csi.v1.VolumeUsage;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Publishing a volume does to the machine what CSI promises, over the real socket, with real
 * filesystems and mounts; loop devices stand for logical volumes.
 */
@Timeout(120)
class NodePublishTests {
    private static final long MIB = 1L << 20;
    private static final Mode SHARED = Mode.SINGLE_NODE_MULTI_WRITER;
    private static final Mode EXCLUSIVE = Mode.SINGLE_NODE_SINGLE_WRITER;

    @TempDir Path temp;
    private LoopNode node;
    private Path folder;
    private LoopVolumes volumes;
    private Formats formats;
    private KubeletFolders folders;
    private CsiClient csi;
    private List<String> told;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(LoopVolumes.possible(), "needs root and loop devices");
        node = new LoopNode(temp);
        folder = node.folder();
        volumes = node.volumes();
        formats = node.formats();
        folders = node.folders();
        csi = node.csi();
        told = node.told();
    }

    @AfterEach
    void stop() throws Exception {
        if (node != null) {
            node.close();
        }
    }

    private Formats agent(Duration patience) {
        return node.agent(patience);
    }

    private Path target(String name) {
        return node.target(name);
    }

    private static boolean isMounted(Path target) throws IOException {
        return MountTable.read().at(target).isPresent();
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"ext4, 64", "xfs, 320", "btrfs, 256"})
    void aBlankVolumeGetsItsFilesystemAndKeepsItsData(String type, long mib) throws Exception {
        volumes.create("v", mib * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem(type), false);
        assertEquals(type, MountTable.read().at(target("a")).orElseThrow().fsType());
        assertEquals(02777, mode(target("a")));
        Files.writeString(target("a").resolve("data"), "kept");

        csi.publish("v", target("a"), CsiClient.filesystem(type), false);
        csi.unpublish("v", target("a"));
        assertFalse(Files.exists(target("a")));

        csi.publish("v", target("b"), CsiClient.filesystem(type), false);
        assertEquals("kept", Files.readString(target("b").resolve("data")));
        csi.unpublish("v", target("b"));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"ext4, 64, -b 1024 -m 50", "xfs, 320, -b size=1024"})
    void aBlankVolumeGetsTheFilesystemThatItsClassShapes(String type, long mib, String options)
            throws Exception {
        volumes.create("v", mib * MIB);
        csi.publish("v", target("a"), type, options);
        assertEquals(1024, Files.getFileStore(target("a")).getBlockSize());
        csi.unpublish("v", target("a"));

        csi.publish("v", target("b"), type, "--nonsense");
        assertTrue(isMounted(target("b")), "a volume with data is not refused for its options");
    }

    @ParameterizedTest(name = "{1}")
    @CsvSource({
        "INVALID_ARGUMENT, -d /etc, -d is not one of the options",
        "INTERNAL, -O nonsense, (if -O nonsense is wrong",
    })
    void optionsThatCannotBeObeyedLeaveTheVolumeBlank(Code code, String options, String says)
            throws Exception {
        volumes.create("v", 64 * MIB);
        var device = volumes.active(new VolumeId("v")).node();
        var failure =
                assertThrows(
                        StatusRuntimeException.class,
                        () -> csi.publish("v", target("a"), "ext4", options));
        assertEquals(code, failure.getStatus().getCode());
        var message = failure.getStatus().getDescription();
        assertTrue(message.contains(says), message);
        assertEquals(1, message.lines().count());
        assertFalse(Files.exists(target("a")));
        assertEquals(new Signatures.Blank(), Signatures.probe(device));

        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        assertTrue(isMounted(target("a")));
    }

    @Test
    void whatKubeletMakesForStagingGoesWithThePublication() throws Exception {
        volumes.create("v", 64 * MIB);
        var staging =
                target("plugins/kubernetes.io/csi/topolvm.io").resolve(KubeletFolders.hash("v"));
        Files.createDirectories(staging.resolve("globalmount"));
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        assertTrue(Files.exists(staging));
        csi.unpublish("v", target("a"));
        assertFalse(Files.exists(staging));
    }

    @Test
    void aDeviceThatKubeletForgotGoesWithItsVolume() throws Exception {
        volumes.create("v", 64 * MIB);
        var publications = target("plugins/kubernetes.io/csi/volumeDevices/publish");
        var forgotten = publications.resolve("pvc-1/uid");
        var other = publications.resolve("pvc-2/uid");
        Files.createDirectories(forgotten.getParent());
        Files.createDirectories(other.getParent());
        csi.publish("v", forgotten, CsiClient.block(Mode.SINGLE_NODE_MULTI_WRITER), false);
        csi.publish("v", other, CsiClient.block(Mode.SINGLE_NODE_MULTI_WRITER), false);
        folders.removed("pvc-1", "v");
        assertFalse(Files.exists(forgotten.getParent()));
        assertTrue(isMounted(other));
        folders.removed("pvc-1", "v");
        folders.removed("pvc-3", "");
    }

    private static int mode(Path folder) throws IOException {
        return (int) Files.getAttribute(folder, "unix:mode") & 07777;
    }

    @Safety(15)
    @ParameterizedTest(name = "{0}")
    @CsvSource({"ext4, 64", "xfs, 320", "btrfs, 256"})
    void theModeThatAnApplicationGaveItsVolumeStays(String type, long mib) throws Exception {
        volumes.create("v", mib * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem(type), false);
        Files.setAttribute(target("a"), "unix:mode", 0700);
        csi.unpublish("v", target("a"));

        csi.publish("v", target("b"), CsiClient.filesystem(type), false);
        assertEquals(0700, mode(target("b")));
        Files.setAttribute(target("b"), "unix:mode", 0755);
        csi.unpublish("v", target("b"));

        csi.publish("v", target("c"), CsiClient.filesystem(type), false);
        assertEquals(0755, mode(target("c")), "it is mkfs's too");
    }

    @Safety(15)
    @ParameterizedTest(name = "{0}")
    @CsvSource({"ext4, 64", "xfs, 320", "btrfs, 256"})
    void aFilesystemWhoseFirstMountWasCutIsOpenedToAllUsersByTheNext(String type, long mib)
            throws Exception {
        volumes.create("v", mib * MIB);
        var device = volumes.active(new VolumeId("v")).node();
        Tools.run(Filesystem.named(type).orElseThrow().make(device, MkfsOptions.NONE));
        csi.publish("v", target("a"), CsiClient.filesystem(type), false);
        assertEquals(02777, mode(target("a")));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"ext4, 64, 128", "xfs, 320, 640", "btrfs, 256, 512"})
    void aPublishedFilesystemGrowsOnline(String type, long mib, long largerMib) throws Exception {
        assumeTrue(LoopVolumes.mayGrow(type), "needs CAP_SYS_RESOURCE");
        volumes.create("v", mib * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem(type), false);
        Files.writeString(target("a").resolve("data"), "kept");
        long before = FilesystemUsage.of(target("a")).sizeBytes();
        volumes.grow("v", largerMib * MIB);

        assertEquals(largerMib * MIB, csi.expand("v", target("a"), largerMib * MIB));
        assertTrue(
                FilesystemUsage.of(target("a")).sizeBytes()
                        >= before + (largerMib - mib) * MIB * 9 / 10);
        assertEquals("kept", Files.readString(target("a").resolve("data")));
        assertEquals(largerMib * MIB, csi.expand("v", target("a"), largerMib * MIB));
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"ext4, 64, 128", "xfs, 320, 640", "btrfs, 256, 512"})
    void aVolumeThatGrewOfflineIsGrownWhenPublishedAlsoReadOnly(
            String type, long mib, long largerMib) throws Exception {
        assumeTrue(LoopVolumes.mayGrow(type), "needs CAP_SYS_RESOURCE");
        volumes.create("v", mib * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem(type), false);
        csi.unpublish("v", target("a"));
        volumes.grow("v", largerMib * MIB);

        csi.publish("v", target("a"), CsiClient.filesystem(type), true);
        assertTrue(FilesystemUsage.of(target("a")).sizeBytes() > mib * MIB);
        assertThrows(IOException.class, () -> Files.writeString(target("a").resolve("x"), "x"));
    }

    @Test
    void expandRefusesMoreThanTheDeviceHas() throws Exception {
        volumes.create("v", 64 * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        assertEquals(Code.INTERNAL, CsiClient.codeOf(() -> csi.expand("v", target("a"), 65 * MIB)));
    }

    @Test
    void twoPodsShareAVolumeEachWithItsOwnRights() throws Exception {
        volumes.create("v", 64 * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        Files.writeString(target("a").resolve("data"), "seen");

        csi.publish("v", target("ro"), CsiClient.filesystem("ext4"), true);
        assertEquals("seen", Files.readString(target("ro").resolve("data")));
        assertThrows(IOException.class, () -> Files.writeString(target("ro").resolve("x"), "x"));
        Files.writeString(target("a").resolve("data"), "still writable");

        csi.unpublish("v", target("a"));
        assertEquals("still writable", Files.readString(target("ro").resolve("data")));
        csi.publish("v", target("again"), CsiClient.filesystem("ext4"), false);
        Files.writeString(target("again").resolve("data"), "after a read-only one");
    }

    @Test
    void aSinglePodVolumeIsRefusedAtASecondTarget() throws Exception {
        volumes.create("v", 64 * MIB);
        var capability = CsiClient.filesystem("ext4", EXCLUSIVE);
        csi.publish("v", target("a"), capability, false);
        csi.publish("v", target("a"), capability, false);
        assertEquals(
                Code.FAILED_PRECONDITION,
                CsiClient.codeOf(() -> csi.publish("v", target("b"), capability, false)));
        assertFalse(isMounted(target("b")));
    }

    @Test
    void theSameTargetWithOtherArgumentsIsRefused() throws Exception {
        volumes.create("v", 64 * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        assertEquals(
                Code.ALREADY_EXISTS,
                CsiClient.codeOf(
                        () -> csi.publish("v", target("a"), CsiClient.filesystem("ext4"), true)));
    }

    @Test
    void foreignContentIsNeverOverwritten() throws Exception {
        var node = volumes.create("v", 64 * MIB);
        LoopVolumes.run("mkfs.ext4", "-q", "-F", node.toString());
        var before = Files.readAllBytes(folder.resolve("v.img"));
        assertEquals(
                Code.FAILED_PRECONDITION,
                CsiClient.codeOf(
                        () -> csi.publish("v", target("a"), CsiClient.filesystem("btrfs"), false)));
        assertArrayEquals(before, Files.readAllBytes(folder.resolve("v.img")));
        assertFalse(Files.exists(target("a")));
    }

    @Test
    void aBlankVolumeIsNotTouchedByAReadOnlyPublication() throws Exception {
        volumes.create("v", 16 * MIB);
        assertEquals(
                Code.FAILED_PRECONDITION,
                CsiClient.codeOf(
                        () -> csi.publish("v", target("a"), CsiClient.filesystem("ext4"), true)));
        assertArrayEquals(new byte[(int) (16 * MIB)], Files.readAllBytes(folder.resolve("v.img")));
    }

    @Test
    void marksOfABiosRaidDoNotKeepAVolumeFromItsFilesystem() throws Exception {
        volumes.create("v", 64 * MIB);
        try (var image = new RandomAccessFile(folder.resolve("v.img").toFile(), "rw")) {
            writeJmicronMark(image, 64 * MIB);
        }
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        csi.unpublish("v", target("a"));
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        assertTrue(isMounted(target("a")));
    }

    /** The metadata of libblkid's jmicron_raid prober: "JM" and a checksum in the last sector. */
    private static void writeJmicronMark(RandomAccessFile image, long size) throws IOException {
        var sector = new byte[512];
        sector[0] = 'J';
        sector[1] = 'M';
        sector[2] = 1; // version
        int sum = 0;
        for (int i = 0; i < 128; i += 2) {
            sum += (sector[i] & 0xff) | (sector[i + 1] & 0xff) << 8;
        }
        // The sum of all 16 bit words has to be 0 or 1 modulo 2^16; bytes 4 and 5 are the checksum.
        int checksum = -sum & 0xffff;
        sector[4] = (byte) checksum;
        sector[5] = (byte) (checksum >> 8);
        image.seek(size - 512);
        image.write(sector);
    }

    @Test
    void xfsAndItsCopyAreMountedSideBySide() throws Exception {
        volumes.create("v", 320 * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem("xfs"), false);
        Files.writeString(target("a").resolve("data"), "copied");
        csi.unpublish("v", target("a"));
        volumes.copy("v", "copy");
        csi.publish("v", target("a"), CsiClient.filesystem("xfs"), false);
        csi.publish("copy", target("b"), CsiClient.filesystem("xfs"), false);
        assertEquals("copied", Files.readString(target("b").resolve("data")));
    }

    /**
     * XFS refuses to mount until mkfs has cleared the flag at its end, so nothing is on the copy.
     */
    @Test
    void aCopyThatWasTakenWhileMkfsRanGetsItsFilesystem() throws Exception {
        var node = volumes.create("v", 320 * MIB);
        LoopVolumes.run("mkfs.xfs", "-q", node.toString());
        LoopVolumes.run("xfs_db", "-x", "-c", "sb 0", "-c", "write inprogress 1", node.toString());
        volumes.copy("v", "copy");
        csi.publish("copy", target("b"), CsiClient.filesystem("xfs"), false);
        Files.writeString(target("b").resolve("data"), "written");
        csi.unpublish("copy", target("b"));
        csi.publish("copy", target("b"), CsiClient.filesystem("xfs"), false);
        assertEquals("written", Files.readString(target("b").resolve("data")));
    }

    @Test
    @Safety(43)
    void noFilesystemIsMadeWhileACopyOfItsVolumeIsTaken() throws Exception {
        var device = volumes.create("v", 64 * MIB);
        try (var _ = formats.copying(List.of("v"))) {
            var refused =
                    assertThrows(StatusRuntimeException.class, () -> publish("v", target("a")));
            assertEquals(Code.ABORTED, refused.getStatus().getCode());
            assertEquals(new Signatures.Blank(), Signatures.probe(device));
        }
        publish("v", target("a"));
        assertTrue(isMounted(target("a")));
        csi.unpublish("v", target("a"));
        try (var _ = formats.copying(List.of("v"))) {
            publish("v", target("a"));
            assertTrue(isMounted(target("a")), "a volume that has one needs none");
        }
    }

    /** A pipe stands for the note, so that what is noted waits until this test reads it. */
    @Test
    @Safety(43)
    void noCopyIsTakenWhileTheFilesystemIsMade() throws Exception {
        volumes.create("v", 64 * MIB);
        var note = Files.createDirectory(folder.resolve("formats")).resolve("v.begun");
        LoopVolumes.run("mkfifo", note.toString());
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var published =
                    threads.submit(
                            () -> {
                                publish("v", target("a"));
                                return isMounted(target("a"));
                            });
            while (!whyNotCopied(formats).contains("is being made")) {
                assertFalse(published.isDone(), "published beside a copy");
                LockSupport.parkNanos(1_000_000);
            }
            Files.readString(note);
            assertTrue(published.get());
        }
        formats.copying(List.of("v")).close();
    }

    private static String whyNotCopied(Formats formats) {
        return assertThrows(BeingFormatted.class, () -> formats.copying(List.of("v"))).getMessage();
    }

    /** mkfs has got to no end here either, as if it had been killed together with its agent. */
    @Test
    @Safety(43)
    void aFilesystemThatWasCutShortIsMadeAgainBeforeTheVolumeIsCopied() throws Exception {
        volumes.create("v", 64 * MIB);
        assertThrows(
                StatusRuntimeException.class,
                () -> csi.publish("v", target("a"), "ext4", "-O nonsense"));
        var next = agent(Duration.ofSeconds(30));
        assertTrue(whyNotCopied(next).contains("cut short"));
        publish("v", target("a"));
        next.copying(List.of("v")).close();
    }

    @Test
    @Safety(43)
    void oneThatWasWholeWhenItsAgentWasKilledIsCopiedOnceItIsMounted() throws Exception {
        var device = volumes.create("v", 64 * MIB);
        assertThrows(
                StatusRuntimeException.class,
                () -> csi.publish("v", target("a"), "ext4", "-O nonsense"));
        LoopVolumes.run("mkfs.ext4", "-q", "-F", device.toString());
        publish("v", target("a"));
        formats.copying(List.of("v")).close();
    }

    private void publish(String volume, Path target) {
        csi.publish(volume, target, CsiClient.filesystem("ext4"), false);
    }

    private static String fsid(Path target) throws Exception {
        return LoopVolumes.run("findmnt", "-n", "-o", "UUID", target.toString()).strip();
    }

    /** What was synced last is in the log of the filesystem alone, also in that of the copy. */
    @Test
    void aCopyOfABtrfsInUseHasAnIdentityOfItsOwnAndAllThatWasSynced() throws Exception {
        volumes.create("v", 256 * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem("btrfs"), false);
        LoopVolumes.run("sync", "--file-system", target("a").toString());
        try (var file = new RandomAccessFile(target("a").resolve("data").toFile(), "rw")) {
            file.writeBytes("synced");
            file.getFD().sync();
        }
        volumes.copyInUse("v", "copy");
        csi.publish("copy", target("b"), CsiClient.filesystem("btrfs"), false);
        assertEquals("synced", Files.readString(target("b").resolve("data")));
        var own = fsid(target("b"));
        assertNotEquals(fsid(target("a")), own);

        volumes.copy("copy", "copyOfCopy");
        csi.publish("copyOfCopy", target("c"), CsiClient.filesystem("btrfs"), false);
        assertEquals(
                3, Set.of(fsid(target("a")), own, fsid(target("c"))).size(), "different fsids");
        assertEquals("synced", Files.readString(target("c").resolve("data")));

        csi.unpublish("copy", target("b"));
        LoopVolumes.run("btrfs", "check", volumes.node("copy").toString());
        csi.publish("copy", target("b"), CsiClient.filesystem("btrfs"), false);
        assertEquals(own, fsid(target("b")));
        csi.unpublish("copy", target("b"));
        csi.unpublish("copyOfCopy", target("c"));
    }

    @Test
    void aFilesystemWithErrorsIsCheckedBeforeItIsMounted() throws Exception {
        var node = volumes.create("v", 64 * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        Files.writeString(target("a").resolve("data"), "kept");
        csi.unpublish("v", target("a"));
        LoopVolumes.run("debugfs", "-w", "-R", "ssv state 3", node.toString());
        LoopVolumes.run("blockdev", "--flushbufs", node.toString());
        assertTrue(Superblock.read(node, Filesystem.EXT4).orElseThrow().errors());

        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        assertFalse(Superblock.read(node, Filesystem.EXT4).orElseThrow().errors());
        assertEquals("kept", Files.readString(target("a").resolve("data")));
    }

    @Test
    void aReadOnlyVolumeIsPublishedReadOnlyAlone() throws Exception {
        volumes.create("v", 64 * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        csi.unpublish("v", target("a"));
        volumes.setReadOnly("v");
        assertEquals(
                Code.FAILED_PRECONDITION,
                CsiClient.codeOf(
                        () -> csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false)));
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), true);
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), true);
        assertTrue(MountTable.read().at(target("a")).orElseThrow().readOnly());
    }

    @Test
    void mountOptionsReachTheKernel() throws Exception {
        volumes.create("v", 64 * MIB);
        csi.publish(
                "v",
                target("a"),
                CsiClient.filesystem("ext4", SHARED, "noatime,nosuid", "commit=17"),
                false);
        var mount = MountTable.read().at(target("a")).orElseThrow();
        assertTrue(mount.options().containsAll(List.of("noatime", "nosuid")), mount.toString());
        assertTrue(mount.superOptions().contains("commit=17"), mount.toString());
    }

    /** The kernel takes these as flags; as text, filesystems refuse them. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({"ext4, 64", "xfs, 320", "btrfs, 256"})
    void optionsThatAreFlagsOfTheKernelReachIt(String type, long mib) throws Exception {
        volumes.create("v", mib * MIB);
        var flags = "iversion,silent,nosymfollow";
        csi.publish("v", target("a"), CsiClient.filesystem(type, SHARED, flags), false);
        var link = Files.createSymbolicLink(target("a").resolve("link"), Path.of("file"));
        Files.writeString(target("a").resolve("file"), "content");
        assertThrows(IOException.class, () -> Files.readString(link));
        assertEquals("content", Files.readString(target("a").resolve("file")));
        csi.unpublish("v", target("a"));
    }

    @Test
    void aDeviceIsPublishedOnceHoweverOftenItIsAskedFor() throws Exception {
        volumes.create("v", 16 * MIB);
        for (int i = 0; i < 3; i++) {
            csi.publish("v", target("dev"), CsiClient.block(SHARED), false);
        }
        long layers =
                MountTable.read().mounts().stream()
                        .filter(m -> m.mountPoint().equals(target("dev")))
                        .count();
        assertEquals(1, layers);
        try (var device = new RandomAccessFile(target("dev").toFile(), "rw")) {
            device.write(42);
        }
        csi.publish("v", target("second"), CsiClient.block(SHARED), true);
        assertEquals(16 * MIB, csi.stats("v", target("dev").toString()).getUsage(0).getTotal());
        assertEquals(16 * MIB, csi.expand("v", target("dev"), 16 * MIB));
        csi.unpublish("v", target("dev"));
        csi.unpublish("v", target("second"));
        assertFalse(Files.exists(target("dev")));
        assertEquals(42, Files.readAllBytes(folder.resolve("v.img"))[0]);
    }

    @Test
    void aDeviceForOnePodIsRefusedToASecond() throws Exception {
        volumes.create("v", 16 * MIB);
        csi.publish("v", target("dev"), CsiClient.block(EXCLUSIVE), false);
        assertEquals(
                Code.FAILED_PRECONDITION,
                CsiClient.codeOf(
                        () -> csi.publish("v", target("b"), CsiClient.block(EXCLUSIVE), false)));
        assertFalse(Files.exists(target("b")));
    }

    @Test
    void whatStandsAtTheTargetIsLeftAlone() throws Exception {
        volumes.create("v", 16 * MIB);
        Files.writeString(target("file"), "x");
        Files.createSymbolicLink(target("link"), folder);
        Files.createDirectories(target("folder/full"));
        for (var name : List.of("file", "link")) {
            assertEquals(
                    Code.ALREADY_EXISTS,
                    CsiClient.codeOf(
                            () ->
                                    csi.publish(
                                            "v",
                                            target(name),
                                            CsiClient.filesystem("ext4"),
                                            false)));
        }
        volumes.create("raw", 16 * MIB);
        assertEquals(
                Code.ALREADY_EXISTS,
                CsiClient.codeOf(
                        () ->
                                csi.publish(
                                        "raw", target("folder"), CsiClient.block(SHARED), false)));
        assertEquals(Code.INTERNAL, CsiClient.codeOf(() -> csi.unpublish("raw", target("folder"))));
        assertTrue(Files.exists(target("folder/full")));
        assertEquals("x", Files.readString(target("file")));
    }

    @Test
    void unpublishNeedsNoVolumeAndMayBeRepeated() throws Exception {
        volumes.create("v", 64 * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        csi.unpublish("gone", target("a"));
        csi.unpublish("v", target("a"));
        csi.unpublish("v", target("never"));
        assertFalse(isMounted(target("a")));
    }

    @Test
    void unpublishTakesAwayStackedMounts() throws Exception {
        var node = volumes.create("v", 16 * MIB);
        csi.publish("v", target("dev"), CsiClient.block(SHARED), false);
        Mounts.bind(node, target("dev"), Set.of()); // as TopoLVM's repeated calls leave it
        csi.unpublish("v", target("dev"));
        assertFalse(Files.exists(target("dev")));
    }

    @Test
    void unpublishRefusesMountsOfOthersOutsideOfKubelet() throws Exception {
        volumes.create("v", 64 * MIB);
        assertEquals(
                Code.INVALID_ARGUMENT,
                CsiClient.codeOf(() -> csi.unpublish("v", Path.of("/proc"))));
        assertTrue(isMounted(Path.of("/proc")));
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        var elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Mounts.bind(target("a"), elsewhere, Set.of());
        csi.unpublish("v", elsewhere);
        assertFalse(Files.exists(elsewhere));
    }

    @Test
    @Safety(37)
    void publishRefusesAPlaceOutsideOfKubelet() throws Exception {
        volumes.create("v", 64 * MIB);
        var elsewhere = folder.resolve("elsewhere");
        assertEquals(
                Code.INVALID_ARGUMENT,
                CsiClient.codeOf(
                        () -> csi.publish("v", elsewhere, CsiClient.filesystem("ext4"), false)));
        assertEquals(
                Code.INVALID_ARGUMENT,
                CsiClient.codeOf(
                        () -> csi.publish("v", elsewhere, CsiClient.block(SHARED), false)));
        assertFalse(Files.exists(elsewhere));
    }

    @Test
    @Safety(37)
    void unpublishRemovesNothingOutsideOfKubelet() throws Exception {
        var file = Files.writeString(folder.resolve("file"), "kept");
        var empty = Files.createDirectory(folder.resolve("empty"));
        for (var other : List.of(file, empty, folder.resolve("kubelet"))) {
            assertEquals(Code.INVALID_ARGUMENT, CsiClient.codeOf(() -> csi.unpublish("v", other)));
            assertTrue(Files.exists(other));
        }
        csi.unpublish("v", folder.resolve("nothing"));
        Files.createDirectory(target("empty"));
        csi.unpublish("v", target("empty"));
        assertFalse(Files.exists(target("empty")));
    }

    @Test
    void kubeletsFolderMayBeALink() throws Exception {
        volumes.create("v", 64 * MIB);
        var link = Files.createSymbolicLink(folder.resolve("link"), target(""));
        csi.publish("v", link.resolve("a"), CsiClient.filesystem("ext4"), false);
        csi.publish("v", link.resolve("a"), CsiClient.filesystem("ext4"), false);
        assertEquals(2, csi.stats("v", link.resolve("a").toString()).getUsageCount());
        csi.unpublish("v", link.resolve("a"));
        assertFalse(isMounted(target("a")));
    }

    @Test
    void statsTellBytesInodesAndCondition() throws Exception {
        volumes.create("v", 64 * MIB);
        csi.publish("v", target("a"), CsiClient.filesystem("ext4"), false);
        var healthy = csi.stats("v", target("a").toString());
        assertEquals(
                List.of(VolumeUsage.Unit.BYTES, VolumeUsage.Unit.INODES),
                healthy.getUsageList().stream().map(VolumeUsage::getUnit).toList());
        assertFalse(healthy.getVolumeCondition().getAbnormal());
        volumes.setTrouble("suspended");
        var condition = csi.stats("v", target("a").toString()).getVolumeCondition();
        assertTrue(condition.getAbnormal());
        assertEquals("suspended", condition.getMessage());
    }

    /** The disk that fails is just what the condition is for. */
    @Test
    void aVolumeThatCannotBeMeasuredStillHasItsCondition() throws Exception {
        volumes.create("v", 16 * MIB);
        csi.publish("v", target("dev"), CsiClient.block(SHARED), false);
        volumes.hideNode("v");
        assertEquals(
                Code.INTERNAL, CsiClient.codeOf(() -> csi.stats("v", target("dev").toString())));
        volumes.setTrouble("partial");
        var stats = csi.stats("v", target("dev").toString());
        assertTrue(stats.getVolumeCondition().getAbnormal());
        assertEquals(List.of(), stats.getUsageList());
        assertEquals(List.of("partial"), told);
    }

    @Test
    void unknownVolumesAndPathsAreNotFound() throws Exception {
        volumes.create("v", 64 * MIB);
        assertEquals(Code.NOT_FOUND, CsiClient.codeOf(() -> csi.stats("fake-vol-id", "some/path")));
        assertEquals(Code.NOT_FOUND, CsiClient.codeOf(() -> csi.stats("v", "some/path")));
        assertEquals(Code.NOT_FOUND, CsiClient.codeOf(() -> csi.stats("v", "/etc")));
        assertEquals(
                Code.NOT_FOUND, CsiClient.codeOf(() -> csi.expand("fake", target("a"), 64 * MIB)));
        assertEquals(
                Code.NOT_FOUND,
                CsiClient.codeOf(
                        () ->
                                csi.publish(
                                        "../x", target("a"), CsiClient.filesystem("ext4"), false)));
        assertEquals(Code.INVALID_ARGUMENT, CsiClient.codeOf(() -> csi.stats("", "/etc")));
        assertEquals(Code.INVALID_ARGUMENT, CsiClient.codeOf(() -> csi.stats("v", "")));
    }

    @Test
    void manyCallsAtOnceLeaveOneMount() throws Exception {
        volumes.create("v", 64 * MIB);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            var all =
                    IntStream.range(0, 10)
                            .mapToObj(
                                    _ ->
                                            threads.submit(
                                                    () ->
                                                            csi.publish(
                                                                    "v",
                                                                    target("a"),
                                                                    CsiClient.filesystem("ext4"),
                                                                    false)))
                            .toList();
            for (var call : all) {
                call.get();
            }
        }
        csi.unpublish("v", target("a"));
        assertFalse(isMounted(target("a")));
    }

    @Test
    void tellsWhoItIs() {
        var info = csi.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
        assertEquals("n1", info.getNodeId());
        assertEquals(
                "n1", info.getAccessibleTopology().getSegmentsOrThrow("topology.topolvm.io/node"));
        assertEquals(0, info.getMaxVolumesPerNode());
        var plugin = csi.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
        assertEquals("topolvm.io", plugin.getName());
        assertTrue(csi.identity().probe(ProbeRequest.getDefaultInstance()).getReady().getValue());
        assertEquals(
                Code.UNIMPLEMENTED,
                CsiClient.codeOf(
                        () ->
                                csi.node()
                                        .nodeStageVolume(
                                                NodeStageVolumeRequest.getDefaultInstance())));
    }
}
