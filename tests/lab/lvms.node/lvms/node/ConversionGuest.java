package lvms.node;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.grpc.Status;
import io.grpc.StatusRuntimeException;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.yaml.Yaml;
import lvms.node.csi.CsiClient;
import lvms.operator.takeover.Takeover;
import lvms.proto.csi.v1.GetPluginInfoRequest;
import lvms.proto.csi.v1.NodeGetInfoRequest;
import lvms.tests.lab.machine.LabJvm;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * A volume of TopoLVM's old name that is mounted becomes one of the present name: it is neither
 * made again, remounted nor removed, and its old PersistentVolume is served on. Runs inside a lab
 * node.
 */
@Timeout(200)
class ConversionGuest {
    private static final String NODE = "node1";
    private static final ObjectKey NAME = ObjectKey.cluster("pvc-1");
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final Path CRDS = Path.of(System.getProperty("lvms.crds"));

    private static ApiServer server;
    private static KubeClient kube;
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        sh("vgcreate -q -y old /dev/ubdb");
        folder = Files.createTempDirectory("conversion");
        Files.writeString(
                folder.resolve("lvmd.yaml"),
                "device-classes:\n"
                        + "  - {name: ssd, volume-group: old, default: true, spare-gb: 0}\n");
        server = ApiServer.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        kube.create(Types.NODE, KubeObject.create(Types.NODE, ObjectKey.cluster(NODE)));
        var crd = Files.readString(CRDS);
        for (var driver : new Driver[] {Driver.TOPOLVM, Driver.LEGACY}) {
            var own = crd.replace("topolvm.io", driver.name());
            kube.create(Types.CRD, KubeObject.of(Yaml.read(own).asObject()));
            await("the CRD is served", () -> kube.serves(driver.logicalVolumes()));
            kube.create(
                    Types.CSI_DRIVER,
                    KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster(driver.name()))
                            .with(false, "spec", "attachRequired"));
        }
        Files.createDirectories(folder.resolve("plugins_registry"));
    }

    @AfterAll
    static void end() throws Exception {
        kube.close();
        server.close();
        sh("vgremove -q -y -f old");
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, "never: " + what + said());
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static String said() throws Exception {
        var log = folder.resolve("log");
        return Files.exists(log) ? "\n" + Files.readString(log) : "";
    }

    private static Path socket(Driver driver) throws Exception {
        var socket = folder.resolve("plugins/" + driver.name() + "/node/csi-topolvm.sock");
        Files.createDirectories(socket.getParent());
        return socket;
    }

    /** Where kubelet reaches the old driver beside the present one. */
    private static Path oldDoor() throws Exception {
        return socket(Driver.TOPOLVM).resolveSibling("csi-topolvm.cybozu.com.sock");
    }

    private static Process process(Driver driver, String legacy) throws Exception {
        return started(
                legacy,
                "topolvm-node serves driver=" + driver.name(),
                "/topolvm-node",
                "--embed-lvmd",
                "--csi-socket=" + socket(driver),
                "--config=" + folder.resolve("lvmd.yaml"),
                "--metrics-bind-address=0");
    }

    private static Process started(String legacy, String sign, String... words) throws Exception {
        var builder =
                new ProcessBuilder(LabJvm.heap(64).command("lvms.launcher.Main", words))
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile());
        builder.environment()
                .putAll(
                        Map.of(
                                "KUBECONFIG",
                                server.kubeconfig().toString(),
                                "NODE_NAME",
                                NODE,
                                "NAMESPACE",
                                "lvms-system",
                                "USE_LEGACY",
                                legacy));
        var process = builder.start();
        await("it serves", () -> said().contains(sign));
        return process;
    }

    private static void end(Process process) throws Exception {
        process.destroy();
        assertTrue(process.waitFor(60, TimeUnit.SECONDS), said());
    }

    private static LogicalVolume get(Driver driver) throws Exception {
        return LogicalVolume.of(kube.get(driver.logicalVolumes(), NAME));
    }

    private static String mounts() throws Exception {
        return sh("grep " + folder + "/pods/first /proc/self/mountinfo");
    }

    @Test
    void aMountedVolumeIsServedUnderBothNames() throws Exception {
        var first = folder.resolve("pods/first");
        var old = process(Driver.LEGACY, "true");
        String id;
        try {
            id = make();
            var csi = new CsiClient(socket(Driver.LEGACY));
            csi.publish(id, first, CsiClient.filesystem("ext4"), false);
            Files.writeString(first.resolve("data"), "kept");
            csi.close();
        } finally {
            end(old);
        }
        var mounts = mounts();
        convert();
        var present = process(Driver.TOPOLVM, "");
        try {
            await("it serves both", () -> said().contains("the old driver is served too"));
            var csi = new CsiClient(oldDoor());
            identify(csi);
            var second = folder.resolve("pods/second");
            csi.publish(id, second, CsiClient.filesystem("ext4"), false);
            assertEquals("kept", Files.readString(second.resolve("data")));
            assertEquals(mounts, mounts());
            grow(id);
            csi.unpublish(id, second);
            csi.unpublish(id, first);
            csi.close();
        } finally {
            end(present);
        }
        var agent = agent();
        try {
            await("the agent of LVMS serves both", () -> Files.exists(oldDoor()));
            var csi = new CsiClient(oldDoor());
            await("its volumes are known", () -> published(csi, id, first));
            assertEquals("kept", Files.readString(first.resolve("data")));
            csi.unpublish(id, first);
            csi.close();
            assertEquals(id, sh("lvs --noheadings -o lv_name old").strip());
            remove();
        } finally {
            end(agent);
        }
    }

    /** Kubelet repeats a call that is answered by ABORTED. */
    private static boolean published(CsiClient csi, String id, Path target) {
        try {
            csi.publish(id, target, CsiClient.filesystem("ext4"), false);
            return true;
        } catch (StatusRuntimeException e) {
            assertEquals(Status.Code.ABORTED, e.getStatus().getCode());
            return false;
        }
    }

    private static Process agent() throws Exception {
        var types = List.of("lvmvolumegroups", "lvmvolumegroupnodestatuses");
        for (var type : types) {
            var file = CRDS.resolveSibling("lvm.topolvm.io_" + type + ".yaml");
            var crd = Yaml.read(Files.readString(file)).asObject();
            kube.create(Types.CRD, KubeObject.of(crd));
        }
        return started(
                "",
                "node agent serves node=" + NODE,
                "vgmanager",
                "--lock-file=" + folder.resolve("lock"),
                "--lvmd-config=" + folder.resolve("agents.yaml"),
                "--kubelet-root=" + folder,
                "--user-device-classes=" + folder.resolve("lvmd.yaml"),
                "--health-probe-bind-address=127.0.0.1:0",
                "--diagnosticsAddr=0");
    }

    private static String make() throws Exception {
        var spec =
                new LogicalVolume.Spec(
                        NAME.name(), NODE, Quantity.parse("32Mi"), "ssd", "", "", "");
        kube.create(
                Driver.LEGACY.logicalVolumes(),
                LogicalVolume.create(Driver.LEGACY, spec, Map.of()));
        await("the volume", () -> get(Driver.LEGACY).state() == LogicalVolume.State.READY);
        return get(Driver.LEGACY).status().volumeId();
    }

    private static void convert() throws Exception {
        var conversion = new Takeover(kube, "topolvm-legacy", "default");
        var plan = conversion.plan();
        assertEquals(List.of(), plan.obstacles());
        conversion.run(plan, PATIENCE, _ -> {});
        assertTrue(kube.find(Driver.LEGACY.logicalVolumes(), NAME).isEmpty());
    }

    private static void identify(CsiClient csi) throws Exception {
        var info = csi.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
        assertEquals("topolvm.cybozu.com", info.getName());
        var node = csi.node().nodeGetInfo(NodeGetInfoRequest.getDefaultInstance());
        assertEquals(
                Map.of("topology.topolvm.cybozu.com/node", NODE),
                node.getAccessibleTopology().getSegmentsMap());
        var registry = folder.resolve("plugins_registry");
        assertTrue(Files.exists(registry.resolve("topolvm.cybozu.com-reg.sock")));
        assertFalse(Files.exists(registry.resolve("topolvm.io-reg.sock")), "a sidecar's work");
        for (var driver : new Driver[] {Driver.TOPOLVM, Driver.CONVERTED}) {
            await(
                    "capacity for " + driver.name(),
                    () ->
                            kube.get(Types.NODE, ObjectKey.cluster(NODE))
                                    .annotations()
                                    .containsKey(driver.capacityAnnotation("ssd")));
        }
    }

    private static void grow(String id) throws Exception {
        var object = get(Driver.TOPOLVM).object();
        kube.mergePatch(
                Driver.TOPOLVM.logicalVolumes(), MergePatch.of(object).set("64Mi", "spec", "size"));
        await("it grew", () -> get(Driver.TOPOLVM).bytes() == 64 << 20);
        assertEquals("64.00m", sh("lvs --noheadings --units m -o lv_size old/" + id).strip());
    }

    private static void remove() throws Exception {
        kube.delete(Driver.TOPOLVM.logicalVolumes(), NAME, DeleteOptions.any());
        await("its object", () -> kube.find(Driver.TOPOLVM.logicalVolumes(), NAME).isEmpty());
        assertEquals("", sh("lvs --noheadings -o lv_name old").strip());
    }
}
