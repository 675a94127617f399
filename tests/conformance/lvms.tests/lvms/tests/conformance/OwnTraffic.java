package lvms.tests.conformance;

import lvms.api.LvmCluster;
import lvms.api.Names;
import lvms.k8s.client.ListOptions;
import lvms.k8s.config.KubeConfig;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.Types;
import lvms.operator.unit.ClusterType;
import lvms.operator.unit.NetworkPolicyUnit;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.check.Connection;
import lvms.tests.cluster.check.NetworkRules;
import lvms.tests.cluster.workload.Product;
import lvms.tests.conformance.fault.Hosts;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The connections that our pods have, or had a minute ago, and what NetworkPolicies would do to
 * them: those of this cluster, and those that OpenShift gets.
 *
 * @param connections without those of kubelet, which no policy can refuse
 */
record OwnTraffic(Product product, List<Connection> connections) {
    private static final String SERVICE = "10.96.0.1"; // of the API server
    private static final int PORT = 443;
    private static final int OPENSHIFT_PORT = 6443;

    /** Reads them on all nodes. */
    static OwnTraffic of(Product product) throws IOException {
        var found = new ArrayList<Connection>();
        for (var node : product.cluster().nodes()) {
            if (node.running()) {
                var addresses = Set.of(node.shell("hostname -I").strip().split("\\s+"));
                read(node, Names.OPERATOR, Hosts.OPERATOR, found);
                read(node, Names.VG_MANAGER, Hosts.AGENT, found);
                found.removeIf(c -> c.incoming() && addresses.contains(c.peer()));
            }
        }
        return new OwnTraffic(product, found);
    }

    private static void read(ClusterNode node, String pod, String pattern, List<Connection> found)
            throws IOException {
        var script = "for pid in $(pgrep -f '%s'); do cat /proc/$pid/net/tcp*; done; true";
        found.addAll(Connection.of(pod, node.shell(script.formatted(pattern)).lines().toList()));
    }

    List<Connection> refused() throws Exception {
        var cluster = product.kube().find(LvmCluster.TYPE, Product.LVM_CLUSTER);
        if (cluster.isEmpty()) {
            return List.of(); // a suite that removed it, and its policies
        }
        var inNamespace = ListOptions.all().namespace(Product.SYSTEM);
        var here = product.kube().list(Types.NETWORK_POLICY, inNamespace).items();
        var refused = new ArrayList<>(new NetworkRules(here).refused(connections));
        refused.addAll(new NetworkRules(openShift(cluster.get())).refused(asOnOpenShift()));
        return refused;
    }

    private static List<KubeObject> openShift(KubeObject cluster) {
        return NetworkPolicyUnit.desired(LvmCluster.of(cluster), ClusterType.OPENSHIFT);
    }

    /** The same if the API server listened where it does on OpenShift. */
    private List<Connection> asOnOpenShift() throws Exception {
        var config = KubeConfig.load(Optional.of(product.cluster().kubeconfig()));
        var server = Set.of(SERVICE, config.server().getHost());
        return connections.stream()
                .map(
                        c ->
                                !c.incoming() && c.port() == PORT && server.contains(c.peer())
                                        ? new Connection(c.pod(), false, c.peer(), OPENSHIFT_PORT)
                                        : c)
                .toList();
    }
}
