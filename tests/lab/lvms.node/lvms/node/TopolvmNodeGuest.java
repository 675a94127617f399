package lvms.node;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.api.StatusCode;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.testkit.ApiServer;
import lvms.k8s.yaml.Yaml;
import lvms.node.csi.CsiClient;
import lvms.proto.csi.v1.GetPluginInfoRequest;
import lvms.tests.lab.machine.LabJvm;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * {@code topolvm-node --embed-lvmd} as a process, on a group that a person made: its classes are
 * served without an LVMCluster, and nothing else becomes of the group. Runs inside a lab node.
 */
@Timeout(200)
class TopolvmNodeGuest {
    private static final String NODE = "node1";
    private static final String CLASSES =
            """
            socket-name: /run/unused/lvmd.sock
            device-classes:
              - {name: ssd, volume-group: data, default: true, spare-gb: 0}
              - name: thin
                volume-group: data
                type: thin
                thin-pool: {name: pool, overprovision-ratio: 5.0}
              - name: fast
                volume-group: data
                type: thin
                thin-pool: {name: other, overprovision-ratio: 1.0}
              - {name: absent, volume-group: nowhere}
            """;

    private static ApiServer server;
    private static KubeClient kube;
    private static Path folder;

    @BeforeAll
    static void start() throws Exception {
        sh("vgcreate -q -y data /dev/ubdb /dev/ubdc");
        sh("lvcreate -q -y -T -L 128M data/pool && lvcreate -q -y -T -L 64M data/other");
        folder = Files.createTempDirectory("topolvm");
        Files.writeString(folder.resolve("lvmd.yaml"), CLASSES);
        server = ApiServer.start();
        kube = KubeClient.open(server.config(), "test").withFieldManager("test");
        kube.create(Types.NODE, KubeObject.create(Types.NODE, ObjectKey.cluster(NODE)));
        var crd = Files.readString(Path.of(System.getProperty("lvms.crds")));
        for (var driver : new Driver[] {Driver.TOPOLVM, Driver.LEGACY}) {
            var own = crd.replace("topolvm.io", driver.name());
            kube.create(Types.CRD, KubeObject.of(Yaml.read(own).asObject()));
            await("the CRD is served", () -> kube.serves(driver.logicalVolumes()));
            kube.create(
                    Types.CSI_DRIVER,
                    KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster(driver.name()))
                            .with(false, "spec", "attachRequired"));
        }
    }

    @AfterAll
    static void end() throws Exception {
        kube.close();
        server.close();
        sh("vgremove -q -y -f data");
    }

    private static void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, "never: " + what + said());
            LockSupport.parkNanos(20_000_000);
        }
    }

    private static String said() throws Exception {
        var log = folder.resolve("log");
        return Files.exists(log) ? "\n" + Files.readString(log) : "";
    }

    private static Process process(Path socket, String legacy) throws Exception {
        var command =
                LabJvm.heap(64)
                        .command(
                                "lvms.launcher.Main",
                                "/topolvm-node",
                                "--embed-lvmd",
                                "--csi-socket=" + socket,
                                "--config=" + folder.resolve("lvmd.yaml"),
                                "--metrics-bind-address=127.0.0.1:9180");
        var builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(folder.resolve("log").toFile());
        builder.environment()
                .putAll(
                        Map.of(
                                "KUBECONFIG", server.kubeconfig().toString(),
                                "NODE_NAME", NODE,
                                "USE_LEGACY", legacy));
        return builder.start();
    }

    private static void create(Driver driver, String name, String deviceClass) throws Exception {
        kube.create(
                driver.logicalVolumes(),
                LogicalVolume.create(
                                driver,
                                new LogicalVolume.Spec(
                                        name,
                                        NODE,
                                        Quantity.parse("32Mi"),
                                        deviceClass,
                                        "",
                                        "",
                                        ""),
                                Map.of())
                        .without("metadata", "finalizers")
                        .without("metadata", "labels"));
    }

    private static LogicalVolume get(Driver driver, String name) throws Exception {
        return LogicalVolume.of(kube.get(driver.logicalVolumes(), ObjectKey.cluster(name)));
    }

    private static Map<String, String> capacities() throws Exception {
        return kube.get(Types.NODE, ObjectKey.cluster(NODE)).annotations();
    }

    @ParameterizedTest
    @CsvSource({"topolvm.io, ''", "topolvm.cybozu.com, false"})
    void servesTheClassesOfAPersonsGroup(String name, String legacy) throws Exception {
        var driver = new Driver(name);
        var kubelet = folder.resolve("kubelet");
        var socket = kubelet.resolve("plugins/" + name + "/node/csi-topolvm.sock");
        Files.createDirectories(socket.getParent());
        var before = sh("vgs --noheadings -o vg_uuid,vg_tags,vg_extent_size data");
        var program = process(socket, legacy);
        try {
            await("it serves", () -> said().contains("topolvm-node serves driver=" + name));
            var csi = new CsiClient(socket);
            identify(csi, name);
            announces(driver);
            serves(driver, csi, kubelet);
            followsItsFile(driver);
            csi.close();
        } finally {
            program.destroy();
            assertTrue(program.waitFor(60, TimeUnit.SECONDS), said());
        }
        assertEquals(0, program.exitValue(), said());
        assertEquals(before, sh("vgs --noheadings -o vg_uuid,vg_tags,vg_extent_size data"));
        assertEquals("other\npool", sh("lvs --noheadings -o lv_name data | tr -d ' ' | sort"));
        Files.writeString(folder.resolve("lvmd.yaml"), CLASSES);
    }

    private static void identify(CsiClient csi, String name) throws Exception {
        var info = csi.identity().getPluginInfo(GetPluginInfoRequest.getDefaultInstance());
        assertEquals(name, info.getName());
        await("the probe is ready", csi::ready);
    }

    private static void announces(Driver driver) throws Exception {
        var key = driver.capacityAnnotation("absent");
        await("the capacity is told", () -> capacities().containsKey(key));
        var told = capacities();
        assertEquals("0", told.get(key), "its group is not there");
        assertEquals(Long.toString(5L * (128 << 20)), told.get(driver.capacityAnnotation("thin")));
        assertEquals(Long.toString(64 << 20), told.get(driver.capacityAnnotation("fast")));
        assertEquals(
                told.get(driver.capacityAnnotation("ssd")),
                told.get(driver.capacityAnnotation("")));
        assertTrue(said().contains("there is no volume group nowhere"), said());
        for (var gauge :
                new String[] {
                    "topolvm_volumegroup_available_bytes",
                    "topolvm_volumegroup_size_bytes",
                    "topolvm_thinpool_size_bytes",
                    "topolvm_thinpool_data_percent",
                    "topolvm_thinpool_metadata_percent",
                    "topolvm_thinpool_overprovisioned_available"
                }) {
            var series = gauge + "{node=\"node1\",device_class=\"thin\"}";
            await(series, () -> page().contains(series));
        }
    }

    private static String page() throws Exception {
        return sh(
                "curl --silent http://127.0.0.1:9180/metrics || wget -qO-"
                        + " http://127.0.0.1:9180/metrics");
    }

    private static void serves(Driver driver, CsiClient csi, Path kubelet) throws Exception {
        for (var deviceClass : new String[] {"ssd", "thin", "fast", ""}) {
            var name = "pvc-" + (deviceClass.isEmpty() ? "default" : deviceClass);
            create(driver, name, deviceClass);
            await(name, () -> get(driver, name).status().currentSize().isPresent());
            var made = get(driver, name);
            assertEquals(made.object().uid(), made.status().volumeId());
            assertTrue(made.object().finalizers().contains(driver.volumeFinalizer()));
            var target = kubelet.resolve("pods/" + name);
            csi.publish(made.status().volumeId(), target, CsiClient.filesystem("ext4"), false);
            Files.writeString(target.resolve("data"), name);
            csi.unpublish(made.status().volumeId(), target);
            kube.delete(driver.logicalVolumes(), ObjectKey.cluster(name), DeleteOptions.any());
            await(
                    name + " is gone",
                    () -> kube.find(driver.logicalVolumes(), made.object().key()).isEmpty());
        }
        create(driver, "pvc-absent", "absent");
        await(
                "the class without a group says so",
                () -> get(driver, "pvc-absent").status().code() != StatusCode.OK);
        kube.delete(driver.logicalVolumes(), ObjectKey.cluster("pvc-absent"), DeleteOptions.any());
    }

    private static void followsItsFile(Driver driver) throws Exception {
        Files.writeString(
                folder.resolve("lvmd.yaml"),
                """
                device-classes:
                  - {name: solid, volume-group: data, spare-gb: 0}
                """);
        await(
                "the new class is told",
                () -> capacities().containsKey(driver.capacityAnnotation("solid")));
        assertFalse(capacities().containsKey(driver.capacityAnnotation("thin")));
        assertEquals("0", capacities().get(driver.capacityAnnotation("")), "there is no default");
    }
}
