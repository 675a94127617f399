package lvms.tests.cluster;

import lvms.tests.lab.machine.HostProgram;
import lvms.tests.lab.machine.LabNetwork;
import lvms.tests.lab.machine.Node;

import java.io.IOException;
import java.util.List;

/**
 * What Kubernetes needs of a lab's network: the API server's service address beside the control
 * plane's own, and a way to each node's pods.
 */
record ClusterNetwork(LabNetwork network, boolean ipv6) {
    /** Addresses of nodes begin here, above those of the machine and the control plane. */
    private static final int FIRST_NODE = 0x10;

    static ClusterNetwork of(LabNetwork network, boolean ipv6)
            throws IOException, InterruptedException {
        var made = new ClusterNetwork(network, ipv6);
        if (ipv6) {
            network.addIpv6();
            made.ip("address", "add", "fd00:10:96::1/128", "dev", "bridge", "nodad");
        } else {
            made.ip("address", "add", "10.96.0.1/32", "dev", "bridge");
        }
        HostProgram.run(
                List.of(
                        "nsenter",
                        "--net=" + network.namespaceFile(),
                        "sh",
                        "-c",
                        "echo 1 >/proc/sys/net/"
                                + (ipv6 ? "ipv6/conf/all/forwarding" : "ipv4/ip_forward")));
        return made;
    }

    String controlAddress() {
        return ipv6 ? network.ipv6Address(2) : network.controlAddress();
    }

    /** Returns the address by which Kubernetes knows a machine. */
    String nodeAddress(int node, Node machine) {
        return ipv6 ? network.ipv6Address(FIRST_NODE + node) : machine.address();
    }

    /** Returns the subnet of the pods of a node. */
    String pods(int node) {
        return ipv6 ? "fd00:10:244:%x::/64".formatted(node) : "10.244." + node + ".0/24";
    }

    void routePods(int node, String address) throws IOException, InterruptedException {
        ip("route", "add", pods(node), "via", address);
    }

    private void ip(String... words) throws IOException, InterruptedException {
        var command = new java.util.ArrayList<>(List.of("ip", "-netns"));
        command.add(network.namespaceFile().getFileName().toString());
        command.addAll(List.of(words));
        HostProgram.run(command);
    }
}
