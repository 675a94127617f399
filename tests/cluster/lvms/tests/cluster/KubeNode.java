package lvms.tests.cluster;

import lvms.tests.lab.machine.Disk;
import lvms.tests.lab.machine.Node;

import java.io.IOException;
import java.util.List;

/** A machine of the lab with containerd and kubelet on it. */
final class KubeNode {
    private final Node machine;

    KubeNode(Node machine) {
        this.machine = machine;
    }

    Node machine() {
        return machine;
    }

    /** Returns the disks but the one that holds {@code /var/lib}. */
    List<Disk> disks() {
        return machine.disks().stream().skip(1).toList();
    }

    /** Switches the power on and waits until kubelet runs. */
    void boot() throws IOException, InterruptedException {
        throw new UnsupportedOperationException("kubelet is not there yet");
    }
}
