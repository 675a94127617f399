package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.time.Duration;
import java.util.List;

/**
 * A node loses its power while pods write. When it is back, so are they, with everything that was
 * synced, and nothing is left that nobody knows.
 */
class PowerCutTests {
    private static final int CONTENT_MIB = 4;
    private static final Duration DEADLINE = Duration.ofMinutes(4);

    private Product product;
    private Sandbox sandbox;

    @BeforeEach
    void open() throws Exception {
        product = Product.shared();
        sandbox = Sandbox.open(product, "power-cut");
    }

    @AfterEach
    void close() throws Exception {
        sandbox.clear();
        product.checker().awaitAgreement(Duration.ofSeconds(60));
    }

    @ParameterizedTest
    @ValueSource(strings = {"node1", "node2"})
    void podsComeBackWithAllThatWasSynced(String name) throws Exception {
        var node = product.cluster().node(name);
        var writers =
                List.of(
                        writer("thin", Product.THIN_CLASS, "320Mi", name),
                        writer("thick", Product.THICK_CLASS, "64Mi", name));
        sandbox.create(Claim.of("raw", Product.THIN_CLASS, "32Mi").block());
        sandbox.create(Pod.of("raw").device("raw", "raw").on(name));
        sandbox.awaitReady("raw");
        var content = sandbox.write("raw", "/dev/raw", CONTENT_MIB);
        // Work that is under way when the power goes.
        for (int i = 0; i < 6; i++) {
            var storageClass = i % 2 == 0 ? Product.THIN_CLASS : Product.THICK_CLASS;
            Claims.create(product, sandbox, Claim.of("late-" + i, storageClass, "16Mi"), name);
        }
        long thin = writers.get(0).told();
        long thick = writers.get(1).told();
        node.powerCut();
        node.boot();
        for (var writer : writers) {
            writer.awaitRestart(DEADLINE);
        }
        writers.get(0).assertHolds(writers.get(0).awaitMore(0));
        writers.get(0).assertHolds(thin);
        writers.get(1).assertHolds(thick);
        product.patience(DEADLINE, sandbox.namespace())
                .until("raw is back", () -> sandbox.restarts("raw") > 0);
        sandbox.awaitReady("raw");
        assertEquals(content, sandbox.checksum("raw", "/dev/raw", CONTENT_MIB));
        for (int i = 0; i < 6; i++) {
            sandbox.awaitBound("late-" + i);
        }
        product.checker().awaitAgreement(Duration.ofSeconds(60));
    }

    private Writer writer(String name, String storageClass, String size, String node)
            throws Exception {
        return Writer.start(product, sandbox, Claim.of(name, storageClass, size), node);
    }
}
