package lvms.tests.cluster;

import lvms.tests.lab.machine.Disk;
import lvms.tests.lab.machine.Node;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * A machine of the lab with containerd and kubelet on it.
 *
 * @param script {@code node.sh}
 * @param settings what the script has to know
 */
record KubeNode(Node machine, Path script, Map<String, String> settings) {
    private static final Duration UP = Duration.ofMinutes(2);

    /** Returns the address by which Kubernetes knows it. */
    String address() {
        return settings.get("address");
    }

    /** Returns the disks but the one that holds {@code /var/lib}. */
    List<Disk> disks() {
        return machine.disks().stream().skip(1).toList();
    }

    /** Starts containerd and kubelet on a machine that has just been booted. */
    void startKubelet() throws IOException {
        NodeSettings.write(machine, settings);
        machine.run(List.of("sh", script.toString(), "up"), UP)
                .require("kubelet of " + machine.name());
    }

    /** Returns the id of this boot, which kubelet reports. */
    String bootId() throws IOException {
        return machine.run("cat", "/proc/sys/kernel/random/boot_id").require("boot id");
    }
}
