package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;

import lvms.api.Names;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Product;

import org.junit.jupiter.api.Test;

/** The leading operator dies without a word, and the one that stands by goes on. */
class FailoverTests extends FaultSuite {
    private static final ObjectKey LEASE = ObjectKey.of(Product.SYSTEM, Names.OPERATOR_LEASE);

    @Test
    void claimsGoOnWithTheOneThatStoodBy() throws Exception {
        var leader = leader();
        var pod = ObjectKey.of(Product.SYSTEM, leader.replaceFirst("_.*", ""));
        var node = product().kube().get(Types.POD, pod).text("spec", "nodeName").orElseThrow();
        assertEquals(1, Hosts.kill(product().cluster().node(node), Hosts.OPERATOR));
        long killed = System.nanoTime();
        box().start(Claim.of("after", Product.THICK_CLASS, "32Mi"));
        System.out.printf(
                "a new volume is used %.1f s after the leader's death%n",
                (System.nanoTime() - killed) / 1e9);
        assertNotEquals(leader, leader());
    }

    private String leader() throws Exception {
        return product()
                .kube()
                .get(Types.LEASE, LEASE)
                .text("spec", "holderIdentity")
                .orElseThrow();
    }
}
