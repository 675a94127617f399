package lvms.node.vgmanager;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.VolumeGroupState;
import lvms.api.nativestor.RawDevice;
import lvms.k8s.client.ListOptions;
import lvms.k8s.client.MergePatch;
import lvms.k8s.object.ObjectKey;
import lvms.node.CsiCall;
import lvms.tests.lab.machine.LabJvm;
import lvms.tests.lab.machine.NodeOptions;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;
import lvms.tests.runner.Safety;
import lvms.tests.server.Definitions;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Raw devices on SCSI disks that are pulled out and come back in another order. */
@Lasts(seconds = 60)
@FullOnly("RawDeviceErasureTests has the same agent on loop devices")
@ExtendWith(AgentLog.class)
class RawDeviceLabTests {
    private static final Duration DEADLINE = Duration.ofMinutes(4);
    private static final String SOCKET =
            "/var/lib/kubelet/plugins/nativestor.alauda.io/node/csi-rawdevice.sock";
    private static final String TARGET =
            "/var/lib/kubelet/plugins/kubernetes.io/csi/volumeDevices/publish/pvc-1/pod";

    @TempDir static Path folder;
    private static AgentNode agent;

    @BeforeAll
    static void boot() throws Exception {
        agent = AgentNode.boot(folder, NodeOptions.named(AgentNode.NAME, List.of()).withUdev());
        Definitions.install(agent.kube(), Definitions.NATIVESTOR);
        agent.shell(
                "modprobe scsi_debug per_host_store=1 add_host=3 dev_size_mb=16 virtual_gb=3"
                        + " && udevadm settle");
        agent.startAgent("--discover-devices", "--raw-devices");
    }

    @AfterAll
    static void end() throws Exception {
        if (agent != null) {
            agent.close();
        }
    }

    private static List<RawDevice> objects() throws Exception {
        return agent.kube().list(RawDevice.TYPE, ListOptions.all()).items().stream()
                .map(RawDevice::of)
                .toList();
    }

    private static RawDevice named(String name) throws Exception {
        return RawDevice.of(agent.kube().get(RawDevice.TYPE, ObjectKey.cluster(name)));
    }

    private static RawDevice free(String path) throws Exception {
        AgentNode.until(
                () ->
                        objects().stream()
                                .filter(RawDevice::free)
                                .anyMatch(device -> device.spec().realPath().equals(path)));
        return objects().stream()
                .filter(device -> device.spec().realPath().equals(path))
                .findFirst()
                .orElseThrow();
    }

    private static void call(String what, String volume) throws Exception {
        LabJvm.heap(64).run(agent.node(), DEADLINE, CsiCall.class, SOCKET, what, volume, TARGET);
    }

    /** The link to a disk of the driver, wherever it is plugged in. */
    private static String link(int disk) {
        return "/dev/disk/by-id/wwn-0x%016x".formatted(0x3333333000000000L + 2000L * (disk + 1));
    }

    private static String path(int disk) throws Exception {
        return agent.shell("readlink --canonicalize " + link(disk)).strip();
    }

    /** Pulls all disks out and plugs them in again, the first one last. */
    private static void reorder() throws Exception {
        agent.shell("for d in /sys/block/sd*; do echo 1 > $d/device/delete; done; udevadm settle");
        AgentNode.until(() -> agent.shell("ls -d /sys/block/sd* || true").isBlank());
        for (int disk = 2; disk >= 0; disk--) {
            agent.shell("echo '- - -' > /sys/class/scsi_host/host" + disk + "/scan");
            var link = link(disk);
            AgentNode.until(() -> agent.shell("ls " + link + " || true").contains(link));
        }
    }

    @Safety(41)
    @Test
    void aDiskThatAVolumeHasIsThatDiskUnderAnyName() throws Exception {
        var before = path(0);
        var device = free(before);
        free(path(1));
        free(path(2));
        assertTrue(device.identity().containsKey("WWN"), device.identity()::toString);
        agent.kube()
                .mergePatch(
                        RawDevice.TYPE,
                        MergePatch.of(device.object()).annotation(RawDevice.VOLUME, "pvc-1"));
        AgentNode.until(() -> named(device.name()).allocated());
        agent.shell("echo one | dd of=" + before + " conv=fsync status=none");

        reorder();
        var now = path(0);
        assertNotEquals(before, now);
        assertEquals("one", agent.shell("head -n 1 " + now).strip());
        AgentNode.until(() -> named(device.name()).spec().realPath().equals(now));
        agent.shell("mkdir -p " + Path.of(TARGET).getParent());
        call("publish", device.name());
        assertEquals("one", agent.shell("head -n 1 " + TARGET).strip());

        agent.create("vg1", "{}");
        var members = agent.await("vg1", VolumeGroupState.READY).devices();
        assertEquals(Set.of(path(1), path(2)), Set.copyOf(members));
        assertEquals("one", agent.shell("head -n 1 " + now).strip());

        call("unpublish", device.name());
        assertEquals("", agent.shell("ls " + Path.of(TARGET).getParent()).strip());
        agent.shell("echo 1 > /sys/block/" + Path.of(now).getFileName() + "/device/delete");
        AgentNode.until(() -> named(device.name()).spec().reason().equals("the device is gone"));
        assertTrue(named(device.name()).allocated());
    }
}
