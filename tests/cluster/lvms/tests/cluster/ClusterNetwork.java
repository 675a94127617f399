package lvms.tests.cluster;

import lvms.tests.lab.machine.HostProgram;
import lvms.tests.lab.machine.LabNetwork;

import java.io.IOException;
import java.util.List;

/**
 * What Kubernetes needs of a lab's network: the API server's service address beside the control
 * plane's own, and a way to each node's pods.
 */
record ClusterNetwork(LabNetwork network) {
    private static final String API_SERVICE = "10.96.0.1/32";

    static ClusterNetwork of(LabNetwork network) throws IOException, InterruptedException {
        var made = new ClusterNetwork(network);
        made.ip("address", "add", API_SERVICE, "dev", "bridge");
        HostProgram.run(
                List.of(
                        "nsenter",
                        "--net=" + network.namespaceFile(),
                        "sh",
                        "-c",
                        "echo 1 >/proc/sys/net/ipv4/ip_forward"));
        return made;
    }

    /** Returns the subnet of the pods of a node. */
    String pods(int node) {
        return "10.244." + node + ".0/24";
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
