package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.List;

/**
 * A node loses its power while pods write. When it is back, so are they, with everything that was
 * synced, and nothing is left that nobody knows.
 */
class PowerCutTests extends FaultSuite {
    private static final int CONTENT_MIB = 4;

    @ParameterizedTest
    @ValueSource(strings = {"node1", "node2"})
    void podsComeBackWithAllThatWasSynced(String name) throws Exception {
        var node = product().cluster().node(name);
        var writers =
                List.of(
                        writer("thin", Product.THIN_CLASS, "320Mi", name),
                        writer("thick", Product.THICK_CLASS, "64Mi", name));
        box().create(Claim.of("raw", Product.THIN_CLASS, "32Mi").block());
        box().create(Pod.of("raw").device("raw", "raw").on(name));
        box().awaitReady("raw");
        var content = box().write("raw", "/dev/raw", CONTENT_MIB);
        // Work that is under way when the power goes.
        for (int i = 0; i < 6; i++) {
            var storageClass = i % 2 == 0 ? Product.THIN_CLASS : Product.THICK_CLASS;
            claim("late-" + i, storageClass, "16Mi", name);
        }
        long thin = writers.get(0).told();
        long thick = writers.get(1).told();
        node.powerCut();
        node.boot();
        for (var writer : writers) {
            writer.awaitRestart(RECOVERY);
        }
        writers.get(0).assertHolds(writers.get(0).awaitMore(0));
        writers.get(0).assertHolds(thin);
        writers.get(1).assertHolds(thick);
        patiently("raw is back", () -> box().restarts("raw") > 0);
        box().awaitReady("raw");
        assertEquals(content, box().checksum("raw", "/dev/raw", CONTENT_MIB));
        for (int i = 0; i < 6; i++) {
            box().awaitBound("late-" + i);
        }
        requireAgreement();
    }
}
