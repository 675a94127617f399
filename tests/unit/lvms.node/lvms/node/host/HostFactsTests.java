package lvms.node.host;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.api.machine.MachineFacts;
import lvms.api.machine.ModuleState;
import lvms.k8s.tree.Json;
import lvms.tests.runner.LinuxOnly;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What a machine is like is read from its files alone. */
@LinuxOnly
class HostFactsTests {
    private static final String WRITABLE = "1 0 8:1 / / rw - ext4 /dev/sda1 rw\n";

    @TempDir Path folder;
    private Path root;
    private Path proc;

    @BeforeEach
    void machine() throws IOException {
        root = folder.resolve("root");
        proc = folder.resolve("proc");
        write(proc, "sys/kernel/osrelease", "6.1.0\n");
        write(proc, "1/mountinfo", WRITABLE);
    }

    private static void write(Path below, String path, String text) throws IOException {
        var file = below.resolve(path);
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
    }

    private MachineFacts read() throws IOException {
        return new HostFacts(root, proc, true, false).read();
    }

    @Test
    void aModuleIsLoadedOrListedOrMissing() throws Exception {
        Files.createDirectories(root.resolve("sys/module/dm_mod"));
        write(
                root,
                "lib/modules/6.1.0/modules.dep",
                "kernel/drivers/md/dm-thin-pool.ko.xz: kernel/drivers/md/dm-snapshot.ko.xz\n");
        write(root, "lib/modules/6.1.0/modules.builtin", "kernel/drivers/md/dm-raid.ko\n");
        assertEquals(
                Map.of(
                        "dm_mod", ModuleState.LOADED,
                        "dm_raid", ModuleState.AVAILABLE,
                        "dm_snapshot", ModuleState.MISSING,
                        "dm_thin_pool", ModuleState.AVAILABLE),
                read().modules());
    }

    @ParameterizedTest
    @CsvSource({
        "/usr/bin/kubelet --v=2, /var/lib/kubelet",
        "/var/lib/k0s/bin/kubelet --root-dir=/var/lib/k0s/kubelet --v=1, /var/lib/k0s/kubelet",
        "kubelet --root-dir /data/kubelet, /data/kubelet"
    })
    void kubeletsCommandLineNamesItsFolder(String line, String expected) throws Exception {
        write(proc, "77/cmdline", line.replace(' ', '\0') + "\0");
        assertEquals(Optional.of(expected), read().kubelet());
    }

    @Test
    void aKubeletWithinAnotherProgramIsKnownByItsFolder() throws Exception {
        write(proc, "77/cmdline", "/snap/microk8s/1/kubelite\0--kubelet-args-file=x\0");
        assertEquals(Optional.empty(), read().kubelet());
        Files.createDirectories(root.resolve("var/lib/kubelet/device-plugins"));
        assertEquals(Optional.of("/var/lib/kubelet"), read().kubelet());
        var microk8s = "var/snap/microk8s/common/var/lib/kubelet";
        Files.createDirectories(root.resolve(microk8s).resolve("device-plugins"));
        assertEquals(Optional.of("/" + microk8s), read().kubelet());
    }

    @Test
    void theNearestMountSaysWhetherAFolderCanBeWritten() throws Exception {
        assertEquals(List.of(), read().readOnly());
        write(
                proc,
                "1/mountinfo",
                "1 0 8:1 / / ro - ext4 /dev/sda1 ro\n2 1 8:2 / /var rw - xfs /dev/sda2 rw\n");
        assertEquals(List.of("/etc"), read().readOnly());
    }

    @Test
    void selinuxAndTheDevicesFileAreSeenAndAllSurvivesJson() throws Exception {
        assertEquals("", read().selinux());
        write(root, "sys/fs/selinux/enforce", "1");
        write(root, "etc/lvm/devices/system.devices", "VERSION=1.1.1\n");
        var facts = read();
        assertEquals("enforcing", facts.selinux());
        assertEquals(true, facts.devicesFile());
        assertEquals(facts, MachineFacts.of(Json.parse(facts.json().toString()).asObject()));
    }
}
