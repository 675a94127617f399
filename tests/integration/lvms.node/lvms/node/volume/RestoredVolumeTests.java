package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.api.UnclaimedVolume;
import lvms.deploy.Roles;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
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
import lvms.tests.runner.Safety;
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
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;

/**
 * LogicalVolumes that were deleted without their volumes and made again, as from a backup, find
 * them: real LVM on a loop device, an API server over HTTPS.
 */
@Timeout(120)
@Safety(14)
class RestoredVolumeTests {
    private static final String VG = "lvmsrestored" + ProcessHandle.current().pid();
    private static final long MIB = 1L << 20;
    private static final String OLD = "0e3b4c5d-1111-2222-3333-444455556666";

    @TempDir Path folder;
    private final LiveDeviceClasses classes = new LiveDeviceClasses();
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
                        () -> {},
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
        var spec =
                new LogicalVolume.Spec(
                        name, Volumes.NODE, Quantity.parse(size), "thick", "", "", "");
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

    private Set<String> inLvm() throws Exception {
        return lvm.volumes().all(VG).stream().map(lv -> lv.name().lv()).collect(Collectors.toSet());
    }

    /** Makes the object again, with the annotations that it had. */
    private void restore(LogicalVolume before) throws Exception {
        var again =
                LogicalVolume.create(Driver.TOPOLVM, before.spec(), before.object().annotations());
        kube.create(LogicalVolume.TYPE, again);
    }

    /** Deletes the object and leaves LVM alone. */
    private LogicalVolume lose(String name) throws Exception {
        var last = get(name);
        controller.close();
        kube.removeFinalizer(LogicalVolume.TYPE, last.object(), Driver.TOPOLVM.volumeFinalizer());
        delete(name);
        controller = controller();
        return last;
    }

    private LogicalVolume annotated(LogicalVolume volume, String volumeId) {
        return LogicalVolume.of(
                volume.object()
                        .with(
                                volumeId,
                                "metadata",
                                "annotations",
                                Driver.TOPOLVM.volumeIdAnnotation()));
    }

    private String topolvms(String name) throws Exception {
        var volume = new LvName(VG, name);
        return lvm.volumes().createThick(new NewThickVolume(volume, 8 * MIB, Set.of())).uuid();
    }

    @Test
    void aVolumeIsFoundByItsTag() throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        restore(lose("pvc-1"));
        assertEquals(id, made("pvc-1").status().volumeId());
        assertNotEquals(id, get("pvc-1").uid());
        assertEquals(Set.of(id), inLvm());
        delete("pvc-1");
        assertEquals(Set.of(), inLvm());
    }

    @Test
    void aRestoredVolumeGrows() throws Exception {
        create("pvc-1", "8Mi");
        made("pvc-1");
        restore(lose("pvc-1"));
        made("pvc-1");
        var patch = ObjectTree.builder();
        patch.put("size", "16Mi");
        var spec = ObjectTree.builder();
        spec.put("spec", patch.build());
        kube.mergePatch(LogicalVolume.TYPE, ObjectKey.cluster("pvc-1"), spec.build());
        await("it grows", () -> get("pvc-1").bytes() == 16 * MIB);
        assertEquals(16 * MIB, lvm.volumes().all(VG).getFirst().sizeBytes());
    }

    @Test
    void aVolumeOfTopolvmIsFoundByTheAnnotation() throws Exception {
        topolvms(OLD);
        restore(annotated(volume("pvc-1"), OLD));
        assertEquals(OLD, made("pvc-1").status().volumeId());
        assertEquals(Set.of(OLD), inLvm());
    }

    @Test
    void aVolumeOfTopolvmIsFoundByItsPersistentVolume() throws Exception {
        topolvms(OLD);
        kube.create(Types.PV, persistentVolume("pvc-1", OLD));
        restore(volume("pvc-1"));
        assertEquals(OLD, made("pvc-1").status().volumeId());
        assertEquals(Set.of(OLD), inLvm());
    }

    @Test
    void noEmptyVolumeIsMadeForOneThatIsAwayAndItIsFoundWhenItComesBack() throws Exception {
        kube.create(Types.PV, persistentVolume("pvc-1", OLD));
        restore(volume("pvc-1"));
        failed("pvc-1", 5);
        assertTrue(get("pvc-1").status().message().contains(OLD), get("pvc-1").status().message());
        assertEquals(Set.of(), inLvm());
        topolvms(OLD);
        controller.close();
        controller = controller();
        assertEquals(OLD, made("pvc-1").status().volumeId());
        assertEquals(StatusCode.OK, get("pvc-1").status().code());
    }

    @Test
    void theVolumeOfAnotherObjectIsNotTaken() throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        restore(annotated(volume("pvc-2"), id));
        failed("pvc-2", 9);
        delete("pvc-2");
        assertEquals(Set.of(id), inLvm());
    }

    @Test
    void ofTwoVolumesWithTheTagNoneIsTaken() throws Exception {
        for (var name : List.of("one", "two")) {
            var tags = Set.of(Names.VOLUME_NAME_TAG + "pvc-1");
            lvm.volumes().createThick(new NewThickVolume(new LvName(VG, name), 8 * MIB, tags));
        }
        restore(volume("pvc-1"));
        failed("pvc-1", 9);
        assertEquals(Set.of("one", "two"), inLvm());
    }

    @Test
    void aVolumeWithoutAnObjectIsReportedAndKept() throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        topolvms(OLD);
        lose("pvc-1");
        await("it is reported", () -> controller.check().unclaimed("thick").size() == 2);
        assertEquals(
                Set.of(
                        new UnclaimedVolume(id, "pvc-1", Quantity.ofBytes(8 * MIB)),
                        new UnclaimedVolume(OLD, "", Quantity.ofBytes(8 * MIB))),
                Set.copyOf(controller.check().unclaimed("thick")));
        assertEquals(Set.of(id, OLD), inLvm());
    }

    @Test
    void anObjectWithoutAVolumeSaysSoUntilItIsBack() throws Exception {
        create("pvc-1", "8Mi");
        var id = made("pvc-1").status().volumeId();
        controller.close();
        var name = new LvName(VG, id);
        var away = lvm.volumes().rename(Now.volume(lvm, name), "away").name();
        controller = controller();
        failed("pvc-1", 5);
        assertEquals(id, get("pvc-1").status().volumeId());
        controller.close();
        lvm.volumes().rename(Now.volume(lvm, away), id);
        controller = controller();
        await("it is well", () -> get("pvc-1").status().code() == StatusCode.OK);
    }

    private static LogicalVolume volume(String name) {
        var spec =
                new LogicalVolume.Spec(
                        name, Volumes.NODE, Quantity.parse("8Mi"), "thick", "", "", "");
        return LogicalVolume.of(LogicalVolume.create(Driver.TOPOLVM, spec, Map.of()));
    }

    private static KubeObject persistentVolume(String name, String handle) {
        var capacity = ObjectTree.builder();
        capacity.put("storage", "8Mi");
        var modes = ListTree.builder();
        modes.add("ReadWriteOnce");
        return KubeObject.create(Types.PV, ObjectKey.cluster(name))
                .with(capacity.build(), "spec", "capacity")
                .with(modes.build(), "spec", "accessModes")
                .with(Driver.TOPOLVM.name(), "spec", "csi", "driver")
                .with(handle, "spec", "csi", "volumeHandle");
    }
}
