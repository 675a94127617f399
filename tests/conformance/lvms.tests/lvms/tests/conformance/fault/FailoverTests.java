package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import lvms.api.Names;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.ClusterNode;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

/** The leading operator dies without a word, and claims go on; how soon is printed. */
@Lasts(seconds = 100)
@FullOnly("it measures; chaos kills the operator, and PowerCutTests its node")
class FailoverTests extends FaultSuite {
    private static final ObjectKey LEASE = ObjectKey.of(Product.SYSTEM, Names.OPERATOR_LEASE);

    @Test
    void claimsGoOnWhenTheLeadersProcessDies() throws Exception {
        var node = nodeOf(leader());
        double usual = use("before", node);
        assertEquals(1, Hosts.kill(node, Hosts.OPERATOR));
        print("process", usual, use("after", node));
    }

    @Test
    void claimsGoOnElsewhereWhenTheLeadersNodeDies() throws Exception {
        var leader = leader();
        var node = nodeOf(leader);
        var other =
                product().cluster().nodes().stream()
                        .filter(n -> !n.name().equals(node.name()))
                        .findFirst()
                        .orElseThrow();
        double usual = use("before", other);
        node.powerCut();
        print("node", usual, use("after", other));
        assertNotEquals(leader, leader());
        node.boot();
        product().awaitReady();
    }

    private static void print(String what, double usual, double after) {
        System.out.printf(
                "a new volume is used %.1f s after the death of the leader's %s, else after %.1f%n",
                after, what, usual);
    }

    private String leader() throws Exception {
        return product()
                .kube()
                .get(Types.LEASE, LEASE)
                .text("spec", "holderIdentity")
                .orElseThrow();
    }

    private ClusterNode nodeOf(String leader) throws Exception {
        var pod = ObjectKey.of(Product.SYSTEM, leader.replaceFirst("_.*", ""));
        var node = product().kube().get(Types.POD, pod).text("spec", "nodeName").orElseThrow();
        return product().cluster().node(node);
    }

    /** Returns the seconds until a pod on the node uses a new volume. */
    private double use(String name, ClusterNode node) throws Exception {
        long start = System.nanoTime();
        box().create(Claim.of(name, Product.THICK_CLASS, "32Mi"));
        box().create(Pod.with(name, name).on(node.name()));
        box().awaitReady(name);
        return (System.nanoTime() - start) / 1e9;
    }
}
