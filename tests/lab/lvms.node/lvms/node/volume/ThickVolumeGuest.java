package lvms.node.volume;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.ErasureConfig.ZeroVolumes;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.ResourceType;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.Json;
import lvms.k8s.yaml.Yaml;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.command.LvmCommands;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thick;
import lvms.tests.lab.machine.GuestArchive;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * The objects of thick volumes and their snapshots, and what a node makes of them on a real
 * device-mapper. Runs inside a lab node.
 */
class ThickVolumeGuest {
    private static final long MIB = 1L << 20;
    private static final int BLOCK = 64 << 10;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final String VG = "volumes";
    private static final ResourceType OLD = Driver.LEGACY.logicalVolumes();

    private static Lvm lvm;
    private static ApiServer server;
    private static KubeClient kube;
    private static EventRecorder events;
    private GroupLedgers groups;
    private MetricsRegistry metrics;
    private VolumeController controller;

    @BeforeAll
    static void open() throws Exception {
        sh("vgcreate -q -y " + VG + " /dev/ubdb /dev/ubdc");
        lvm = LvmCommands.open(GuestArchive.lvmOptions());
        server = ApiServer.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        for (var file : System.getProperty("lvms.crds").split(",")) {
            var crd = Yaml.read(Files.readString(Path.of(file))).asObject();
            kube.create(Types.CRD, KubeObject.of(crd));
        }
        await("the CRD is served", () -> kube.serves(LogicalVolume.TYPE) && kube.serves(OLD));
        events = EventRecorder.open(kube, Names.VG_MANAGER, Volumes.NODE);
    }

    @AfterAll
    static void close() throws Exception {
        events.close();
        kube.close();
        server.close();
        lvm.close();
        sh("vgremove -q -y -f " + VG);
    }

    private static NodeDeviceClass deviceClass(String name, ZeroVolumes zero, long rateBytes) {
        return new NodeDeviceClass(
                        name,
                        VG,
                        false,
                        new Thick(),
                        0,
                        Optional.empty(),
                        List.of(),
                        Optional.empty())
                .withErasure(new ErasurePolicy(zero, OnRemoval.NONE, rateBytes));
    }

    @BeforeEach
    void startAgent() {
        var classes =
                new DeviceClasses(
                        List.of(
                                deviceClass("thick", ZeroVolumes.ALL, 1L << 40),
                                deviceClass("slow", ZeroVolumes.NONE, 16 * MIB)),
                        Map.of());
        groups = new GroupLedgers(lvm);
        metrics = new MetricsRegistry();
        controller =
                new VolumeController(
                        kube,
                        Driver.TOPOLVM,
                        Volumes.NODE,
                        LiveDeviceClasses.of(classes),
                        groups,
                        _ -> {},
                        _ -> {},
                        events,
                        metrics);
        controller.start();
    }

    @AfterEach
    void nothingIsLeft() throws Exception {
        for (var object : kube.list(LogicalVolume.TYPE, ListOptions.all()).items()) {
            kube.delete(LogicalVolume.TYPE, object.key(), DeleteOptions.any());
        }
        await(
                "all objects are gone",
                () -> kube.list(LogicalVolume.TYPE, ListOptions.all()).items().isEmpty());
        controller.close();
        assertEquals("", sh("lvs --noheadings -o lv_name " + VG));
    }

    private void restartAgent() {
        controller.close();
        startAgent();
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, () -> "never: " + what);
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static LogicalVolume get(String name) throws Exception {
        return LogicalVolume.of(kube.get(LogicalVolume.TYPE, ObjectKey.cluster(name)));
    }

    private static LogicalVolume create(String name, long bytes, String source, String access)
            throws Exception {
        return create(name, bytes, "thick", source, access);
    }

    private static LogicalVolume create(
            String name, long bytes, String deviceClass, String source, String access)
            throws Exception {
        var spec =
                new LogicalVolume.Spec(
                        name,
                        Volumes.NODE,
                        Quantity.ofBytes(bytes),
                        deviceClass,
                        "",
                        source,
                        access);
        return LogicalVolume.of(
                kube.create(
                        LogicalVolume.TYPE, LogicalVolume.create(Driver.TOPOLVM, spec, Map.of())));
    }

    private static LogicalVolume made(String name) throws Exception {
        await(
                name + " is made: " + get(name).status(),
                () -> get(name).state() != LogicalVolume.State.PENDING);
        var there = get(name);
        assertEquals(LogicalVolume.State.READY, there.state(), there.status().message());
        return there;
    }

    private static void delete(String name) throws Exception {
        kube.delete(LogicalVolume.TYPE, ObjectKey.cluster(name), DeleteOptions.any());
    }

    private static void awaitGone(String name) throws Exception {
        await(
                name + " is gone",
                () -> kube.find(LogicalVolume.TYPE, ObjectKey.cluster(name)).isEmpty());
    }

    private static LvName nameOf(LogicalVolume volume) {
        return new LvName(VG, volume.uid());
    }

    private static Path device(LogicalVolume volume) {
        return Path.of("/dev", VG, volume.uid());
    }

    private static byte[] block(int seed, int number) {
        var content = new byte[BLOCK];
        new Random(seed * 1_000_003L + number).nextBytes(content);
        return content;
    }

    private static List<Integer> shuffled(LogicalVolume volume, int seed) {
        var blocks =
                IntStream.range(0, (int) (volume.bytes() / BLOCK))
                        .boxed()
                        .collect(Collectors.toList());
        Collections.shuffle(blocks, new Random(seed));
        return blocks;
    }

    /** Writes every block of a volume, in no order, to memory, and then has all written at once. */
    private static void overwrite(LogicalVolume volume, int seed) throws Exception {
        try (var channel = FileChannel.open(device(volume), StandardOpenOption.WRITE)) {
            for (int number : shuffled(volume, seed)) {
                channel.write(ByteBuffer.wrap(block(seed, number)), (long) number * BLOCK);
            }
            channel.force(true);
        }
    }

    private static void requireContent(LogicalVolume volume, int seed, long bytes)
            throws Exception {
        try (var channel = FileChannel.open(device(volume), StandardOpenOption.READ)) {
            var found = ByteBuffer.allocate(BLOCK);
            for (int number = 0; number < bytes / BLOCK; number++) {
                found.clear();
                while (found.hasRemaining()) {
                    channel.read(found, (long) number * BLOCK + found.position());
                }
                assertTrue(
                        ByteBuffer.wrap(block(seed, number)).equals(found.flip()),
                        volume.name() + " at block " + number);
            }
        }
    }

    @Test
    void aSnapshotDoesNotOverflowWhileItsGroupHasRoom() throws Exception {
        create("data", 900 * MIB, "", "");
        var data = made("data");
        create("snap", 900 * MIB, "data", "ro");
        var snapshot = made("snap");
        assertEquals(900 * MIB, snapshot.bytes());
        long before = storeBytes(snapshot);
        assertEquals(512 * MIB, before);
        overwrite(data, 2);
        assertTrue(storeBytes(snapshot) > before);
        assertEquals("0", bytesThatAreNotZero(snapshot, 0), "as it was made");
        assertEquals(StatusCode.OK, get("snap").status().code());
    }

    private static String bytesThatAreNotZero(LogicalVolume volume, int fromMib) throws Exception {
        return sh(
                "dd if=%s bs=1M skip=%d status=none | tr -d '\\000' | wc -c"
                        .formatted(device(volume), fromMib));
    }

    private static long storeBytes(LogicalVolume snapshot) throws Exception {
        return Long.parseLong(
                sh("lvs --noheadings --nosuffix --units b -o lv_size " + nameOf(snapshot)));
    }

    @Test
    @Safety(17)
    void oneThatOverflowsIsToldAlsoByTheNextAgent() throws Exception {
        create("data", 700 * MIB, "", "");
        var data = made("data");
        create("snap", 700 * MIB, "data", "ro");
        var snapshot = made("snap");
        sh("lvcreate -q -y -Wn -Zn -l 100%FREE -n filler " + VG);
        groups.refresh(VG);
        try {
            overwrite(data, 3);
            awaitLost();
            await(
                    "the Event says why",
                    () ->
                            events("SnapshotLost", snapshot)
                                    .anyMatch(note -> note.contains("no room left")));
            var healthy = "{\"status\":{\"code\":null,\"message\":null}}";
            kube.mergePatchStatus(
                    LogicalVolume.TYPE, snapshot.object().key(), Json.parse(healthy).asObject());
            restartAgent();
            awaitLost();
        } finally {
            sh("lvremove -q -y " + VG + "/filler");
        }
        delete("snap");
        awaitGone("snap");
    }

    private static Stream<String> events(String reason, LogicalVolume volume) throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(event -> event.text("reason").orElse("").equals(reason))
                .filter(event -> event.text("regarding", "uid").orElse("").equals(volume.uid()))
                .map(event -> event.text("note").orElse(""));
    }

    private static void awaitLost() throws Exception {
        await("the snapshot is lost", () -> get("snap").lost());
        var text = get("snap").status().message();
        assertTrue(text.startsWith("the snapshot is lost: "), text);
    }

    @Test
    void aVolumeThatIsDeletedStaysAsLongAsItsSnapshot() throws Exception {
        create("data", 64 * MIB, "", "");
        var data = made("data");
        overwrite(data, 4);
        create("snap", 64 * MIB, "data", "ro");
        var snapshot = made("snap");
        delete("data");
        await(
                "the status says why it stays",
                () ->
                        get("data")
                                .status()
                                .message()
                                .equals(
                                        "the volume is kept until its last snapshot is gone:"
                                                + " snap"));
        requireContent(snapshot, 4, snapshot.bytes());
        delete("snap");
        awaitGone("snap");
        awaitGone("data");
    }

    @Test
    void aRestoreHasTheContentOfTheSnapshotAndMayBeLarger() throws Exception {
        create("data", 64 * MIB, "", "");
        var data = made("data");
        overwrite(data, 5);
        create("snap", 64 * MIB, "data", "ro");
        made("snap");
        overwrite(data, 6);
        create("same", 64 * MIB, "snap", "rw");
        create("larger", 96 * MIB, "snap", "rw");
        requireContent(made("same"), 5, 64 * MIB);
        var larger = made("larger");
        assertEquals(96 * MIB, larger.bytes());
        requireContent(larger, 5, 64 * MIB);
        assertEquals("0", bytesThatAreNotZero(larger, 64));
        await("there is an Event", () -> events("VolumeCopied", larger).findAny().isPresent());
        delete("snap");
        awaitGone("snap"); // nobody needs it any more
        requireContent(made("same"), 5, 64 * MIB);
    }

    private static String heldStill() throws Exception {
        return sh("lvs --noheadings -o lv_name " + VG + " | grep lvms-still- || true");
    }

    /** Somebody writes to it meanwhile. */
    @Test
    void aCloneIsOfOneInstant() throws Exception {
        create("data", 64 * MIB, "", "");
        var data = made("data");
        overwrite(data, 7);
        var begun = create("clone", 64 * MIB, "slow", "data", "rw");
        await("the source is held still", () -> !heldStill().isEmpty());
        overwrite(data, 8);
        await("its progress is told", () -> events("VolumeCopying", begun).findAny().isPresent());
        assertEquals(LogicalVolume.State.PENDING, get("clone").state());
        var clone = made("clone");
        requireContent(clone, 7, clone.bytes());
        requireContent(data, 8, data.bytes());
        assertEquals("", heldStill());
    }

    @Test
    void aCopyThatIsNotWantedAnyMoreLeavesNothing() throws Exception {
        create("data", 96 * MIB, "", "");
        made("data");
        create("clone", 96 * MIB, "slow", "data", "rw");
        await("it is being copied", () -> !heldStill().isEmpty());
        delete("clone");
        awaitGone("clone");
        assertEquals("", heldStill());
        assertEquals(made("data").uid(), sh("lvs --noheadings -o lv_name " + VG));
    }

    /**
     * TopoLVM of NativeStor 2.0 to 2.2 took snapshots of thick volumes. Its objects had neither a
     * source nor an access type.
     */
    @Test
    void aSnapshotThatAnotherProgramTookIsKnownByLvm() throws Exception {
        create("data", 64 * MIB, "", "");
        var data = made("data");
        overwrite(data, 10);
        controller.close();
        var old = create("old", 64 * MIB, "", "");
        sh("lvcreate -q -y -s -L 68M -n " + old.uid() + " " + nameOf(data));
        var status = "{\"status\":{\"volumeID\":\"%s\",\"currentSize\":\"64Mi\"}}";
        kube.mergePatchStatus(
                LogicalVolume.TYPE,
                old.object().key(),
                Json.parse(status.formatted(old.uid())).asObject());
        startAgent();
        await("it is known as a snapshot", () -> get("old").isSnapshot());
        assertEquals(
                Optional.of(data.uid()),
                get("old").object().annotation(Driver.TOPOLVM.sourceVolumeAnnotation()));
        overwrite(data, 11);
        create("copy", 64 * MIB, "old", "rw");
        requireContent(made("copy"), 10, 64 * MIB);
        delete("data");
        await(
                "the volume stays for it",
                () -> get("data").status().message().startsWith("the volume is kept until"));
        delete("old");
        awaitGone("old");
        awaitGone("data");
    }

    /** A volume as TopoLVM of NativeStor left it: in its own group, and in LVM without any tag. */
    private static LogicalVolume ofNativeStor(String name, long bytes, String lvcreate)
            throws Exception {
        var object =
                KubeObject.create(OLD, ObjectKey.cluster(name))
                        .with(name, "spec", "name")
                        .with(Volumes.NODE, "spec", "nodeName")
                        .with(Long.toString(bytes), "spec", "size")
                        .with("thick", "spec", "deviceClass");
        var created = kube.create(OLD, object);
        sh("lvcreate -q -y -n " + created.uid() + " " + lvcreate);
        var status = "{\"status\":{\"volumeID\":\"%s\",\"currentSize\":\"%d\"}}";
        return LogicalVolume.of(
                kube.mergePatchStatus(
                        OLD,
                        created.key(),
                        Json.parse(status.formatted(created.uid(), bytes)).asObject()));
    }

    private static void removeOld(String name) throws Exception {
        var key = ObjectKey.cluster(name);
        kube.delete(OLD, key, DeleteOptions.any());
        await(name + " is gone", () -> kube.find(OLD, key).isEmpty());
    }

    private VolumeController startOldGroup() {
        var old = controller.beside(Driver.LEGACY, _ -> {});
        old.start();
        return old;
    }

    /** No pass of the next agent writes that it is a snapshot: the object says so already. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Safety(17)
    void theStoreOfASnapshotThatNativeStorTookGrows(boolean byTheNextAgent) throws Exception {
        var data = ofNativeStor("data", 256 * MIB, "-L 256M " + VG);
        overwrite(data, 12);
        var taken = ofNativeStor("taken", 256 * MIB, "-s -L 128M " + VG + "/" + data.uid());
        var old = startOldGroup();
        try {
            await(
                    "it is known as a snapshot",
                    () -> LogicalVolume.of(kube.get(OLD, taken.object().key())).isSnapshot());
            if (byTheNextAgent) {
                old.close();
                restartAgent();
                old = startOldGroup();
            }
            await(
                    "its store is looked after",
                    () -> metrics.text().contains("lvms_thick_snapshot_fullest_percent{"));
            overwrite(data, 13);
            assertTrue(storeBytes(taken) > 256 * MIB, "its whole volume was written");
            requireContent(taken, 12, 256 * MIB);
            removeOld("taken");
            removeOld("data");
        } finally {
            old.close();
        }
    }

    @Test
    void aSnapshotIsKeptWhileItIsCopied() throws Exception {
        create("data", 64 * MIB, "", "");
        var data = made("data");
        overwrite(data, 9);
        create("snap", 64 * MIB, "data", "ro");
        made("snap");
        var begun = create("copy", 64 * MIB, "slow", "snap", "rw");
        await("it is being copied", () -> events("VolumeCopying", begun).findAny().isPresent());
        delete("snap");
        await(
                "the status says why it stays",
                () -> get("snap").status().message().equals("copy is still being copied from it"));
        requireContent(made("copy"), 9, 64 * MIB);
        awaitGone("snap");
    }
}
