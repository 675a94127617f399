package lvms.node;

import static lvms.node.csi.CsiClient.codeOf;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.grpc.Status.Code;

import lvms.api.nativestor.RawDevice;
import lvms.deploy.Patience;
import lvms.k8s.client.KubeClient;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.tree.Tree;
import lvms.lvm2.filesystem.MountTable;
import lvms.lvm2.filesystem.Mounts;
import lvms.node.csi.CsiClient;
import lvms.node.rawdevice.RawDevices;
import lvms.proto.csi.v1.NodeGetCapabilitiesRequest;
import lvms.proto.csi.v1.NodeGetInfoRequest;
import lvms.proto.csi.v1.NodeServiceCapability.RPC;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Raw devices reach pods: the right disk under any name, or none. Loop devices stand for disks. */
@Timeout(240)
class RawDeviceNodeTests {
    private static final long MIB = 1L << 20;
    private static final String NODE = "n1";
    private static final VolumeCapability BLOCK = CsiClient.block(Mode.SINGLE_NODE_WRITER);

    @TempDir Path temp;
    private Path kubelet;
    private LoopDisks disks;
    private ApiServer server;
    private KubeClient kube;
    private RawDevices devices;
    private RawDeviceNode node;
    private CsiClient csi;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(LoopDisks.possible(), "needs root and loop devices");
        disks = new LoopDisks(temp);
        kubelet = Files.createDirectories(temp.toRealPath().resolve("kubelet"));
        Files.createDirectories(kubelet.resolve("plugins_registry"));
        server = Servers.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        Definitions.install(kube, Definitions.NATIVESTOR);
    }

    /** Begins to serve, when the objects are there. */
    private void serve() throws Exception {
        devices = new RawDevices(kube, NODE, true);
        devices.start(() -> {});
        Patience.until("the objects are known", devices::synced);
        var settings = CsiNodeSettings.ofRawDevices(kubelet, NODE, "test");
        node = new RawDeviceNode(settings, devices, new MetricsRegistry());
        node.start();
        csi = new CsiClient(node.socket());
    }

    @AfterEach
    void stop() throws Exception {
        if (node != null) {
            csi.close();
            node.close();
            devices.close();
        }
        if (server != null) {
            kube.close();
            server.close();
        }
        for (var mount : MountTable.read().mounts().reversed()) {
            if (mount.mountPoint().startsWith(temp.toRealPath())) {
                Mounts.unmount(mount.mountPoint());
            }
        }
        if (disks != null) {
            disks.close();
        }
    }

    /** A disk that shows which one it is. */
    private Path disk(String text) throws Exception {
        var disk = disks.add(16 * MIB);
        try (var channel = FileChannel.open(disk, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)));
            channel.force(true);
        }
        return disk;
    }

    private static String text(Path target) throws Exception {
        try (var lines = Files.newBufferedReader(target, StandardCharsets.ISO_8859_1)) {
            return lines.readLine();
        }
    }

    /** The RawDevice of a disk, which a volume has. */
    private String allocated(Path disk, boolean identified) throws Exception {
        var number = LoopDisks.run("stat", "--format=%Hr %Lr", disk.toString()).strip().split(" ");
        var spec =
                new RawDevice.Spec(
                        NODE,
                        16 * MIB,
                        "loop",
                        disk.toString(),
                        Integer.parseInt(number[0]),
                        Integer.parseInt(number[1]),
                        "",
                        true,
                        "");
        var file = Files.readString(Path.of("/sys/block", name(disk), "loop/backing_file")).strip();
        var identity = identified ? Map.of("BACKING_FILE", file) : Map.<String, String>of();
        var id = RawDevice.nameOf(NODE, disk.toString());
        kube.create(RawDevice.TYPE, RawDevice.create(id, spec, identity));
        kube.mergePatchStatus(
                RawDevice.TYPE,
                ObjectKey.cluster(id),
                ObjectTree.EMPTY.with(Tree.of(id), "status", "name"));
        return id;
    }

    private static String name(Path disk) {
        return disk.getFileName().toString();
    }

    private Path target(String name) {
        return kubelet.resolve(name);
    }

    private Code published(String volume, Path target) {
        return codeOf(() -> csi.publish(volume, target, BLOCK, false));
    }

    @Test
    void kubeletLearnsWhereTheDriverIsAndWhatItCan() throws Exception {
        serve();
        assertTrue(
                Files.exists(
                        kubelet.resolve("plugins/nativestor.alauda.io/node/csi-rawdevice.sock")));
        assertTrue(Files.exists(kubelet.resolve("plugins_registry/nativestor.alauda.io-reg.sock")));
        var info = csi.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
        assertEquals(NODE, info.getNodeId());
        assertEquals(
                Map.of("topology.nativestor.alauda.io/node", NODE),
                info.getAccessibleTopology().getSegmentsMap());
        var can = csi.node().nodeGetCapabilities(NodeGetCapabilitiesRequest.getDefaultInstance());
        assertEquals(
                Set.of(
                        RPC.Type.GET_VOLUME_STATS,
                        RPC.Type.VOLUME_CONDITION,
                        RPC.Type.SINGLE_NODE_MULTI_WRITER),
                can.getCapabilitiesList().stream()
                        .map(capability -> capability.getRpc().getType())
                        .collect(Collectors.toSet()));
        assertEquals(Code.UNIMPLEMENTED, codeOf(() -> csi.expand("v", target("a"), 32 * MIB)));
    }

    @Test
    void aVolumeIsPublishedAndTakenBackAsOftenAsKubeletAsks() throws Exception {
        var id = allocated(disk("one"), true);
        serve();
        assertEquals(Code.OK, published(id, target("a")));
        assertEquals(Code.OK, published(id, target("a")));
        assertEquals("one", text(target("a")));
        var stats = csi.stats(id, target("a").toString());
        assertEquals(16 * MIB, stats.getUsage(0).getTotal());
        assertFalse(stats.getVolumeCondition().getAbnormal());
        csi.unpublish(id, target("a"));
        csi.unpublish(id, target("a"));
        assertFalse(Files.exists(target("a")));
    }

    @Test
    void aReadOnlyPublicationIsOne() throws Exception {
        var id = allocated(disk("one"), true);
        serve();
        csi.publish(id, target("a"), BLOCK, true);
        var mount = MountTable.read().at(target("a")).orElseThrow();
        assertTrue(mount.options().contains("ro"));
    }

    @Test
    void aClaimForAFilesystemIsToldWhatItHasToSay() throws Exception {
        var disk = disk("one");
        var id = allocated(disk, true);
        serve();
        var before = LoopDisks.checksum(disk);
        assertEquals(
                Code.INVALID_ARGUMENT,
                codeOf(() -> csi.publish(id, target("a"), CsiClient.filesystem("ext4"), false)));
        assertEquals(before, LoopDisks.checksum(disk));
    }

    @Test
    void disksThatExchangedTheirNamesReachTheirOwnPods() throws Exception {
        var one = disk("one");
        var two = disk("two");
        var first = allocated(one, true);
        var second = allocated(two, true);
        disks.exchange(one, two);
        serve();
        assertEquals(Code.OK, published(first, target("a")));
        assertEquals(Code.OK, published(second, target("b")));
        assertEquals("one", text(target("a")));
        assertEquals("two", text(target("b")));
    }

    @Test
    void anotherDiskUnderTheOldNameIsNotPublished() throws Exception {
        var one = disk("one");
        var id = allocated(one, true);
        LoopDisks.run("losetup", "--detach", one.toString());
        var other = temp.resolve("other.img");
        LoopDisks.run("truncate", "--size=16M", other.toString());
        LoopDisks.run("losetup", one.toString(), other.toString());
        serve();
        assertEquals(Code.FAILED_PRECONDITION, published(id, target("a")));
        assertFalse(Files.exists(target("a")));
    }

    @Test
    void aVolumeWhoseDiskVanishesIsAbnormalAndItsPodCanEnd() throws Exception {
        var one = disk("one");
        var spare = disk("spare");
        var id = allocated(one, true);
        serve();
        assertEquals(Code.OK, published(id, target("a")));
        LoopDisks.run("losetup", "--detach", one.toString());
        Patience.until(
                "the volume is abnormal",
                () -> csi.stats(id, target("a").toString()).getVolumeCondition().getAbnormal());
        var message = csi.stats(id, target("a").toString()).getVolumeCondition().getMessage();
        assertTrue(message.startsWith("the disk of the volume is gone; it was " + one), message);
        csi.unpublish(id, target("a"));
        assertFalse(Files.exists(target("a")));
        LoopDisks.run("losetup", one.toString(), temp.resolve("disk0.img").toString());
        assertEquals("spare", text(spare));
    }

    @Test
    void whatNativestorPublishedIsTakenBack() throws Exception {
        var disk = disk("one");
        var id = allocated(disk, false);
        serve();
        mknod(target("a"), disk);
        csi.unpublish(id, target("a"));
        assertFalse(Files.exists(target("a")));
    }

    /** NativeStor knew a disk by its number alone, and kubelet asks again after a start. */
    @Test
    void aPodGoesOnOverADeviceNodeOfNativestorWhileOursStarts() throws Exception {
        var disk = disk("one");
        var id = allocated(disk, false);
        mknod(target("a"), disk);
        try (var pod = FileChannel.open(target("a"), StandardOpenOption.WRITE)) {
            pod.write(ByteBuffer.wrap("two\n".getBytes(StandardCharsets.UTF_8)), 0);
            serve();
            assertEquals(Code.OK, published(id, target("a")));
            assertFalse(csi.stats(id, target("a").toString()).getVolumeCondition().getAbnormal());
            pod.write(ByteBuffer.wrap("six\n".getBytes(StandardCharsets.UTF_8)), 0);
            pod.force(true);
        }
        assertEquals("six", text(disk));
        csi.unpublish(id, target("a"));
        assertFalse(Files.exists(target("a")));
        assertTrue(RawDevice.of(kube.get(RawDevice.TYPE, ObjectKey.cluster(id))).allocated());
        assertEquals("six", text(disk));
    }

    @Test
    void aDeviceNodeOfNativestorThatIsAnotherDiskByNowIsReplaced() throws Exception {
        var one = disk("one");
        var id = allocated(one, false);
        serve();
        mknod(target("a"), disk("two"));
        assertEquals(Code.OK, published(id, target("a")));
        assertEquals("one", text(target("a")));
    }

    private static void mknod(Path target, Path disk) throws Exception {
        var number = LoopDisks.run("stat", "--format=%Hr %Lr", disk.toString()).strip().split(" ");
        LoopDisks.run("mknod", target.toString(), "b", number[0], number[1]);
    }

    @Test
    void anUnknownVolumeIsNotFound() throws Exception {
        serve();
        assertEquals(Code.NOT_FOUND, published("0123456789abcdef", target("a")));
    }

    @Test
    void aFreeDeviceIsNoVolume() throws Exception {
        var id = allocated(disk("one"), true);
        kube.mergePatchStatus(
                RawDevice.TYPE,
                ObjectKey.cluster(id),
                ObjectTree.EMPTY.with(Tree.of(""), "status", "name"));
        serve();
        assertEquals(Code.NOT_FOUND, published(id, target("a")));
    }
}
