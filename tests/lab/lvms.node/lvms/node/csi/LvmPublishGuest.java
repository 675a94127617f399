package lvms.node.csi;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status.Code;
import io.grpc.StatusRuntimeException;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.api.VolumeException;
import lvms.csi.UnixSocketServer;
import lvms.k8s.object.Quantity;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.NewSnapshot;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewThinVolume;
import lvms.lvm2.Now;
import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.filesystem.FilesystemUsage;
import lvms.lvm2.filesystem.MountTable;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning;
import lvms.node.format.ContentMark;
import lvms.node.format.Formats;
import lvms.node.volume.GroupLedgers;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;
import lvms.tests.lab.machine.GuestArchive;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Real logical volumes are published, grown and watched over the CSI socket. Runs inside a lab
 * node.
 */
class LvmPublishGuest {
    private static final long MIB = 1L << 20;
    private static final Mode SHARED = Mode.SINGLE_NODE_MULTI_WRITER;
    private static final String ELSEWHERE = "Ab1cde-F2gh-I3jk-L4mn-O5pq-R6st-U7vwxy";
    private static final Map<String, LogicalVolume> OBJECTS = new ConcurrentHashMap<>();
    private static final Path KUBELET = Path.of("/var/lib/kubelet");

    private static Lvm lvm;
    private static VolumeCalls calls;
    private static UnixSocketServer server;
    private static CsiClient csi;

    @BeforeAll
    static void start() throws Exception {
        sh("vgcreate -q -y pub /dev/ubdb /dev/ubdc && lvcreate -q -y -T -L 512M pub/pool");
        lvm = LvmCommands.open(GuestArchive.lvmOptions());
        calls = new VolumeCalls(Duration.ofSeconds(30));
        var classes =
                new DeviceClasses(
                        List.of(
                                deviceClass("thin", new Provisioning.Thin("pool", 10)),
                                deviceClass("thick", new Provisioning.Thick())),
                        Map.of());
        var known = new Objects();
        var devices =
                new LvmVolumeDevices(
                        known, () -> classes, new GroupLedgers(lvm), DeviceMapper.system());
        var node =
                new NodeService(
                        new NodeService.NodeIdentity(
                                "n1", "topology.topolvm.io/node", NodeService.Offer.ALL),
                        devices,
                        calls,
                        Formats.notedIn(Path.of("/run/csi-test/formats")),
                        new KubeletFolders(KUBELET, "topolvm.io"),
                        _ -> {},
                        (_, _) -> {});
        var socket = Path.of("/run/csi-test/csi.sock");
        server = UnixSocketServer.inOwnFolder(socket, List.of(node));
        server.start();
        csi = new CsiClient(socket);
    }

    @AfterAll
    static void stop() throws Exception {
        csi.close();
        server.close();
        calls.close();
        lvm.close();
        sh("vgremove -q -y -f pub");
    }

    private static NodeDeviceClass deviceClass(String name, Provisioning how) {
        return new NodeDeviceClass(
                name, "pub", false, how, 0, Optional.empty(), List.of(), Optional.empty());
    }

    private static LvName thin(String name, long sizeBytes) throws Exception {
        var lv = new LvName("pub", name);
        lvm.volumes().createThin(new NewThinVolume(lv, "pool", sizeBytes, Set.of()));
        know(name, "thin", "", sizeBytes);
        return lv;
    }

    private static void know(String name, String deviceClass, String source, long sizeBytes) {
        var object =
                LogicalVolume.create(
                        Driver.TOPOLVM,
                        new LogicalVolume.Spec(
                                "pvc-" + name,
                                "n1",
                                Quantity.ofBytes(sizeBytes),
                                deviceClass,
                                "",
                                source,
                                source.isEmpty() ? "" : "rw"),
                        Map.of());
        OBJECTS.put(name, LogicalVolume.of(object.with(name, "status", "volumeID")));
    }

    private static Path target(String name) {
        return KUBELET.resolve(name);
    }

    private static void remove(LvName name) throws Exception {
        lvm.volumes().remove(Now.volume(lvm, name));
        OBJECTS.remove(name.lv());
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource({"ext4, 64, 200", "xfs, 320, 500", "btrfs, 256, 400"})
    void aFilesystemIsMadeGrownOnlineAndKept(String type, long mib, long largerMib)
            throws Exception {
        var lv = thin("fs-" + type, mib * MIB);
        csi.publish(lv.lv(), target("a"), CsiClient.filesystem(type), false);
        Files.writeString(target("a").resolve("data"), "kept");
        lvm.volumes().extend(Now.volume(lvm, lv), largerMib * MIB);
        assertEquals(largerMib * MIB, csi.expand(lv.lv(), target("a"), largerMib * MIB));
        assertTrue(FilesystemUsage.of(target("a")).sizeBytes() > (mib + largerMib) / 2 * MIB);
        csi.unpublish(lv.lv(), target("a"));

        csi.publish(lv.lv(), target("b"), CsiClient.filesystem(type), true);
        assertEquals("kept", Files.readString(target("b").resolve("data")));
        assertThrows(IOException.class, () -> Files.writeString(target("b").resolve("x"), "x"));
        csi.unpublish(lv.lv(), target("b"));
        assertFalse(Files.exists(target("b")));
        remove(lv);
    }

    @Test
    void aRestoredXfsIsMountedBesideItsSource() throws Exception {
        var source = thin("source", 320 * MIB);
        csi.publish("source", target("s"), CsiClient.filesystem("xfs"), false);
        Files.writeString(target("s").resolve("data"), "before");
        sh("sync -f " + target("s"));
        var restored = new LvName("pub", "restored");
        lvm.snapshots().createThin(new NewSnapshot(restored, "source", true, Set.of()));
        lvm.volumes().extend(Now.volume(lvm, restored), 400 * MIB);
        know("restored", "thin", "pvc-source", 400 * MIB);
        Files.writeString(target("s").resolve("data"), "after");

        csi.publish("restored", target("r"), CsiClient.filesystem("xfs"), false);
        assertEquals("before", Files.readString(target("r").resolve("data")));
        assertTrue(FilesystemUsage.of(target("r")).sizeBytes() > 320 * MIB);
        csi.unpublish("restored", target("r"));
        csi.unpublish("source", target("s"));
        remove(restored);
        remove(source);
    }

    @Test
    void onlyACopyWithoutAnyBlockGetsAFilesystem() throws Exception {
        var source = thin("blank", 64 * MIB);
        var unwritten = new LvName("pub", "unwritten");
        lvm.snapshots().createThin(new NewSnapshot(unwritten, "blank", true, Set.of()));
        know("unwritten", "thin", "pvc-blank", 64 * MIB);
        sh("echo raw data | dd of=/dev/pub/blank bs=4096 seek=512 conv=fsync status=none");
        var written = new LvName("pub", "written");
        lvm.snapshots().createThin(new NewSnapshot(written, "blank", true, Set.of()));
        know("written", "thin", "pvc-blank", 64 * MIB);

        csi.publish("unwritten", target("u"), CsiClient.filesystem("ext4"), false);
        assertEquals(
                Code.FAILED_PRECONDITION,
                CsiClient.codeOf(
                        () ->
                                csi.publish(
                                        "written",
                                        target("w"),
                                        CsiClient.filesystem("ext4"),
                                        false)));
        csi.unpublish("unwritten", target("u"));
        remove(unwritten);
        remove(written);
        remove(source);
    }

    @Test
    void anInactiveVolumeIsActivated() throws Exception {
        var lv = new LvName("pub", "thick");
        lvm.volumes().createThick(new NewThickVolume(lv, 64 * MIB, Set.of()));
        know("thick", "thick", "", 64 * MIB);
        lvm.volumes().deactivate(Now.volume(lvm, lv));
        csi.publish("thick", target("a"), CsiClient.filesystem("ext4"), false);
        assertEquals(
                "/dev/mapper/pub-thick", MountTable.read().at(target("a")).orElseThrow().source());
        csi.unpublish("thick", target("a"));
        remove(lv);
    }

    /** As kubelet does it after a boot. */
    @Test
    void volumesThatAreAskedForAtOnceShareTheirActivations() throws Exception {
        var all = new ArrayList<LvName>();
        for (int i = 0; i < 12; i++) {
            var lv = thin("boot-" + i, 64 * MIB);
            csi.publish(lv.lv(), target(lv.lv()), CsiClient.filesystem("ext4"), false);
            Files.writeString(target(lv.lv()).resolve("data"), lv.lv());
            csi.unpublish(lv.lv(), target(lv.lv()));
            lvm.volumes().deactivate(Now.volume(lvm, lv));
            all.add(lv);
        }
        var activations = new AtomicInteger();
        lvm.onCommand((name, _, _) -> activations.addAndGet(name.equals("lvchange") ? 1 : 0));
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            for (var lv : all) {
                threads.submit(
                        () ->
                                csi.publish(
                                        lv.lv(),
                                        target(lv.lv()),
                                        CsiClient.filesystem("ext4"),
                                        false));
            }
        }
        lvm.onCommand((_, _, _) -> {});
        for (var lv : all) {
            assertEquals(lv.lv(), Files.readString(target(lv.lv()).resolve("data")));
            csi.unpublish(lv.lv(), target(lv.lv()));
            remove(lv);
        }
        assertTrue(activations.get() < all.size(), "commands: " + activations);
    }

    @Test
    void aVolumeInAnotherGroupOfThatNameIsNotPublished() throws Exception {
        var lv = thin("copied", 64 * MIB);
        var here = lvm.groups().find("pub").orElseThrow().uuid();
        for (var recorded : List.of("object", "PersistentVolume")) {
            var object = OBJECTS.get("copied").object();
            boolean inObject = recorded.equals("object");
            OBJECTS.put(
                    "copied",
                    LogicalVolume.of(
                            object.with(inObject ? ELSEWHERE : here, "status", "volumeGroupUUID")));
            var refusal =
                    assertThrows(
                            StatusRuntimeException.class,
                            () -> csi.publish("copied", target("c"), inObject ? here : ELSEWHERE));
            assertEquals(Code.FAILED_PRECONDITION, refusal.getStatus().getCode());
            var message = refusal.getMessage();
            assertTrue(message.contains(ELSEWHERE) && message.contains(here), message);
        }
        csi.publish("copied", target("c"), here);
        csi.unpublish("copied", target("c"));
        remove(lv);
    }

    @Test
    void aSuspendedVolumeIsAbnormalAndHealedByPublishing() throws Exception {
        var lv = thin("stuck", 64 * MIB);
        csi.publish("stuck", target("dev"), CsiClient.block(SHARED), false);
        sh("dmsetup suspend pub-stuck");
        var condition = csi.stats("stuck", target("dev").toString()).getVolumeCondition();
        assertTrue(condition.getAbnormal());
        assertEquals("suspended", condition.getMessage());

        csi.publish("stuck", target("dev"), CsiClient.block(SHARED), false);
        assertFalse(
                csi.stats("stuck", target("dev").toString()).getVolumeCondition().getAbnormal());
        csi.unpublish("stuck", target("dev"));
        remove(lv);
    }

    @Test
    void aRawDeviceIsPublishedAndGrowsWithTheVolume() throws Exception {
        var lv = thin("raw", 64 * MIB);
        csi.publish("raw", target("dev"), CsiClient.block(SHARED), false);
        csi.publish("raw", target("dev"), CsiClient.block(SHARED), false);
        try (var device = new RandomAccessFile(target("dev").toFile(), "rw")) {
            device.writeBytes("written by the pod");
            device.getFD().sync();
        }
        lvm.volumes().extend(Now.volume(lvm, lv), 128 * MIB);
        assertEquals(128 * MIB, csi.expand("raw", target("dev"), 128 * MIB));
        assertEquals(128 * MIB, csi.stats("raw", target("dev").toString()).getUsage(0).getTotal());
        csi.unpublish("raw", target("dev"));
        assertEquals("written by the pod", sh("head -c 18 /dev/pub/raw"));
        remove(lv);
    }

    private static LvName marked(String name, String pool, ContentMark mark) throws Exception {
        var lv = new LvName("pub", name);
        var tags = Set.of(mark.tag());
        if (pool.isEmpty()) {
            lvm.volumes().createThick(new NewThickVolume(lv, 64 * MIB, tags));
        } else {
            lvm.volumes().createThin(new NewThinVolume(lv, pool, 64 * MIB, tags));
        }
        know(name, pool.isEmpty() ? "thick" : "thin", "", 64 * MIB);
        return lv;
    }

    private static String refusal(String volume, String type) {
        var failure =
                assertThrows(
                        StatusRuntimeException.class,
                        () -> csi.publish(volume, target("m"), CsiClient.filesystem(type), false));
        assertEquals(Code.FAILED_PRECONDITION, failure.getStatus().getCode());
        return failure.getStatus().getDescription();
    }

    private static String tags(LvName lv) throws Exception {
        return sh("lvs --noheadings -o lv_tags " + lv).strip();
    }

    /** As after {@code lvconvert --repair} of its pool, which may lose the mapping of chunks. */
    @ParameterizedTest(name = "{0}")
    @ValueSource(strings = {"pool", ""})
    @Safety(44)
    void aVolumeWhoseFirstChunkIsLostIsNotFormattedAnew(String pool) throws Exception {
        var lv = marked("lost" + pool, pool, ContentMark.NO_FILESYSTEM);
        csi.publish(lv.lv(), target("m"), CsiClient.filesystem("ext4"), false);
        assertEquals(ContentMark.FILESYSTEM.tag(), tags(lv));
        Files.writeString(target("m").resolve("data"), "kept");
        csi.unpublish(lv.lv(), target("m"));
        sh("blkdiscard --force --zeroout --length 131072 /dev/" + lv);
        var refusal = refusal(lv.lv(), "ext4");
        assertTrue(refusal.contains("e2fsck -b 8193 /dev/mapper/"), refusal);
        sh("e2fsck -y -b 8193 /dev/" + lv + " || test $? = 1");
        csi.publish(lv.lv(), target("m"), CsiClient.filesystem("ext4"), false);
        assertEquals("kept", Files.readString(target("m").resolve("data")));
        csi.unpublish(lv.lv(), target("m"));
        remove(lv);
    }

    @Test
    void aPersonAllowsItByTheUuidOfTheVolumeOnce() throws Exception {
        var lv = marked("permitted", "pool", ContentMark.FILESYSTEM);
        var refusal = refusal(lv.lv(), "ext4");
        var uuid = lvm.volumes().find(lv).orElseThrow().uuid();
        assertTrue(
                refusal.endsWith(
                        "kubectl annotate logicalvolumes.topolvm.io pvc-permitted"
                                + " topolvm.io/allow-format="
                                + uuid),
                refusal);
        for (var value : List.of(ELSEWHERE, uuid)) {
            var object = OBJECTS.get(lv.lv()).object();
            OBJECTS.put(
                    lv.lv(),
                    LogicalVolume.of(
                            object.with(
                                    value, "metadata", "annotations", "topolvm.io/allow-format")));
            if (value.equals(ELSEWHERE)) {
                refusal(lv.lv(), "ext4");
            }
        }
        csi.publish(lv.lv(), target("m"), CsiClient.filesystem("ext4"), false);
        csi.unpublish(lv.lv(), target("m"));
        assertEquals(
                Optional.empty(),
                OBJECTS.get(lv.lv()).object().annotation("topolvm.io/allow-format"));
        remove(lv);
    }

    /** Somebody wrote its PersistentVolume anew and forgot the volumeMode. */
    @Test
    void aBlockVolumeGetsNoFilesystem() throws Exception {
        var lv = marked("rawdb", "pool", ContentMark.BLOCK);
        csi.publish(lv.lv(), target("dev"), CsiClient.block(SHARED), false);
        sh("yes RAWDB | head -c 1M | dd of=" + target("dev") + " conv=fsync status=none");
        csi.unpublish(lv.lv(), target("dev"));
        assertTrue(refusal(lv.lv(), "ext4").contains("was made as volumeMode: Block"));
        assertEquals("RAWDB", sh("head -c 5 /dev/" + lv));
        remove(lv);
    }

    @Test
    void aFilesystemFoundBesideAnotherTypeIsNotTouched() throws Exception {
        var lv = thin("foreign", 64 * MIB);
        sh("mkfs.ext4 -q /dev/pub/foreign");
        assertEquals(
                Code.FAILED_PRECONDITION,
                CsiClient.codeOf(
                        () ->
                                csi.publish(
                                        "foreign",
                                        target("f"),
                                        CsiClient.filesystem("xfs"),
                                        false)));
        assertEquals("ext4", sh("blkid -p -o value -s TYPE /dev/pub/foreign"));
        remove(lv);
    }

    /** As the API server would have them. */
    private static final class Objects implements KnownVolumes {
        @Override
        public LogicalVolume find(VolumeId volume) throws VolumeException {
            return Optional.ofNullable(OBJECTS.get(volume.text()))
                    .orElseThrow(() -> new VolumeException(StatusCode.NOT_FOUND, "no " + volume));
        }

        @Override
        public void takePermission(VolumeId volume) throws VolumeException {
            var object = find(volume);
            OBJECTS.put(
                    volume.text(),
                    LogicalVolume.of(
                            object.object()
                                    .without(
                                            "metadata",
                                            "annotations",
                                            object.driver().allowFormatAnnotation())));
        }
    }
}
