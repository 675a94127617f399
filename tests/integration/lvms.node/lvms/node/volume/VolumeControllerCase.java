package lvms.node.volume;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.deploy.Roles;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.Now;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.deviceclass.NodeDeviceClass.Provisioning.Thick;
import lvms.node.format.Formats;
import lvms.node.vgmanager.LoopDiskCase;
import lvms.tests.server.Definitions;
import lvms.tests.server.Looks;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A volume controller of one node with a group on a loop device (metadata alone where there is no
 * device-mapper), and an API server over HTTPS.
 */
abstract class VolumeControllerCase extends LoopDiskCase {
    static final String VG = "lvmsvolumes" + ProcessHandle.current().pid();

    final LiveDeviceClasses classes = new LiveDeviceClasses();
    final AtomicInteger capacityReports = new AtomicInteger();
    final List<String> removed = new CopyOnWriteArrayList<>();
    ApiServer server;
    KubeClient kube;
    private KubeClient agentKube;
    private EventRecorder events;
    VolumeController controller;
    GroupLedgers groups;

    @BeforeEach
    void start() throws Exception {
        var disk = disks.add(256 * MIB);
        lvm = disks.lvm();
        createGroup(disk);
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
            Roles.requireAllowed(server.faults().requests(), Names.VG_MANAGER, roles());
            agentKube.close();
            kube.close();
            server.close();
        }
        if (lvm != null) {
            removeGroup();
        }
    }

    /** What the agent may do. */
    Path[] roles() {
        return new Path[] {Roles.AGENT};
    }

    void createGroup(Path disk) throws Exception {
        lvm.groups().create(new NewVolumeGroup(VG, List.of(disk), Set.of("lvms")));
    }

    void removeGroup() throws Exception {
        for (var lv : lvm.volumes().all(VG)) {
            lvm.volumes().remove(Now.volume(lvm, lv.name()));
        }
        lvm.groups().remove(Now.group(lvm, VG));
    }

    private static NodeDeviceClass deviceClass(String name) {
        return new NodeDeviceClass(
                name, VG, true, new Thick(), 0, Optional.empty(), List.of(), Optional.empty());
    }

    VolumeController controller() {
        return controller(_ -> {});
    }

    /** Starts a controller that was prepared so. */
    VolumeController controller(Consumer<VolumeController> prepared) {
        groups = new GroupLedgers(lvm, Formats.notedIn(folder.resolve("formats")));
        var next =
                new VolumeController(
                        agentKube,
                        Driver.TOPOLVM,
                        Volumes.NODE,
                        classes,
                        groups,
                        _ -> capacityReports.incrementAndGet(),
                        volume -> removed.add(volume.name()),
                        events,
                        new MetricsRegistry());
        prepared.accept(next);
        next.start();
        return next;
    }

    static void await(String what, Callable<Boolean> condition) throws Exception {
        Looks.until(what, Duration.ofSeconds(30), condition);
    }

    LogicalVolume create(String name, String size) throws Exception {
        return create(name, size, "thick", "", "");
    }

    LogicalVolume create(String name, String size, String deviceClass, String source, String access)
            throws Exception {
        var spec =
                new LogicalVolume.Spec(
                        name, Volumes.NODE, Quantity.parse(size), deviceClass, "", source, access);
        return LogicalVolume.of(kube.create(LogicalVolume.TYPE, Volumes.unclaimed(spec)));
    }

    LogicalVolume get(String name) throws Exception {
        return LogicalVolume.of(kube.get(LogicalVolume.TYPE, ObjectKey.cluster(name)));
    }

    LogicalVolume made(String name) throws Exception {
        await(name + " is made", () -> get(name).status().currentSize().isPresent());
        return get(name);
    }

    void failed(String name, int code) throws Exception {
        await(name + " fails", () -> get(name).status().code() != StatusCode.OK);
        assertEquals(code, get(name).status().code().number(), get(name).status().message());
    }

    /** Makes the Node object of this node, as its kubelet does; returns its UID. */
    String createNode() throws Exception {
        var node = KubeObject.create(Types.NODE, ObjectKey.cluster(Volumes.NODE));
        return kube.create(Types.NODE, node).uid();
    }

    void deleteNode() throws Exception {
        kube.delete(Types.NODE, ObjectKey.cluster(Volumes.NODE), DeleteOptions.any());
    }

    /** Returns LVM's UUID of the group. */
    String groupUuid() throws Exception {
        return lvm.groups().find(VG).orElseThrow().uuid();
    }

    /** Returns the notes of the Events with a reason on a LogicalVolume. */
    List<String> notes(String reason, String name) throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(event -> event.text("reason").filter(reason::equals).isPresent())
                .filter(event -> event.text("regarding", "name").filter(name::equals).isPresent())
                .map(event -> event.text("note").orElseThrow())
                .toList();
    }

    boolean exists(String name) throws Exception {
        return kube.find(LogicalVolume.TYPE, ObjectKey.cluster(name)).isPresent();
    }

    void requestDeletion(String name) throws Exception {
        kube.delete(LogicalVolume.TYPE, ObjectKey.cluster(name), DeleteOptions.any());
    }

    void delete(String name) throws Exception {
        requestDeletion(name);
        await(name + " is gone", () -> !exists(name));
    }

    Set<String> inLvm() throws Exception {
        return lvm.volumes().all(VG).stream().map(lv -> lv.name().lv()).collect(Collectors.toSet());
    }
}
