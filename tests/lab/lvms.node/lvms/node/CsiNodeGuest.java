package lvms.node;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.Names;
import lvms.api.StatusCode;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.testkit.Faults.Seen;
import lvms.k8s.tree.ObjectTree;
import lvms.k8s.yaml.Yaml;
import lvms.lvm2.Lvm;
import lvms.lvm2.command.LvmCommands;
import lvms.lvm2.filesystem.FilesystemUsage;
import lvms.node.csi.CsiClient;
import lvms.node.deviceclass.DeviceClasses;
import lvms.node.deviceclass.LiveDeviceClasses;
import lvms.tests.lab.machine.GuestArchive;
import lvms.tests.runner.Safety;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * The whole volume service of a node between an API server and real LVM, from a LogicalVolume
 * object to data in a pod's folder. Runs inside a lab node; argument of the JVM: {@code lvms.crds}.
 */
@Timeout(240)
class CsiNodeGuest {
    private static final long MIB = 1L << 20;
    private static final Path KUBELET = AgentProcess.KUBELET;
    private static final int MOST_KILLS = 5;
    private static final String MANAGER = "test";

    private static ApiServer server;
    private static KubeClient kube;
    private static Lvm lvm;
    private static LiveDeviceClasses classes;
    private static CsiNode agent;
    private static CsiClient csi;

    @BeforeAll
    static void start() throws Exception {
        sh("vgcreate -q -y csi /dev/ubdb /dev/ubdc && lvcreate -q -y -T -L 512M csi/pool");
        server = ApiServer.start();
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(server.kubeconfig())), MANAGER)
                        .withFieldManager(MANAGER);
        var crd = Yaml.read(Files.readString(Path.of(System.getProperty("lvms.crds"))));
        kube.create(Types.CRD, KubeObject.of(crd.asObject()));
        await("the CRD is served", () -> kube.serves(LogicalVolume.TYPE));
        lvm = LvmCommands.open(GuestArchive.lvmOptions());
        classes = new LiveDeviceClasses();
        classes.publish(AgentProcess.classes());
        startAgent();
    }

    private static void startAgent() throws Exception {
        agent = AgentProcess.agent(kube, lvm, classes, KUBELET);
        agent.start();
        csi = new CsiClient(agent.socket());
        await("the agent is ready", agent::ready);
    }

    private static void stopAgent() throws Exception {
        csi.close();
        agent.close();
    }

    @AfterAll
    static void stop() throws Exception {
        stopAgent();
        lvm.close();
        kube.close();
        server.close();
        sh("vgremove -q -y -f csi");
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, "never: " + what);
            LockSupport.parkNanos(5_000_000);
        }
    }

    private static void create(String name, String deviceClass, String size) throws Exception {
        create(name, deviceClass, size, "", "");
    }

    private static void create(
            String name, String deviceClass, String size, String source, String access)
            throws Exception {
        kube.create(
                LogicalVolume.TYPE,
                LogicalVolume.create(
                                Driver.TOPOLVM,
                                new LogicalVolume.Spec(
                                        name,
                                        AgentProcess.NODE,
                                        Quantity.parse(size),
                                        deviceClass,
                                        "",
                                        source,
                                        access),
                                Map.of())
                        .without("metadata", "finalizers")
                        .without("metadata", "labels"));
    }

    private static LogicalVolume get(String name) throws Exception {
        return LogicalVolume.of(kube.get(LogicalVolume.TYPE, ObjectKey.cluster(name)));
    }

    private static boolean exists(String name) throws Exception {
        return kube.find(LogicalVolume.TYPE, ObjectKey.cluster(name)).isPresent();
    }

    private static LogicalVolume made(String name) throws Exception {
        await(name + " is made", () -> get(name).status().currentSize().isPresent());
        return get(name);
    }

    private static LogicalVolume failed(String name, int code) throws Exception {
        await(name + " fails", () -> get(name).status().code() != StatusCode.OK);
        var volume = get(name);
        assertEquals(code, volume.status().code().number(), volume.status().message());
        assertFalse(volume.status().message().isEmpty());
        return volume;
    }

    private static void resize(String name, String size) throws Exception {
        var spec = ObjectTree.builder();
        spec.put("size", size);
        var patch = ObjectTree.builder();
        patch.put("spec", spec.build());
        kube.mergePatch(LogicalVolume.TYPE, ObjectKey.cluster(name), patch.build());
    }

    private static void requestDeletion(String name) throws Exception {
        kube.delete(LogicalVolume.TYPE, ObjectKey.cluster(name), DeleteOptions.any());
    }

    private static void delete(String name) throws Exception {
        requestDeletion(name);
        await(name + " is gone", () -> !exists(name));
    }

    /** Names of the volumes in LVM, the pool left out. */
    private static Set<String> inLvm() throws Exception {
        return sh("lvs --noheadings -o lv_name -S 'lv_name!=pool' csi")
                .lines()
                .map(String::strip)
                .filter(name -> !name.isEmpty())
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static List<Seen> writes(String name) {
        return server.faults().requests().stream()
                .filter(r -> r.target().contains("/logicalvolumes/" + name))
                .filter(r -> !r.method().equals("GET"))
                .toList();
    }

    @Test
    void aVolumeTakesTwoWritesAndItsDeletionOne() throws Exception {
        server.faults().forgetRequests();
        create("pvc-w", "thin", "10Mi");
        var volume = made("pvc-w");
        assertEquals(volume.object().uid(), volume.status().volumeId());
        assertEquals(Quantity.parse("12Mi"), volume.status().currentSize().orElseThrow());
        assertEquals(List.of(Driver.TOPOLVM.volumeFinalizer()), volume.object().finalizers());
        assertEquals(Names.CREATED_BY, volume.object().labels().get(Names.CREATED_BY_LABEL));
        assertEquals(
                List.of("PATCH", "PATCH"), writes("pvc-w").stream().map(Seen::method).toList());
        delete("pvc-w");
        assertEquals(
                List.of("PATCH", "PATCH", "DELETE", "PATCH"),
                writes("pvc-w").stream().map(Seen::method).toList());
        assertFalse(inLvm().contains(volume.status().volumeId()));
    }

    @Test
    void dataLivesThroughGrowthSnapshotAndRestore() throws Exception {
        create("pvc-d", "thin", "64Mi");
        var id = made("pvc-d").status().volumeId();
        var target = KUBELET.resolve("d");
        csi.publish(id, target, CsiClient.filesystem("ext4"), false);
        Files.writeString(target.resolve("data"), "first");

        resize("pvc-d", "128Mi");
        await(
                "it grows",
                () -> get("pvc-d").status().currentSize().orElseThrow().bytes() == 128 * MIB);
        assertEquals(128 * MIB, csi.expand(id, target, 128 * MIB));
        assertTrue(FilesystemUsage.of(target).sizeBytes() > 100 * MIB);

        sh("sync -f " + target);
        create("snapshot-d", "thin", "128Mi", "pvc-d", "ro");
        made("snapshot-d");
        Files.writeString(target.resolve("data"), "second");
        create("pvc-r", "thin", "192Mi", "snapshot-d", "rw");
        var restored = made("pvc-r");
        assertEquals(192 * MIB, restored.status().currentSize().orElseThrow().bytes());
        var other = KUBELET.resolve("r");
        csi.publish(restored.status().volumeId(), other, CsiClient.filesystem("ext4"), false);
        assertEquals("first", Files.readString(other.resolve("data")));
        assertTrue(FilesystemUsage.of(other).sizeBytes() > 150 * MIB);

        csi.unpublish(id, target);
        csi.unpublish(restored.status().volumeId(), other);
        for (var name : List.of("pvc-d", "snapshot-d", "pvc-r")) {
            delete(name);
        }
    }

    /** The volume is as an agent leaves it that is killed while mkfs runs. */
    @Test
    @Safety(43)
    void aSnapshotWaitsUntilTheFilesystemThatWasCutShortIsMadeAgain() throws Exception {
        create("pvc-f", "thin", "64Mi");
        var id = made("pvc-f").status().volumeId();
        stopAgent();
        sh("echo inodes | dd of=/dev/csi/%s bs=4096 seek=512 conv=fsync status=none".formatted(id));
        var notes = Files.createDirectories(agent.socket().resolveSibling("formats"));
        Files.createFile(notes.resolve(id + ".begun"));
        startAgent();
        create("snapshot-f", "thin", "64Mi", "pvc-f", "ro");
        await("it is said", () -> waits("snapshot-f"));
        assertTrue(get("snapshot-f").status().volumeId().isEmpty());

        var target = KUBELET.resolve("f");
        csi.publish(id, target, CsiClient.filesystem("ext4"), false);
        made("snapshot-f");
        create("pvc-g", "thin", "64Mi", "snapshot-f", "rw");
        var restored = made("pvc-g").status().volumeId();
        var other = KUBELET.resolve("g");
        csi.publish(restored, other, CsiClient.filesystem("ext4"), false);
        Files.writeString(other.resolve("data"), "written");
        csi.unpublish(restored, other);
        csi.unpublish(id, target);
        for (var name : List.of("pvc-f", "snapshot-f", "pvc-g")) {
            delete(name);
        }
    }

    private static boolean waits(String copy) throws Exception {
        return kube.list(Types.EVENT, ListOptions.all()).items().stream()
                .filter(event -> event.text("regarding", "name").filter(copy::equals).isPresent())
                .anyMatch(
                        event ->
                                event.text("reason")
                                        .filter("SourceBeingFormatted"::equals)
                                        .isPresent());
    }

    @Test
    void everyFailureHasItsCode() throws Exception {
        create("pvc-big", "thick", "10Gi");
        failed("pvc-big", 8);
        create("pvc-over", "thin", "6Gi");
        failed("pvc-over", 8);
        create("pvc-class", "none", "4Mi");
        failed("pvc-class", 5);
        create("pvc-source", "thin", "4Mi", "no-such-volume", "rw");
        failed("pvc-source", 5);
        create("pvc-ok", "thin", "8Mi");
        made("pvc-ok");
        create("pvc-access", "thin", "8Mi", "pvc-ok", "sideways");
        failed("pvc-access", 3);
        create("pvc-small", "thin", "4Mi", "pvc-ok", "rw");
        failed("pvc-small", 11);
        create("pvc-thick", "thick", "8Mi", "pvc-ok", "rw");
        failed("pvc-thick", 3);
        resize("pvc-ok", "6Gi");
        failed("pvc-ok", 8);
        resize("pvc-ok", "16Mi");
        await("a failure is forgotten", () -> get("pvc-ok").status().code() == StatusCode.OK);
        for (var volume : kube.list(LogicalVolume.TYPE, ListOptions.all()).items()) {
            delete(volume.name());
        }
        assertEquals(Set.of(), inLvm());
    }

    @Test
    void deletingAVolumeInUseWaitsWithAReasonAndEndsWhenItIsReleased() throws Exception {
        create("pvc-u", "thin", "64Mi");
        var id = made("pvc-u").status().volumeId();
        var target = KUBELET.resolve("u");
        csi.publish(id, target, CsiClient.filesystem("ext4"), false);
        requestDeletion("pvc-u");
        var message = failed("pvc-u", 9).status().message();
        assertTrue(message.contains("mounted at " + target), message);
        assertTrue(inLvm().contains(id));

        long before = System.nanoTime();
        csi.unpublish(id, target);
        await("it is gone", () -> !exists("pvc-u"));
        assertTrue(Duration.ofNanos(System.nanoTime() - before).toSeconds() < 20);
        assertFalse(inLvm().contains(id));
    }

    @Test
    void aVolumeOfARemovedClassIsRemovedToo() throws Exception {
        create("pvc-c", "thick", "16Mi");
        var id = made("pvc-c").status().volumeId();
        classes.publish(
                new DeviceClasses(
                        AgentProcess.classes().inVolumeGroup("csi").stream()
                                .filter(c -> c.name().equals("thin"))
                                .toList(),
                        Map.of()));
        delete("pvc-c");
        classes.publish(AgentProcess.classes());
        assertFalse(inLvm().contains(id));
    }

    @Test
    void aVolumeWithoutItsSizeIsMeasured() throws Exception {
        stopAgent();
        create("pvc-t", "thin", "16Mi");
        var uid = get("pvc-t").object().uid();
        sh("lvcreate -q -y -T csi/pool -V 16M -n " + uid);
        var status = ObjectTree.builder();
        status.put("volumeID", uid);
        var patch = ObjectTree.builder();
        patch.put("status", status.build());
        kube.mergePatchStatus(LogicalVolume.TYPE, ObjectKey.cluster("pvc-t"), patch.build());
        startAgent();
        assertEquals(16 * MIB, made("pvc-t").status().currentSize().orElseThrow().bytes());
        delete("pvc-t");
    }

    @Test
    void manyVolumesAtOnceKeepLvmBusy() throws Exception {
        long raw = System.nanoTime();
        for (int i = 0; i < 10; i++) {
            sh("lvcreate -q -y -T csi/pool -V 16M -n raw" + i);
        }
        raw = System.nanoTime() - raw;
        sh("lvremove -q -y $(seq -f csi/raw%g 0 9)");
        long ours = System.nanoTime();
        for (int i = 0; i < 20; i++) {
            create("pvc-n" + i, "thin", "16Mi");
        }
        for (int i = 0; i < 20; i++) {
            made("pvc-n" + i);
        }
        ours = System.nanoTime() - ours;
        System.out.println(
                "20 thin volumes ms="
                        + ours / 1_000_000
                        + ", lvcreate in a loop ms="
                        + raw / 500_000);
        for (int i = 0; i < 20; i++) {
            requestDeletion("pvc-n" + i);
        }
        for (int i = 0; i < 20; i++) {
            int n = i;
            await("pvc-n" + n + " is gone", () -> !exists("pvc-n" + n));
        }
    }

    @Test
    void anAgentThatIsKilledAgainAndAgainLosesAndDoublesNothing() throws Exception {
        stopAgent();
        var names = IntStream.range(0, 8).mapToObj(i -> "pvc-k" + i).toList();
        for (var name : names) {
            create(name, "thin", "16Mi");
        }
        var random = new Random(42);
        AgentProcess.killUntil(
                server,
                random,
                MOST_KILLS,
                () -> {
                    for (var name : names) {
                        if (get(name).status().currentSize().isEmpty()) {
                            return false;
                        }
                    }
                    return true;
                });
        var expected = new TreeSet<String>();
        for (var name : names) {
            expected.add(get(name).object().uid());
            assertEquals(get(name).object().uid(), get(name).status().volumeId());
            requestDeletion(name);
        }
        assertEquals(expected, inLvm());
        AgentProcess.killUntil(
                server,
                random,
                MOST_KILLS,
                () -> {
                    for (var name : names) {
                        if (exists(name)) {
                            return false;
                        }
                    }
                    return true;
                });
        assertEquals(Set.of(), inLvm());
        startAgent();
    }
}
