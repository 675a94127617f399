package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.deploy.Roles;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Faults.Seen;
import lvms.k8s.tree.ListTree;
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.DeviceScope;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.LvmOptions;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.Now;
import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.device.DeviceMapper;
import lvms.lvm2.system.Program;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thick;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * LogicalVolume objects become volumes in LVM and go with them, whatever is cut in between: real
 * LVM on a loop device (metadata alone where there is no device-mapper), an API server over HTTPS.
 */
@Timeout(120)
class VolumeControllerTests {
    private static final String VG = "lvmsvolumes" + ProcessHandle.current().pid();
    private static final long MIB = 1L << 20;

    @TempDir Path folder;
    private final LiveDeviceClasses classes = new LiveDeviceClasses();
    private final AtomicInteger capacityReports = new AtomicInteger();
    private String loop;
    private Lvm lvm;
    private ApiServer server;
    private KubeClient kube;
    private KubeClient agentKube;
    private EventRecorder events;
    private VolumeController controller;

    @BeforeEach
    void start() throws Exception {
        assumeTrue(
                "root".equals(System.getProperty("user.name"))
                        && Files.isWritable(Path.of("/dev/loop-control")),
                "needs root and loop devices");
        loop = loopDevice(256 * MIB);
        lvm =
                LvmCommands.open(
                                LvmOptions.defaults()
                                        .withSystemDir(
                                                folder.resolve("lvm"),
                                                false,
                                                DeviceMapper.system().available())
                                        .withEngine(LvmOptions.Engine.EXEC))
                        .limitedTo(DeviceScope.only(List.of(Path.of(loop))));
        lvm.groups().create(new NewVolumeGroup(VG, List.of(Path.of(loop)), Set.of("lvms")));
        server = Servers.start();
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), "test")
                        .withFieldManager("test");
        agentKube =
                KubeClient.open(
                                KubeConfig.load(Optional.of(server.kubeconfig(folder))),
                                Names.VG_MANAGER)
                        .withFieldManager(Names.VG_MANAGER);
        Definitions.install(kube, List.of("topolvm.io_logicalvolumes"));
        await("the CRD is served", () -> kube.serves(LogicalVolume.TYPE));
        classes.publish(new DeviceClasses(List.of(deviceClass("thick")), Map.of()));
        events = EventRecorder.open(agentKube, Names.VG_MANAGER, Volumes.NODE);
        controller = controller();
    }

    @AfterEach
    void stop() throws Exception {
        if (server != null) {
            controller.close();
            events.close();
            Roles.requireAllowed(server.faults().requests(), Names.VG_MANAGER, Roles.AGENT);
            agentKube.close();
            kube.close();
            server.close();
        }
        if (lvm != null) {
            for (var lv : lvm.volumes().all(VG)) {
                lvm.volumes().remove(Now.volume(lvm, lv.name()));
            }
            lvm.groups().remove(Now.group(lvm, VG));
            lvm.close();
        }
        if (loop != null) {
            run("losetup", "--detach", loop);
        }
    }

    private String loopDevice(long sizeBytes) throws Exception {
        var image = folder.resolve("disk.img");
        try (var file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(sizeBytes);
        }
        return run("losetup", "--find", "--show", image.toString()).strip();
    }

    private static String run(String... command) throws Exception {
        var result = Program.of(Duration.ofSeconds(30), command).run();
        assertTrue(result.succeeded(), () -> String.join(" ", command) + ": " + result);
        return result.stdout();
    }

    private static NodeDeviceClass deviceClass(String name) {
        return new NodeDeviceClass(
                name, VG, true, new Thick(), 0, Optional.empty(), List.of(), Optional.empty());
    }

    private VolumeController controller() {
        var next =
                new VolumeController(
                        agentKube,
                        Driver.TOPOLVM,
                        Volumes.NODE,
                        classes,
                        new GroupLedgers(lvm),
                        capacityReports::incrementAndGet,
                        events,
                        new MetricsRegistry());
        next.start();
        return next;
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(30).toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, "never: " + what);
            LockSupport.parkNanos(2_000_000);
        }
    }

    private LogicalVolume create(String name, String size) throws Exception {
        return create(name, size, "thick", "", "");
    }

    private LogicalVolume create(
            String name, String size, String deviceClass, String source, String access)
            throws Exception {
        var spec =
                new LogicalVolume.Spec(
                        name, Volumes.NODE, Quantity.parse(size), deviceClass, "", source, access);
        return LogicalVolume.of(kube.create(LogicalVolume.TYPE, Volumes.unclaimed(spec)));
    }

    private LogicalVolume get(String name) throws Exception {
        return LogicalVolume.of(kube.get(LogicalVolume.TYPE, ObjectKey.cluster(name)));
    }

    private LogicalVolume made(String name) throws Exception {
        await(name + " is made", () -> get(name).status().currentSize().isPresent());
        return get(name);
    }

    private void failed(String name, int code) throws Exception {
        await(name + " fails", () -> get(name).status().code() != StatusCode.OK);
        assertEquals(code, get(name).status().code().number(), get(name).status().message());
    }

    private boolean exists(String name) throws Exception {
        return kube.find(LogicalVolume.TYPE, ObjectKey.cluster(name)).isPresent();
    }

    private void requestDeletion(String name) throws Exception {
        kube.delete(LogicalVolume.TYPE, ObjectKey.cluster(name), DeleteOptions.any());
    }

    private void delete(String name) throws Exception {
        requestDeletion(name);
        await(name + " is gone", () -> !exists(name));
    }

    private void patch(String name, String part, String field, String value) throws Exception {
        var fields = ObjectTree.builder();
        fields.put(field, value);
        var patch = ObjectTree.builder();
        patch.put(part, fields.build());
        var key = ObjectKey.cluster(name);
        if (part.equals("status")) {
            kube.mergePatchStatus(LogicalVolume.TYPE, key, patch.build());
        } else {
            kube.mergePatch(LogicalVolume.TYPE, key, patch.build());
        }
    }

    private Set<String> inLvm() throws Exception {
        return lvm.volumes().all(VG).stream().map(lv -> lv.name().lv()).collect(Collectors.toSet());
    }

    private List<String> writes(String name) {
        return server.faults().requests().stream()
                .filter(r -> r.target().contains("/logicalvolumes/" + name))
                .filter(r -> !r.method().equals("GET"))
                .map(Seen::method)
                .toList();
    }

    private static boolean isStatusWrite(Seen request) {
        return request.method().equals("PATCH") && request.target().endsWith("/status");
    }

    @Test
    void aVolumeTakesTwoWritesAndItsDeletionOne() throws Exception {
        create("pvc-1", "10Mi");
        var volume = made("pvc-1");
        assertEquals(volume.object().uid(), volume.status().volumeId());
        assertEquals(12 * MIB, volume.status().currentSize().orElseThrow().bytes());
        assertEquals(List.of(Driver.TOPOLVM.volumeFinalizer()), volume.object().finalizers());
        assertEquals(Names.CREATED_BY, volume.object().labels().get(Names.CREATED_BY_LABEL));
        assertEquals(Set.of(volume.object().uid()), inLvm());
        delete("pvc-1");
        assertEquals(List.of("PATCH", "PATCH", "DELETE", "PATCH"), writes("pvc-1"));
        assertEquals(Set.of(), inLvm());
        assertEquals(2, capacityReports.get());
    }

    @Test
    void aVolumeWhoseStatusWasNeverWrittenIsFoundByTheNextProcess() throws Exception {
        server.faults().answer(VolumeControllerTests::isStatusWrite, 1000, 500, "down");
        create("pvc-1", "8Mi");
        await("it is in LVM", () -> inLvm().size() == 1);
        var before = lvm.volumes().all(VG).getFirst().uuid();
        controller.close();
        server.faults().clear();
        controller = controller();
        assertEquals(get("pvc-1").object().uid(), made("pvc-1").status().volumeId());
        assertEquals(before, lvm.volumes().all(VG).getFirst().uuid());
        assertEquals(1, inLvm().size());
    }

    @Test
    void aStatusAnswerThatIsLostIsWrittenOnce() throws Exception {
        server.faults().cutAfter(VolumeControllerTests::isStatusWrite, 1);
        create("pvc-1", "8Mi");
        made("pvc-1");
        assertEquals(1, inLvm().size());
    }

    @Test
    void aVolumeDeletedBeforeItsStatusWasWrittenLeavesNothing() throws Exception {
        server.faults().answer(VolumeControllerTests::isStatusWrite, 1000, 500, "down");
        create("pvc-1", "8Mi");
        await("it is in LVM", () -> inLvm().size() == 1);
        delete("pvc-1");
        assertEquals(Set.of(), inLvm());
    }

    @Test
    void failuresHaveTheirCodesAndAreDeletable() throws Exception {
        create("pvc-big", "1Ti");
        failed("pvc-big", 8);
        create("pvc-class", "4Mi", "none", "", "");
        failed("pvc-class", 5);
        create("pvc-source", "4Mi", "thick", "no-such-volume", "rw");
        failed("pvc-source", 5);
        create("pvc-ok", "4Mi");
        made("pvc-ok");
        create("pvc-copy", "4Mi", "thick", "pvc-ok", "rw");
        failed("pvc-copy", 12);
        create("pvc-access", "4Mi", "thick", "pvc-ok", "sideways");
        failed("pvc-access", 3);
        for (var name : List.of("pvc-big", "pvc-class", "pvc-source", "pvc-copy", "pvc-access")) {
            delete(name);
        }
        assertEquals(1, inLvm().size());
    }

    @Test
    void aVolumeGrowsAndAFailedGrowthIsForgotten() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        patch("pvc-1", "spec", "size", "1Ti");
        failed("pvc-1", 8);
        patch("pvc-1", "spec", "size", "16Mi");
        await("it grows", () -> get("pvc-1").status().code() == StatusCode.OK);
        assertEquals(16 * MIB, get("pvc-1").status().currentSize().orElseThrow().bytes());
        assertEquals(16 * MIB, lvm.volumes().all(VG).getFirst().sizeBytes());
    }

    @Test
    void aVolumeThatTopolvmFoundWithoutItsSizeIsMeasured() throws Exception {
        controller.close();
        var uid = create("pvc-1", "8Mi").object().uid();
        lvm.volumes().createThick(new NewThickVolume(new LvName(VG, uid), 8 * MIB, Set.of()));
        patch("pvc-1", "status", "volumeID", uid);
        controller = controller();
        assertEquals(8 * MIB, made("pvc-1").status().currentSize().orElseThrow().bytes());
    }

    @Test
    void aVolumeOfARemovedClassIsRemovedFromLvm() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        classes.publish(DeviceClasses.none());
        delete("pvc-1");
        assertEquals(Set.of(), inLvm());
    }

    @Test
    void aVolumeWhoseGroupIsAwayWaitsWithTheReason() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        controller.close();
        lvm.volumes().remove(Now.volume(lvm, new LvName(VG, get("pvc-1").object().uid())));
        var away =
                new NodeDeviceClass(
                        "thick",
                        "away",
                        true,
                        new Thick(),
                        0,
                        Optional.empty(),
                        List.of(),
                        Optional.empty());
        classes.publish(new DeviceClasses(List.of(away), Map.of()));
        controller = controller();
        requestDeletion("pvc-1");
        failed("pvc-1", 9);
        assertTrue(get("pvc-1").status().message().contains("away"));
        classes.publish(DeviceClasses.none());
        await("it is gone", () -> !exists("pvc-1"));
    }

    @Test
    void theDataOfADeletedNodeStays() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        var annotations = ObjectTree.builder();
        annotations.put(Driver.TOPOLVM.pendingDeletionAnnotation(), "true");
        var metadata = ObjectTree.builder();
        metadata.put("annotations", annotations.build());
        metadata.put("finalizers", ListTree.EMPTY);
        var patch = ObjectTree.builder();
        patch.put("metadata", metadata.build());
        kube.mergePatch(LogicalVolume.TYPE, ObjectKey.cluster("pvc-1"), patch.build());
        requestDeletion("pvc-1");
        await("it is gone", () -> !exists("pvc-1"));
        assertEquals(1, inLvm().size());
    }

    @Test
    void theDataStaysWhenTheWholeTypeIsDeleted() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        server.faults().forgetRequests();
        kube.delete(
                Types.CRD,
                ObjectKey.cluster(LogicalVolume.TYPE.qualifiedPlural()),
                DeleteOptions.any());
        await("it is asked to go", () -> get("pvc-1").object().terminating());
        await(
                "the definition was looked at",
                () ->
                        server.faults().requests().stream()
                                .filter(r -> r.method().equals("GET"))
                                .anyMatch(r -> r.target().contains("customresourcedefinitions")));
        controller.close(); // ends its passes first
        assertEquals(1, inLvm().size());
    }

    @Test
    void anotherNodesVolumesAreNotTouched() throws Exception {
        var spec =
                new LogicalVolume.Spec(
                        "pvc-other", "n2", Quantity.parse("8Mi"), "thick", "", "", "");
        kube.create(LogicalVolume.TYPE, Volumes.unclaimed(spec));
        create("pvc-1", "8Mi");
        made("pvc-1");
        assertEquals(List.of(), get("pvc-other").object().finalizers());
        assertFalse(inLvm().contains(get("pvc-other").object().uid()));
    }
}
