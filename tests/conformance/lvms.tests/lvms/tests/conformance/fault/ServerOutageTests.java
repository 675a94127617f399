package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import lvms.api.LogicalVolume;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * The API server is away while claims are being served, or forgets the past while nobody watches.
 * Afterwards everything converges, and no volume was made twice.
 */
@FullOnly("each outage takes a minute")
class ServerOutageTests extends FaultSuite {
    private static final Duration OUTAGE = Duration.ofSeconds(60);
    private static final int CLAIMS = 12;

    private interface Step {
        void take() throws Exception;
    }

    @Test
    void aServerThatHangsForAMinuteIsSurvived() throws Exception {
        var control = product().cluster().controlPlane();
        outage(control::freeze, control::thaw);
    }

    @Test
    void aServerThatDiesForAMinuteIsSurvived() throws Exception {
        var control = product().cluster().controlPlane();
        outage(control::kill, control::start);
    }

    private void outage(Step begin, Step end) throws Exception {
        var writer = writer("writer", Product.THICK_CLASS, "64Mi", "node1");
        long before = writer.told();
        var churn = new Churn(product(), box(), 2);
        churn.steps(CLAIMS);
        begin.take();
        try {
            TimeUnit.NANOSECONDS.sleep(OUTAGE.toNanos());
        } finally {
            end.take();
        }
        churn.steps(CLAIMS);
        churn.awaitBound();
        patiently("LVMCluster is Ready", () -> product().clusterState().equals("Ready"));
        writer.assertHolds(writer.awaitMore(before));
        assertEquals(0, writer.restarts());
        assertNoneTwice();
        product().checker().awaitAgreement(Duration.ofMinutes(2));
    }

    private void assertNoneTwice() throws Exception {
        var names = new HashSet<String>();
        for (var volume : product().all(LogicalVolume.TYPE)) {
            var claim = LogicalVolume.of(volume).spec().name();
            assertFalse(!names.add(claim), claim + " has two volumes");
        }
    }

    /**
     * The agent of one node has lost its watches; meanwhile the server restarts, so that it holds
     * no events of the past, and the past is compacted away. The agent's next watch is told that it
     * is too late, and it reads everything anew.
     */
    @Test
    void aWatchThatIsOlderThanTheHistoryIsBegunAnew() throws Exception {
        var operator = product().pods("lvms-operator").getFirst().text("spec", "nodeName");
        var node =
                product().cluster().nodes().stream()
                        .filter(n -> !operator.orElseThrow().equals(n.name()))
                        .findFirst()
                        .orElseThrow();
        var control = product().cluster().controlPlane();
        claim("old", Product.THICK_CLASS, "16Mi", node.name());
        box().awaitBound("old");
        node.connect(false);
        try {
            control.kill();
            control.start();
            for (var name : List.of("new-1", "new-2")) {
                claim(name, Product.THICK_CLASS, "16Mi", node.name());
            }
            box().delete(Types.PVC, "old");
            patiently("volumes are asked for", () -> asked() >= 2);
            control.compact();
        } finally {
            node.connect(true);
        }
        box().awaitBound("new-1");
        box().awaitBound("new-2");
        patiently("old is gone", () -> product().all(LogicalVolume.TYPE).size() == 2);
        product().checker().awaitAgreement(Duration.ofMinutes(2));
    }

    private long asked() throws Exception {
        return product().all(LogicalVolume.TYPE).stream().filter(v -> !v.terminating()).count();
    }
}
