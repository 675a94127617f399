package lvms.tests.conformance.fault;

import lvms.api.LogicalVolume;
import lvms.lvm2.Grammar;
import lvms.lvm2.LvName;
import lvms.tests.cluster.ClusterNode;

import java.io.IOException;
import java.util.List;

/** What a person with a shell on a node can see and do. */
public final class Hosts {
    /** The process of the node agent, as the node's process table shows it. */
    public static final String AGENT = "[l]vms-vgmanager.args";

    /** The process of the operator. */
    public static final String OPERATOR = "[l]vms-operator.args";

    /** The agent's workers. */
    public static final String WORKER = "[l]vms.lvm2.worker.WorkerMain";

    /** kubelet, and not the shell that starts it again, which names it too. */
    public static final String KUBELET = "^[^ ]*/[k]ubelet --config";

    private Hosts() {}

    /** Returns the processes whose command line matches. */
    static List<String> processes(ClusterNode node, String pattern) throws IOException {
        return node.run("pgrep", "-f", pattern).out().lines().toList();
    }

    /** Kills the processes whose command line matches; returns how many there were. */
    public static int kill(ClusterNode node, String pattern) throws IOException {
        var processes = processes(node, pattern);
        for (var process : processes) {
            node.run("kill", "-KILL", process); // it may be gone already
        }
        return processes.size();
    }

    /** Returns the name of a volume's device in the device-mapper. */
    static String device(LogicalVolume volume) {
        return Grammar.deviceMapperName(
                new LvName(volume.spec().deviceClass(), volume.status().volumeId()));
    }

    /** Returns the kernel's folder of a device. */
    static String sysfs(ClusterNode node, String device) throws IOException {
        return node.shell("grep -lx '" + device + "' /sys/block/dm-*/dm/name")
                .strip()
                .replace("/dm/name", "");
    }
}
