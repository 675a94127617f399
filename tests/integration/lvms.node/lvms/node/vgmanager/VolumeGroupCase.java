package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.Drivers;
import lvms.api.LvmVolumeGroup;
import lvms.api.LvmVolumeGroupNodeStatus;
import lvms.api.Names;
import lvms.api.VolumeGroupState;
import lvms.api.VolumeGroupStatus;
import lvms.api.disk.Disk;
import lvms.deploy.Roles;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.event.EventRecorder;
import lvms.k8s.metrics.MetricsRegistry;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.tree.Json;
import lvms.lvm2.Lvm;
import lvms.node.capacity.CapacityReporter;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.disk.DiskUser;
import lvms.node.pool.PoolRefusals;
import lvms.node.volume.GroupLedgers;
import lvms.tests.lab.machine.LoopDisks;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An API server, an agent that manages volume groups, and disks for it. */
abstract class VolumeGroupCase {
    static final long MIB = 1L << 20;
    static final String NODE = "node1";
    static final String NAMESPACE = "lvms-system";
    static final ObjectKey STATUS = ObjectKey.of(NAMESPACE, NODE);
    static final Duration DEADLINE = Duration.ofMinutes(2);

    @TempDir Path folder;
    final String name = "vgm-api-" + ProcessHandle.current().pid();
    final Set<Path> hidden = new HashSet<>();
    final Set<Path> late = new HashSet<>();
    LiveDeviceClasses classes = new LiveDeviceClasses();
    boolean userClasses;
    final MetricsRegistry metrics = new MetricsRegistry();
    LoopDisks disks;
    ApiServer server;
    KubeClient kube;
    KubeClient agentKube;
    EventRecorder events;
    Lvm lvm;
    CapacityReporter capacity;
    VolumeGroupManager manager;
    Consumer<Map<String, String>> logWishes = _ -> {};
    String build = "";
    Optional<String> watchdogObstacle = Optional.empty();

    @BeforeEach
    void prepare() throws Exception {
        assumeTrue(LoopDisks.possible(), "needs root and loop devices");
        disks = new LoopDisks(folder);
        server = Servers.start();
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig(folder))), "test")
                        .withFieldManager("test");
        agentKube =
                KubeClient.open(
                                KubeConfig.load(Optional.of(server.kubeconfig(folder))),
                                Names.VG_MANAGER)
                        .withFieldManager(Names.VG_MANAGER);
        NodeFixture.create(kube, NAMESPACE, NODE);
    }

    @AfterEach
    void end() throws Exception {
        stop();
        if (kube != null) {
            Roles.requireAllowed(server.faults().requests(), Names.VG_MANAGER, roles());
            agentKube.close();
            kube.close();
            server.close();
        }
        if (disks != null) {
            disks.close();
        }
    }

    void start() throws Exception {
        lvm = disks.lvmWithout(late);
        events = EventRecorder.open(agentKube, "vg-manager", NODE);
        capacity =
                new CapacityReporter(
                        agentKube, Drivers.DEFAULT, new GroupLedgers(lvm)::fresh, classes, NODE);
        var settings =
                new VolumeGroupSettings(
                        NODE,
                        NAMESPACE,
                        folder.resolve("etc/lvmd.yaml"),
                        LoopDisks.deviceMapper(),
                        userClasses,
                        Path.of("/"),
                        disks.visible()
                                .and(
                                        device ->
                                                !hidden.contains(device.path())
                                                        && !late.contains(device.path())));
        manager =
                new VolumeGroupManager(
                        agentKube,
                        lvm,
                        settings,
                        metrics,
                        events,
                        classes,
                        capacity::changed,
                        new PoolRefusals(),
                        others());
        manager.onLogWishes(logWishes);
        manager.signWith(build, watchdogObstacle);
        manager.onNode(capacity::nodeSeen);
        capacity.start();
        manager.start();
    }

    /** What the agent may do. */
    Path[] roles() {
        return new Path[] {Roles.AGENT};
    }

    /** Who else has to do with the disks. */
    DiskUser others() {
        return DiskUser.NONE;
    }

    void stop() {
        for (var part : new AutoCloseable[] {manager, capacity, events, lvm}) {
            try {
                if (part != null) {
                    part.close();
                }
            } catch (Exception e) {
                throw new AssertionError(part + " does not close", e);
            }
        }
        manager = null;
        capacity = null;
        events = null;
        lvm = null;
    }

    static void until(Callable<Boolean> state) throws Exception {
        NodeFixture.until(DEADLINE, state);
    }

    KubeObject group(String groupName, String spec) throws Exception {
        var object =
                KubeObject.create(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, groupName))
                        .with(Json.parse(spec), "spec");
        return kube.create(LvmVolumeGroup.TYPE, object);
    }

    static String selecting(Path... paths) {
        return Stream.of(paths)
                .map(path -> '"' + path.toString() + '"')
                .collect(Collectors.joining(",", "{\"deviceSelector\":{\"paths\":[", "]}}"));
    }

    static String listed(String deviceClass, String vg, Path disk, String more) {
        return """
        {"deviceClassName": "%s", "volumeGroupName": "%s",
         "deviceSelector": {"optionalPaths": ["%s"]}%s}
        """
                .formatted(deviceClass, vg, disk, more);
    }

    void change(String groupName, String spec) throws Exception {
        kube.mergePatch(
                LvmVolumeGroup.TYPE,
                ObjectKey.of(NAMESPACE, groupName),
                Json.parse("{\"spec\": " + spec + "}").asObject());
    }

    Optional<VolumeGroupStatus> entry(String groupName) throws Exception {
        return LvmVolumeGroupNodeStatus.of(kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS))
                .volumeGroup(groupName);
    }

    VolumeGroupStatus await(String groupName, VolumeGroupState state) throws Exception {
        until(() -> entry(groupName).filter(e -> e.is(state)).isPresent());
        return entry(groupName).orElseThrow();
    }

    Optional<KubeObject> find(String groupName) throws Exception {
        return kube.find(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, groupName));
    }

    void delete(String groupName) throws Exception {
        kube.delete(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, groupName), DeleteOptions.any());
    }

    Optional<String> annotation(String key) throws Exception {
        return kube.get(Types.NODE, ObjectKey.cluster(NODE)).annotation(key);
    }

    Set<String> reasons() throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .map(event -> event.text("reason").orElse(""))
                .collect(Collectors.toSet());
    }

    List<String> nodeFinalizers() throws Exception {
        return kube.get(Types.NODE, ObjectKey.cluster(NODE)).finalizers();
    }

    List<Disk> published() throws Exception {
        return LvmVolumeGroupNodeStatus.of(kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS)).disks();
    }

    Disk published(Path device) throws Exception {
        return published().stream()
                .filter(disk -> disk.name().equals(device.toString()))
                .findFirst()
                .orElseThrow();
    }

    /** Another program may hold a disk for a moment, which is a reason, too. */
    boolean excluded(String reason) throws Exception {
        return entry(name).orElseThrow().excluded().stream()
                .flatMap(device -> device.reasons().stream())
                .anyMatch(text -> text.contains(reason));
    }

    void lookAgain(String groupName) throws Exception {
        var patch = Json.parse("{\"metadata\": {\"annotations\": {\"look\": \"again\"}}}");
        var key = ObjectKey.of(NAMESPACE, groupName);
        kube.mergePatch(LvmVolumeGroup.TYPE, key, patch.asObject());
    }
}
