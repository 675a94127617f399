package lvms.node;

import static lvms.node.GuestShell.sh;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Driver;
import lvms.api.LogicalVolume;
import lvms.k8s.client.DeleteOptions;
import lvms.k8s.client.KubeClient;
import lvms.k8s.client.MergePatch;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Quantity;
import lvms.k8s.object.Types;
import lvms.k8s.yaml.Yaml;
import lvms.node.csi.CsiClient;
import lvms.proto.csi.v1.VolumeCapability;
import lvms.proto.csi.v1.VolumeCapability.AccessMode.Mode;
import lvms.proto.csi.v1.VolumeUsage;
import lvms.tests.lab.machine.LabJvm;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/**
 * A {@code topolvm-node} and an {@code lvmd} as two processes on a group that a person made,
 * TopoLVM's or ours. Whoever made them, volumes are made, mounted, grown, copied and removed, and
 * nothing is left. Runs inside a lab node.
 */
@Timeout(240)
abstract class LvmdPairGuest {
    static final long MIB = 1L << 20;
    private static final String NODE = "node1";
    private static final Quantity SMALL = Quantity.parse("32Mi");
    private static final Quantity LARGE = Quantity.parse("64Mi");
    private static final Driver DRIVER = Driver.TOPOLVM;
    private static final String CLASSES =
            """
            socket-name: %s
            lvm-command-prefix: %s
            device-classes:
              - {name: ssd, volume-group: data, default: true, spare-gb: 0}
              - {name: striped, volume-group: fast, spare-gb: 0, stripe: 2, stripe-size: 64k}
              - name: thin
                volume-group: data
                type: thin
                thin-pool: {name: pool, overprovision-ratio: 5.0}
            """;

    private Path folder;
    private Path lvmdSocket;
    private Path csiSocket;
    private Process lvmd;
    private Process node;
    private KubeClient kube;

    /** Returns the kubeconfig of an API server. */
    abstract Path cluster() throws Exception;

    abstract List<String> lvmd(Path config) throws Exception;

    /** Returns the words that LVM is run with; empty for the program's own choice. */
    abstract String prefix();

    abstract List<String> node(Path lvmdSocket, Path csiSocket) throws Exception;

    static List<String> ours(String... words) {
        return LabJvm.heap(64).command("lvms.launcher.Main", words);
    }

    @BeforeEach
    void prepare() throws Exception {
        sh("vgcreate -q -y data /dev/ubdb && vgcreate -q -y fast /dev/ubdc /dev/ubdd");
        sh("lvcreate -q -y -T -L 128M data/pool");
        folder = Files.createTempDirectory("pair");
        lvmdSocket = folder.resolve("lvmd/lvmd.sock");
        csiSocket = folder.resolve("kubelet/plugins/topolvm.io/node/csi-topolvm.sock");
        Files.createDirectories(lvmdSocket.getParent());
        Files.createDirectories(csiSocket.getParent());
        Files.writeString(folder.resolve("lvmd.yaml"), CLASSES.formatted(lvmdSocket, prefix()));
        kube =
                KubeClient.open(KubeConfig.load(Optional.of(cluster())), "test")
                        .withFieldManager("test");
        kube.create(
                Types.NODE,
                KubeObject.create(Types.NODE, ObjectKey.cluster(NODE))
                        .with("", "metadata", "annotations", "example.com/any")); // as any real one
        var crd = Files.readString(Path.of(System.getProperty("lvms.crds")));
        kube.create(Types.CRD, KubeObject.of(Yaml.read(crd).asObject()));
        await("the CRD is served", () -> kube.serves(DRIVER.logicalVolumes()));
        kube.create(
                Types.CSI_DRIVER,
                KubeObject.create(Types.CSI_DRIVER, ObjectKey.cluster(DRIVER.name()))
                        .with(false, "spec", "attachRequired"));
    }

    @AfterEach
    void end() throws Exception {
        for (var process : new Process[] {node, lvmd}) {
            if (process != null) {
                process.destroyForcibly().waitFor();
            }
        }
        if (kube != null) {
            kube.close();
        }
        sh("vgremove -q -y -f data fast");
    }

    private Process start(String log, List<String> command) throws Exception {
        var builder =
                new ProcessBuilder(command)
                        .redirectErrorStream(true)
                        .redirectOutput(
                                ProcessBuilder.Redirect.appendTo(folder.resolve(log).toFile()));
        builder.environment().putAll(Map.of("KUBECONFIG", cluster().toString(), "NODE_NAME", NODE));
        return builder.start();
    }

    void startLvmd() throws Exception {
        lvmd = start("lvmd.log", lvmd(folder.resolve("lvmd.yaml")));
    }

    void awaitLvmd() throws Exception {
        await("lvmd's socket is there", () -> Files.exists(lvmdSocket));
    }

    /** TopoLVM's waits for whoever watches it, if it is asked to end. */
    void killLvmd() throws Exception {
        lvmd.destroyForcibly().waitFor();
    }

    void startNode() throws Exception {
        node = start("node.log", node(lvmdSocket, csiSocket));
    }

    private String said() {
        try {
            return "\nnode:\n"
                    + Files.readString(folder.resolve("node.log"))
                    + "\nlvmd:\n"
                    + Files.readString(folder.resolve("lvmd.log"));
        } catch (IOException e) {
            return "\nno log: " + e;
        }
    }

    void await(String what, Callable<Boolean> condition) throws Exception {
        long end = System.nanoTime() + Duration.ofSeconds(90).toNanos();
        while (!condition.call()) {
            assertTrue(System.nanoTime() < end, () -> "never: " + what + said());
            LockSupport.parkNanos(50_000_000);
        }
    }

    CsiClient served() throws Exception {
        await("the node's socket is there", () -> Files.exists(csiSocket));
        var csi = new CsiClient(csiSocket);
        await("the probe is ready", csi::ready);
        await("the capacity is told", () -> capacity("thin").isPresent());
        assertEquals(Optional.of(Long.toString(5 * 128 * MIB)), capacity("thin"));
        assertEquals(capacity("ssd"), capacity(""));
        return csi;
    }

    private Optional<String> capacity(String deviceClass) throws Exception {
        return kube.get(Types.NODE, ObjectKey.cluster(NODE))
                .annotation(DRIVER.capacityAnnotation(deviceClass));
    }

    LogicalVolume make(String name, String deviceClass) throws Exception {
        return make(new LogicalVolume.Spec(name, NODE, SMALL, deviceClass, "", "", ""));
    }

    /** Makes a copy, which only snapshots have read-only. */
    private LogicalVolume copy(String name, String source, String access) throws Exception {
        return make(new LogicalVolume.Spec(name, NODE, LARGE, "thin", "", source, access));
    }

    /** Makes what TopoLVM's controller asks for. */
    private LogicalVolume make(LogicalVolume.Spec spec) throws Exception {
        var name = spec.name();
        kube.create(
                DRIVER.logicalVolumes(),
                LogicalVolume.create(DRIVER, spec, Map.of())
                        .without("metadata", "finalizers")
                        .without("metadata", "labels"));
        await(name + " is made", () -> get(name).status().currentSize().isPresent());
        var made = get(name);
        assertEquals(made.uid(), made.status().volumeId());
        return made;
    }

    private LogicalVolume get(String name) throws Exception {
        return LogicalVolume.of(kube.get(DRIVER.logicalVolumes(), ObjectKey.cluster(name)));
    }

    void remove(String name) throws Exception {
        var key = ObjectKey.cluster(name);
        kube.delete(DRIVER.logicalVolumes(), key, DeleteOptions.any());
        await(name + " is gone", () -> kube.find(DRIVER.logicalVolumes(), key).isEmpty());
    }

    /** TopoLVM's node knows this access mode alone. */
    static VolumeCapability filesystem() {
        return CsiClient.filesystem("ext4", Mode.SINGLE_NODE_WRITER);
    }

    Path target(String name) {
        return folder.resolve("kubelet/pods/" + name + "/mount");
    }

    /** A filesystem that is written, grown while it is mounted, and measured. */
    void useAndGrow(CsiClient csi, LogicalVolume volume) throws Exception {
        var id = volume.uid();
        var target = target(volume.name());
        Files.createDirectories(target.getParent());
        csi.publish(id, target, filesystem(), false);
        Files.writeString(target.resolve("data"), volume.name());
        kube.mergePatch(
                DRIVER.logicalVolumes(),
                MergePatch.of(volume.object()).set("64Mi", "spec", "size"));
        await("it has grown", () -> get(volume.name()).bytes() == 64 * MIB);
        csi.expand(id, target, 64 * MIB);
        var bytes =
                csi.stats(id, target.toString()).getUsageList().stream()
                        .filter(usage -> usage.getUnit() == VolumeUsage.Unit.BYTES)
                        .findFirst()
                        .orElseThrow();
        assertTrue(bytes.getTotal() > 40 * MIB, "the filesystem has grown, too: " + bytes);
        csi.unpublish(id, target);
    }

    void requireContent(CsiClient csi, LogicalVolume copy, String content) throws Exception {
        var target = target(copy.name());
        Files.createDirectories(target.getParent());
        csi.publish(copy.uid(), target, filesystem(), false);
        assertEquals(content, Files.readString(target.resolve("data")));
        csi.unpublish(copy.uid(), target);
    }

    /** What any pair has to do. */
    void wholeLife(CsiClient csi) throws Exception {
        for (var deviceClass : List.of("ssd", "striped", "thin")) {
            useAndGrow(csi, make("pvc-" + deviceClass, deviceClass));
        }
        assertEquals(
                "2", sh("lvs --noheadings -o stripes fast | tr -d ' '"), "as the class wants it");
        copy("snap", "pvc-thin", "ro");
        requireContent(csi, copy("clone", "pvc-thin", "rw"), "pvc-thin");
        for (var name : List.of("snap", "clone", "pvc-ssd", "pvc-striped", "pvc-thin")) {
            remove(name);
        }
        assertEquals("pool", sh("lvs --noheadings -o lv_name data fast | tr -d ' '"));
    }
}
