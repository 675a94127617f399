package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import lvms.api.Drivers;
import lvms.api.EffectiveDiscovery;
import lvms.api.ErasureConfig.OnRemoval;
import lvms.api.LogicalVolume;
import lvms.api.LvmCluster;
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
import lvms.k8s.tree.ObjectTree;
import lvms.lvm2.LvName;
import lvms.lvm2.Lvm;
import lvms.lvm2.NewThickVolume;
import lvms.lvm2.NewVolumeGroup;
import lvms.lvm2.Now;
import lvms.lvm2.device.Signatures;
import lvms.node.capacity.CapacityReporter;
import lvms.node.deviceclass.ErasurePolicy;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.node.deviceclass.NodeDeviceClass;
import lvms.node.pool.PoolRefusals;
import lvms.node.volume.GroupLedgers;
import lvms.tests.runner.Safety;
import lvms.tests.server.Definitions;
import lvms.tests.server.Servers;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Objects in the API server become volume groups on disks, reports, and blank disks again. */
class VolumeGroupManagerTests {
    private static final long MIB = 1L << 20;
    private static final String NODE = "node1";
    private static final String NAMESPACE = "lvms-system";
    private static final ObjectKey STATUS = ObjectKey.of(NAMESPACE, NODE);
    private static final Duration DEADLINE = Duration.ofSeconds(20);

    @TempDir Path folder;
    private final String name = "vgm-api-" + ProcessHandle.current().pid();
    private final Set<Path> hidden = new HashSet<>();
    private final Set<Path> late = new HashSet<>();
    private LiveDeviceClasses classes = new LiveDeviceClasses();
    private final MetricsRegistry metrics = new MetricsRegistry();
    private LoopDisks disks;
    private ApiServer server;
    private KubeClient kube;
    private KubeClient agentKube;
    private EventRecorder events;
    private Lvm lvm;
    private CapacityReporter capacity;
    private VolumeGroupManager manager;
    private Consumer<Map<String, String>> logWishes = _ -> {};

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
            Roles.requireAllowed(server.faults().requests(), Names.VG_MANAGER, Roles.AGENT);
            agentKube.close();
            kube.close();
            server.close();
        }
        if (disks != null) {
            disks.close();
        }
    }

    private void start() throws Exception {
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
                        new PoolRefusals());
        manager.onLogWishes(logWishes);
        capacity.start();
        manager.start();
    }

    /** The operator copies the words of the LVMCluster to the status, which the agent follows. */
    @Test
    void whatTheStatusSaysAboutLogsIsTold() throws Exception {
        var wishes = new AtomicReference<Map<String, String>>(Map.of());
        logWishes = wishes::set;
        disks.add(64 * MIB);
        start();
        var debug = Map.of(Names.LOG_LEVEL_ANNOTATION, "debug");
        annotate("\"debug\"");
        until(() -> wishes.get().equals(debug));
        annotate("null");
        until(() -> wishes.get().isEmpty());
    }

    private void annotate(String level) throws Exception {
        var patch =
                "{\"metadata\":{\"annotations\":{\"%s\":%s,\"other\":\"x\"}}}"
                        .formatted(Names.LOG_LEVEL_ANNOTATION, level);
        kube.mergePatch(LvmVolumeGroupNodeStatus.TYPE, STATUS, Json.parse(patch).asObject());
    }

    private void stop() {
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

    private static void until(Callable<Boolean> state) throws Exception {
        NodeFixture.until(DEADLINE, state);
    }

    private KubeObject group(String groupName, String spec) throws Exception {
        var object =
                KubeObject.create(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, groupName))
                        .with(Json.parse(spec), "spec");
        return kube.create(LvmVolumeGroup.TYPE, object);
    }

    private static String selecting(Path... paths) {
        return Stream.of(paths)
                .map(path -> '"' + path.toString() + '"')
                .collect(Collectors.joining(",", "{\"deviceSelector\":{\"paths\":[", "]}}"));
    }

    private Optional<VolumeGroupStatus> entry(String groupName) throws Exception {
        return LvmVolumeGroupNodeStatus.of(kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS))
                .volumeGroup(groupName);
    }

    private VolumeGroupStatus await(String groupName, VolumeGroupState state) throws Exception {
        until(() -> entry(groupName).filter(e -> e.is(state)).isPresent());
        return entry(groupName).orElseThrow();
    }

    private Optional<KubeObject> find(String groupName) throws Exception {
        return kube.find(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, groupName));
    }

    private void delete(String groupName) throws Exception {
        kube.delete(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, groupName), DeleteOptions.any());
    }

    private Optional<String> annotation(String key) throws Exception {
        return kube.get(Types.NODE, ObjectKey.cluster(NODE)).annotation(key);
    }

    private Set<String> reasons() throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .map(event -> event.text("reason").orElse(""))
                .collect(Collectors.toSet());
    }

    private List<String> nodeFinalizers() throws Exception {
        return kube.get(Types.NODE, ObjectKey.cluster(NODE)).finalizers();
    }

    @Safety(5)
    @Test
    void aGroupLivesFromItsObjectToItsDeletion() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk).replace("{\"dev", "{\"default\":true,\"dev"));
        var ready = await(name, VolumeGroupState.READY);
        assertEquals(List.of(disk.toString()), ready.devices());
        assertTrue(lvm.groups().find(name).orElseThrow().tags().contains("lvms"));
        assertEquals(
                List.of(Names.nodeCleanupFinalizer(NODE)), find(name).orElseThrow().finalizers());
        var free = Long.toString(lvm.groups().find(name).orElseThrow().freeBytes());
        until(() -> annotation("capacity.topolvm.io/" + name).equals(Optional.of(free)));
        assertEquals(Optional.of(free), annotation("capacity.topolvm.io/00default"));
        assertEquals(Optional.empty(), annotation("capacity.topolvm.io/gone"));
        until(() -> nodeFinalizers().equals(List.of("topolvm.io/node")));
        assertTrue(Files.readString(folder.resolve("etc/lvmd.yaml")).contains(name));
        assertTrue(manager.ready());
        until(() -> reasons().containsAll(Set.of("DeviceAdded", "VolumeGroupReady")));

        delete(name);
        until(() -> find(name).isEmpty());
        assertTrue(lvm.groups().find(name).isEmpty());
        assertEquals(new Signatures.Blank(), Signatures.probe(disk));
        assertEquals(Optional.empty(), entry(name));
        assertTrue(Files.notExists(folder.resolve("etc/lvmd.yaml")));
        until(() -> annotation("capacity.topolvm.io/" + name).isEmpty());
        until(() -> annotation("capacity.topolvm.io/00default").isEmpty());
        assertTrue(kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).ownerReferences().isEmpty());
    }

    @Test
    void itsStatusSaysThatItIsAtWorkBeforeItIsReady() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        assertEquals(
                List.of(VolumeGroupState.PROGRESSING, VolumeGroupState.READY),
                server.faults().requests().stream()
                        .filter(r -> r.method().equals("PATCH"))
                        .filter(r -> r.target().endsWith("/lvmvolumegroupnodestatuses/" + NODE))
                        .map(r -> KubeObject.of(Json.parse(r.body()).asObject()))
                        .flatMap(o -> LvmVolumeGroupNodeStatus.of(o).volumeGroup(name).stream())
                        .flatMap(entry -> entry.state().stream())
                        .toList());
    }

    @Test
    void aGroupOfOtherNodesIsLeftAlone() throws Exception {
        disks.add(64 * MIB);
        start();
        var selector =
                """
                {"nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [
                  {"key": "disk", "operator": "In", "values": ["hdd"]}]}]}}
                """;
        group(name + "-other", selector);
        group(name, selector.replace("hdd", "ssd"));
        await(name, VolumeGroupState.READY);
        assertEquals(Optional.empty(), entry(name + "-other"));
        assertEquals(List.of(), find(name + "-other").orElseThrow().finalizers());
        delete(name + "-other");
        until(() -> find(name + "-other").isEmpty());
    }

    /** The operator makes it; without it nobody would learn what is done. */
    @Test
    void nothingIsDoneBeforeThereIsAStatusToSayIt() throws Exception {
        var disk = disks.add(64 * MIB);
        var status = kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS);
        kube.delete(LvmVolumeGroupNodeStatus.TYPE, STATUS, DeleteOptions.any());
        start();
        group(name + "-other", "{\"nodeSelector\": {\"nodeSelectorTerms\": []}}");
        group(name, selecting(disk));
        until(() -> passes() >= 6);
        assertTrue(lvm.groups().find(name).isEmpty());
        assertEquals(List.of(), find(name).orElseThrow().finalizers());
        kube.create(
                LvmVolumeGroupNodeStatus.TYPE,
                KubeObject.create(LvmVolumeGroupNodeStatus.TYPE, STATUS)
                        .with(status.object("spec").orElseThrow(), "spec"));
        await(name, VolumeGroupState.READY);
    }

    private double passes() {
        return metrics.text()
                .lines()
                .filter(line -> line.startsWith("controller_runtime_reconcile_total{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    /** Whoever looks at one of the three finds it there. */
    @Test
    void anEventIsAboutTheStatusTheGroupAndItsOwner() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        Definitions.install(kube, List.of("lvm.topolvm.io_lvmclusters"));
        var cluster =
                kube.create(
                        LvmCluster.TYPE,
                        KubeObject.create(LvmCluster.TYPE, ObjectKey.of(NAMESPACE, "my"))
                                .with(Json.parse("{}"), "spec"));
        var owner =
                """
                [{"apiVersion": "lvm.topolvm.io/v1alpha1", "kind": "LVMCluster", "name": "my",
                  "uid": "%s"}]
                """
                        .formatted(cluster.uid());
        var owned =
                KubeObject.create(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, name))
                        .with(Json.parse(selecting(disk)), "spec")
                        .with(Json.parse(owner), "metadata", "ownerReferences");
        kube.create(LvmVolumeGroup.TYPE, owned);
        start();
        var reason = await(name, VolumeGroupState.FAILED).reason();
        var node = "error on node lvms-system/node1";
        var wanted =
                Map.of(
                        "LVMVolumeGroupNodeStatus", reason,
                        "LVMVolumeGroup", node + ": " + reason,
                        "LVMCluster",
                                node + " in volume group lvms-system/" + name + ": " + reason);
        until(() -> told().equals(wanted));
    }

    private Map<String, String> told() throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(e -> e.text("reason").equals(Optional.of("DevicePathCheckFailed")))
                .collect(
                        Collectors.toMap(
                                e -> e.text("regarding", "kind").orElse(""),
                                e -> e.text("note").orElse("")));
    }

    @Test
    void anLvmdYamlThatCannotBeReadIsToldAndLeftAlone() throws Exception {
        var disk = disks.add(64 * MIB);
        var file = folder.resolve("etc/lvmd.yaml");
        Files.createDirectories(file.getParent());
        Files.writeString(file, "- not: [a mapping");
        start();
        group(name, selecting(disk));
        var degraded = await(name, VolumeGroupState.DEGRADED);
        assertTrue(degraded.reason().contains("lvmd.yaml"), degraded.reason());
        until(() -> reasons().contains("VGCreateOrExtendFailed"));
        assertEquals("- not: [a mapping", Files.readString(file));
        Files.delete(file);
        lookAgain(name);
        await(name, VolumeGroupState.READY);
    }

    @Test
    void aFolderOfLvmdYamlThatCannotBeWrittenIsTold() throws Exception {
        var disk = disks.add(64 * MIB);
        var etc = Files.createDirectory(folder.resolve("etc")).toString();
        LoopDisks.run("mount", "-t", "tmpfs", "-o", "ro", "tmpfs", etc);
        try {
            start();
            group(name, selecting(disk));
            var degraded = await(name, VolumeGroupState.DEGRADED);
            assertTrue(degraded.reason().contains("lvmd.yaml"), degraded.reason());
            assertFalse(manager.ready());
            LoopDisks.run("mount", "-o", "remount,rw", etc);
            lookAgain(name);
            await(name, VolumeGroupState.READY);
            until(manager::ready);
        } finally {
            stop();
            LoopDisks.run("umount", etc);
        }
    }

    @Test
    void aBadDiskIsNotTouchedAndTheReasonIsTold() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        var before = LoopDisks.checksum(disk);
        start();
        group(name, selecting(disk));
        var failed = await(name, VolumeGroupState.FAILED);
        assertTrue(failed.reason().contains("has a filesystem signature \"ext4\""));
        assertEquals(disk.toString(), failed.excluded().getFirst().name());
        until(() -> reasons().contains("DevicePathCheckFailed"));
        delete(name);
        until(() -> find(name).isEmpty());
        assertEquals(before, LoopDisks.checksum(disk));
    }

    @Test
    void aStepThatFailsAgainAndAgainIsToldOnce() throws Exception {
        var disk = disks.add(64 * MIB);
        var inTheWay = Files.createDirectory(Path.of("/dev", name)); // vgcreate refuses the name
        try (var log = new LogRecords()) {
            start();
            group(name, selecting(disk));
            var failed = await(name, VolumeGroupState.FAILED);
            long writes = kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).generation();
            until(() -> failedPasses() >= 5);
            assertEquals(failed, entry(name).orElseThrow());
            assertEquals(writes, kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).generation());
            assertEquals(1, log.beginning("volume group step vg=" + name).size());
            assertEquals(List.of(), log.beginning("volume group event vg=" + name));
            var lines = log.beginning("reconcile failed controller=vg-manager");
            assertEquals(1, lines.size(), lines::toString);
            assertTrue(lines.getFirst().contains(failed.reason()), lines::toString);
            until(() -> reasons().contains("VGCreateOrExtendFailed"));
        } finally {
            Files.delete(inTheWay);
        }
        lookAgain(name);
        await(name, VolumeGroupState.READY);
    }

    @Test
    void aDiskWithoutRoomForOneExtentHasNoCapacity() throws Exception {
        var tiny = disks.add(2 * MIB);
        start();
        group(name, selecting(tiny));
        until(() -> annotation("capacity.topolvm.io/" + name).equals(Optional.of("0")));
    }

    private double failedPasses() {
        return metrics.text()
                .lines()
                .filter(line -> line.startsWith("controller_runtime_reconcile_errors_total{"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(' '))))
                .sum();
    }

    @Test
    void anAgentWithNothingToServeIsReadyAndOneWhoseClassFailsIsNot() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        until(manager::ready);
        group(name, "{\"deviceSelector\": {\"paths\": [\"/dev/missing\"]}}");
        await(name, VolumeGroupState.FAILED);
        assertFalse(manager.ready());
        delete(name);
        until(() -> find(name).isEmpty());
        until(manager::ready);
        group(name + "-2", selecting(disk));
        await(name + "-2", VolumeGroupState.READY);
        until(manager::ready);
    }

    @Test
    void oneOfTwoClassesGetsTheDisk() throws Exception {
        var disk = disks.add(64 * MIB);
        group(name + "-a", selecting(disk));
        group(name + "-b", selecting(disk));
        start();
        await(name + "-a", VolumeGroupState.READY);
        var loser = await(name + "-b", VolumeGroupState.FAILED);
        until(
                () -> {
                    var reason = entry(name + "-b").orElseThrow().reason();
                    return reason.contains("is claimed by device class \"" + name + "-a\"");
                });
        assertEquals(List.of(), loser.devices());
        assertEquals(List.of(disk.toString()), entry(name + "-a").orElseThrow().devices());
    }

    @Test
    void aDiskThatAppearsIsAddedAtOnce() throws Exception {
        disks.add(64 * MIB);
        var second = disks.add(64 * MIB);
        hidden.add(second);
        start();
        group(name, "{\"deviceDiscoveryPolicy\": \"Dynamic\"}");
        assertEquals(1, await(name, VolumeGroupState.READY).devices().size());
        hidden.clear();
        try (var other = new LoopDisks(Files.createDirectory(folder.resolve("other")))) {
            other.add(MIB); // any new device of the machine wakes the manager
            until(() -> entry(name).orElseThrow().devices().size() == 2);
        }
    }

    @Test
    void theDisksOfTheNodeArePublishedWithoutAClassToo() throws Exception {
        var free = disks.add(64 * MIB);
        var used = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", used.toString());
        start();
        until(() -> published().size() == 2);
        assertTrue(published(free).free());
        assertEquals(64 * MIB, published(free).sizeBytes());
        assertEquals("ext4", published(used).content());
        assertFalse(published(used).free());
        group(name, selecting(free));
        await(name, VolumeGroupState.READY);
        until(() -> published(free).group().equals(name));
    }

    private List<Disk> published() throws Exception {
        return LvmVolumeGroupNodeStatus.of(kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS)).disks();
    }

    private Disk published(Path device) throws Exception {
        return published().stream()
                .filter(disk -> disk.name().equals(device.toString()))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aPolicyThatChangesTakesLaterDisksAndGivesNoneBack() throws Exception {
        disks.add(64 * MIB);
        var late = disks.add(64 * MIB);
        hidden.add(late);
        start();
        group(name, policy("Static"));
        assertEquals(1, await(name, VolumeGroupState.READY).devices().size());
        hidden.clear();
        lookAgain(name);
        until(() -> excluded("static device discovery enabled"));
        assertEquals(EffectiveDiscovery.RUNTIME_STATIC, entry(name).orElseThrow().discovery());
        change(policy("Dynamic"));
        until(() -> entry(name).orElseThrow().devices().size() == 2);
        assertEquals(EffectiveDiscovery.RUNTIME_DYNAMIC, entry(name).orElseThrow().discovery());
        change(policy("Static"));
        until(() -> entry(name).orElseThrow().discovery() == EffectiveDiscovery.RUNTIME_STATIC);
        assertEquals(2, await(name, VolumeGroupState.READY).devices().size());
        assertEquals(2, lvm.groups().report(name).orElseThrow().physicalVolumes().size());
    }

    /** Another program may hold a disk for a moment, which is a reason, too. */
    private boolean excluded(String reason) throws Exception {
        return entry(name).orElseThrow().excluded().stream()
                .flatMap(device -> device.reasons().stream())
                .anyMatch(text -> text.contains(reason));
    }

    private static String policy(String policy) {
        return "{\"deviceDiscoveryPolicy\": \"" + policy + "\"}";
    }

    private void change(String spec) throws Exception {
        var patch = Json.parse("{\"spec\": " + spec + "}").asObject();
        kube.mergePatch(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, name), patch);
    }

    @Test
    void aDiskThatGrowsIsTakenUpByItself() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        long before = lvm.groups().find(name).orElseThrow().sizeBytes();
        disks.resize(disk, 128 * MIB);
        until(() -> lvm.groups().find(name).orElseThrow().sizeBytes() == before + 64 * MIB);
        until(() -> reasons().contains("DeviceGrown"));
        await(name, VolumeGroupState.READY);
    }

    @Test
    void aGroupWithAVolumeWaitsForAPerson() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        var volume = new LvName(name, "data");
        lvm.volumes().createThick(new NewThickVolume(volume, 8 * MIB, Set.of()));
        manager.lvmChanged();
        delete(name);
        var blocked = await(name, VolumeGroupState.DEGRADED);
        assertTrue(blocked.reason().contains("manual cleanup required"), blocked.reason());
        lvm.volumes().remove(Now.volume(lvm, volume));
        lookAgain(name); // and nothing says that LVM changed
        until(() -> find(name).isEmpty());
    }

    private static String withPool(Path disk) {
        return selecting(disk)
                .replace(
                        "{\"deviceSelector\"",
                        """
                        {"thinPoolConfig": {"name": "pool", "overprovisionRatio": 10}, \
                         "nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [ \
                           {"key": "disk", "operator": "Exists"}]}]}, \
                         "deviceSelector\"\
                        """);
    }

    /** Volumes may be in use in the pool: it has to grow, and to refuse new ones when it cannot. */
    @Test
    @Safety(19)
    void aPoolKeepsItsPolicyOnANodeThatIsNoLongerSelected() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, withPool(disk));
        var pool = new LvName(name, "pool");
        until(() -> manager.wanted(pool).isPresent());
        until(() -> !find(name).orElseThrow().finalizers().isEmpty());
        unlabel();
        var others = "{\"nodeSelector\": {\"nodeSelectorTerms\": [{\"matchExpressions\": [%s]}]}}";
        group(name + "-2", others.formatted("{\"key\": \"disk\", \"operator\": \"DoesNotExist\"}"));
        until(() -> entry(name + "-2").isPresent()); // so the agent knows of the label
        assertTrue(manager.wanted(pool).isPresent());
    }

    @Test
    @Safety(19)
    void aPoolKeepsItsPolicyWhileItsClassWaitsForItsDeletion() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, withPool(disk));
        until(() -> lvm.groups().find(name).isPresent());
        var volume = new LvName(name, "data");
        lvm.volumes().createThick(new NewThickVolume(volume, 8 * MIB, Set.of()));
        manager.lvmChanged();
        delete(name);
        await(name, VolumeGroupState.DEGRADED);
        assertTrue(manager.wanted(new LvName(name, "pool")).isPresent());
    }

    /** A class that erases what is removed, with a volume that somebody has. */
    private Path inUse() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(
                name,
                selecting(disk)
                        .replace(
                                "{\"deviceSelector\"",
                                """
                                {"erasureConfig": {"onRemoval": "zero"}, \
                                 "nodeSelector": {"nodeSelectorTerms": [{"matchExpressions": [ \
                                   {"key": "disk", "operator": "Exists"}]}]}, \
                                 "deviceSelector\"\
                                """));
        await(name, VolumeGroupState.READY);
        lvm.volumes().createThick(new NewThickVolume(new LvName(name, "data"), 8 * MIB, Set.of()));
        manager.lvmChanged();
        return disk;
    }

    /** A host whose /etc is not persistent boots. */
    private void boot() throws Exception {
        stop();
        Files.delete(folder.resolve("etc/lvmd.yaml"));
        classes = new LiveDeviceClasses();
        start();
        until(classes::known);
    }

    private void requireErasing() {
        var erasure = classes.current().find(name).map(NodeDeviceClass::erasure);
        assertEquals(Optional.of(OnRemoval.ZERO), erasure.map(ErasurePolicy::onRemoval));
    }

    @Test
    @Safety(17)
    void aClassWithVolumesIsKnownAfterABootAlthoughItsGroupIsBlocked() throws Exception {
        hidden.add(inUse());
        boot();
        await(name, VolumeGroupState.DEGRADED);
        requireErasing();
    }

    @Test
    @Safety(17)
    void aClassWithVolumesIsKnownAfterABootAlthoughItWaitsForItsDeletion() throws Exception {
        inUse();
        delete(name);
        await(name, VolumeGroupState.DEGRADED);
        boot();
        requireErasing();
    }

    @Test
    @Safety(17)
    void aClassWithVolumesIsKnownAfterABootAlthoughTheNodeIsNoLongerSelected() throws Exception {
        inUse();
        unlabel();
        boot();
        requireErasing();
    }

    /** Nobody has a volume of it, so nothing is promised before the group is as it should be. */
    @Test
    void aBlockedClassWithoutVolumesIsNotServedAfterABoot() throws Exception {
        var disk = inUse();
        lvm.volumes().remove(Now.volume(lvm, new LvName(name, "data")));
        hidden.add(disk);
        boot();
        assertEquals(Optional.empty(), classes.current().find(name));
    }

    private void unlabel() throws Exception {
        var unlabelled = Json.parse("{\"metadata\": {\"labels\": {\"disk\": null}}}").asObject();
        kube.mergePatch(Types.NODE, ObjectKey.cluster(NODE), unlabelled);
    }

    @Test
    void aNamedDiskIsWipedOnceIfTheUserAsksForIt() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        start();
        var wiping =
                selecting(disk).replace("]}}", "],\"forceWipeDevicesAndDestroyAllData\":true}}");
        group(name, wiping);
        await(name, VolumeGroupState.READY);
        assertTrue(LvmVolumeGroup.of(find(name).orElseThrow()).wipedOn(NODE));
    }

    @Test
    @Safety(3)
    void aDiskIsNotWipedAgainOnceItIsNotedThatItWas() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        var before = LoopDisks.checksum(disk);
        var noted =
                KubeObject.create(LvmVolumeGroup.TYPE, ObjectKey.of(NAMESPACE, name))
                        .with(Json.parse(wiping(disk)), "spec")
                        .with("then", "metadata", "annotations", Names.wipedAnnotation(NODE));
        kube.create(LvmVolumeGroup.TYPE, noted);
        start();
        var failed = await(name, VolumeGroupState.FAILED);
        assertTrue(failed.reason().contains("has a filesystem signature"), failed.reason());
        assertEquals(before, LoopDisks.checksum(disk));
    }

    @Test
    @Safety(3)
    void aClassThatNamesNoDiskWipesNone() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        var before = LoopDisks.checksum(disk);
        start();
        group(name, "{\"deviceSelector\": {\"forceWipeDevicesAndDestroyAllData\": true}}");
        await(name, VolumeGroupState.FAILED);
        assertFalse(LvmVolumeGroup.of(find(name).orElseThrow()).wipedOn(NODE));
        assertEquals(before, LoopDisks.checksum(disk));
    }

    private static String wiping(Path disk) {
        return selecting(disk).replace("]}}", "],\"forceWipeDevicesAndDestroyAllData\":true}}");
    }

    private void volumeOn(Path disk, String vg, Set<String> tags, String volume) throws Exception {
        lvm.groups().create(new NewVolumeGroup(vg, List.of(disk), tags));
        lvm.volumes().createThick(new NewThickVolume(new LvName(vg, volume), 8 * MIB, Set.of()));
        manager.lvmChanged();
    }

    /** As after an upgrade from a version without the note, or when an LVMCluster is made anew. */
    @Test
    @Safety(3)
    void ourGroupIsTakenOverWithItsVolumesAlthoughNothingSaysThatItWasInService() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        volumeOn(disk, name, Set.of("lvms"), "data");
        group(name, wiping(disk));
        await(name, VolumeGroupState.READY);
        assertTrue(lvm.volumes().find(new LvName(name, "data")).isPresent());
        assertTrue(LvmVolumeGroup.of(find(name).orElseThrow()).wipedOn(NODE));
    }

    /** All disks of a node may come late; the entry of its status then names none. */
    @Test
    @Safety(3)
    void aGroupWhoseDisksCameLateIsNotWiped() throws Exception {
        disks.add(64 * MIB);
        var disk = disks.add(64 * MIB);
        start();
        volumeOn(disk, name, Set.of("lvms"), "data");
        stop();
        late.add(disk);
        start();
        group(name, wiping(disk));
        await(name, VolumeGroupState.FAILED);
        stop();
        late.clear();
        start();
        await(name, VolumeGroupState.READY);
        assertTrue(lvm.volumes().find(new LvName(name, "data")).isPresent());
    }

    @Test
    @Safety(3)
    void aGroupOfAnotherNameWithAVolumeOfAnObjectIsNotWiped() throws Exception {
        var disk = disks.add(64 * MIB);
        var object =
                kube.create(
                        LogicalVolume.TYPE,
                        KubeObject.create(LogicalVolume.TYPE, ObjectKey.cluster("pvc-1"))
                                .with(
                                        Json.parse(
                                                """
                                                {"name": "pvc-1", "nodeName": "node1", "size": "8Mi",
                                                 "deviceClass": "old"}
                                                """),
                                        "spec"));
        start();
        volumeOn(disk, name + "-old", Set.of(), object.uid());
        var before = LoopDisks.checksum(disk);
        group(name, wiping(disk));
        var failed = await(name, VolumeGroupState.FAILED);
        assertTrue(failed.reason().contains("handed out: " + object.uid()), failed.reason());
        assertEquals(before, LoopDisks.checksum(disk));
        assertFalse(LvmVolumeGroup.of(find(name).orElseThrow()).wipedOn(NODE));
    }

    @Test
    void aMountedDiskIsNotWipedEvenIfTheUserAsksForIt() throws Exception {
        var disk = disks.add(64 * MIB);
        LoopDisks.run("mkfs.ext4", "-q", disk.toString());
        var target = Files.createDirectory(folder.resolve("mnt"));
        LoopDisks.run("mount", "-o", "ro,noload", disk.toString(), target.toString());
        try {
            var before = LoopDisks.checksum(disk);
            start();
            var wiping =
                    selecting(disk)
                            .replace("]}}", "],\"forceWipeDevicesAndDestroyAllData\":true}}");
            group(name, wiping);
            var failed = await(name, VolumeGroupState.FAILED);
            assertTrue(failed.reason().contains("is in use: mounted at"), failed.reason());
            assertTrue(!LvmVolumeGroup.of(find(name).orElseThrow()).wipedOn(NODE));
            assertEquals(before, LoopDisks.checksum(disk));
        } finally {
            LoopDisks.run("umount", target.toString());
        }
    }

    @Test
    void aRestartFindsEverythingAsItWasAndWritesNothing() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        await(name, VolumeGroupState.READY);
        until(() -> annotation("capacity.topolvm.io/" + name).isPresent());
        until(() -> published(disk).group().equals(name));
        stop();
        long writes = kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).generation();
        start();
        assertTrue(classes.current().find(name).isPresent());
        until(manager::ready);
        group(name + "-probe", "{}"); // its pass comes after the first one of the other group
        await(name + "-probe", VolumeGroupState.FAILED);
        assertEquals(
                writes + 1,
                kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS).generation(),
                "one write, for the new group");
    }

    @Test
    void aNodeThatIsMadeAnewGetsItsCapacityAgain() throws Exception {
        var disk = disks.add(64 * MIB);
        start();
        group(name, selecting(disk));
        until(() -> annotation("capacity.topolvm.io/" + name).isPresent());
        until(() -> nodeFinalizers().equals(List.of("topolvm.io/node")));
        var former = kube.get(Types.NODE, ObjectKey.cluster(NODE));
        kube.delete(Types.NODE, former.key(), DeleteOptions.any());
        kube.removeFinalizer(Types.NODE, former, "topolvm.io/node"); // as the operator does
        until(() -> kube.find(Types.NODE, ObjectKey.cluster(NODE)).isEmpty());
        var node = KubeObject.create(Types.NODE, ObjectKey.cluster(NODE));
        kube.create(Types.NODE, node);
        until(() -> annotation("capacity.topolvm.io/" + name).isPresent());
    }

    @Test
    void aLabelThatAKilledRemovalLeftIsRemoved() throws Exception {
        var disk = disks.add(64 * MIB);
        var orphan = disks.add(64 * MIB);
        start();
        // What remains if the process dies between vgreduce and pvremove.
        lvm.groups().create(new NewVolumeGroup(name, List.of(disk, orphan), Set.of("lvms")));
        var uuid =
                lvm.physicalVolumes().all().stream()
                        .filter(pv -> pv.device().equals(orphan.toString()))
                        .findFirst()
                        .orElseThrow()
                        .uuid();
        stop();
        LoopDisks.run("vgreduce", "--config", config(), name, orphan.toString());
        var annotations = ObjectTree.builder();
        annotations.put("lvm.topolvm.io/retiring-physical-volumes", uuid);
        var metadata = ObjectTree.builder();
        metadata.put("annotations", annotations.build());
        var patch = ObjectTree.builder();
        patch.put("metadata", metadata.build());
        kube.mergePatch(LvmVolumeGroupNodeStatus.TYPE, STATUS, patch.build());
        group(name, selecting(disk));
        start();
        await(name, VolumeGroupState.READY);
        assertEquals(new Signatures.Blank(), Signatures.probe(orphan));
        until(
                () ->
                        kube.get(LvmVolumeGroupNodeStatus.TYPE, STATUS)
                                .annotation("lvm.topolvm.io/retiring-physical-volumes")
                                .isEmpty());
    }

    private void lookAgain(String groupName) throws Exception {
        var patch = Json.parse("{\"metadata\": {\"annotations\": {\"look\": \"again\"}}}");
        var key = ObjectKey.of(NAMESPACE, groupName);
        kube.mergePatch(LvmVolumeGroup.TYPE, key, patch.asObject());
    }

    private String config() {
        var filter =
                disks.all().stream()
                        .map(disk -> "\"a|^" + disk + "$|\"")
                        .collect(Collectors.joining(","));
        return "global/activation=0 devices/filter=[" + filter + ",\"r|.*|\"]";
    }
}
