package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.tests.cluster.workload.Claim;
import lvms.tests.cluster.workload.Pod;
import lvms.tests.cluster.workload.Product;
import lvms.tests.cluster.workload.Sandbox;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * Asks the webhook of pods all the time, without making one. A pod is either refused because nobody
 * answers, or marked for the extender; an unmarked one would be placed where there is no room.
 */
final class PodWebhook {
    /** Only pods with this label and value are asked about, so that no other has to be marked. */
    static final String LABEL = "webhook";

    static final String VALUE = "asked";

    private static final Duration PAUSE = Duration.ofSeconds(1);
    private static final String NAME = "asked";

    private final Product product;
    private final Path pod;
    private Repeatedly questions;
    private long refusedSinceNanos;
    private Duration longest = Duration.ZERO;

    private PodWebhook(Product product, Path pod) {
        this.product = product;
        this.pod = pod;
    }

    /** Prepares the question: a pod with a claim that has no volume. */
    static PodWebhook of(Product product, Sandbox box, Path folder) throws Exception {
        box.create(Claim.of(NAME, TopolvmSite.THICK_CLASS, "32Mi"));
        var pod =
                Pod.with(NAME, NAME)
                        .object(box.namespace())
                        .with(VALUE, "metadata", "labels", LABEL);
        var file = Files.writeString(folder.resolve("asked.json"), pod.toJson());
        return new PodWebhook(product, file);
    }

    /** Asks from now on. */
    void begin() {
        longest = Duration.ZERO;
        questions = Repeatedly.start(PAUSE, _ -> ask());
    }

    /** Ends with an answer, and returns the longest time in which there was none. */
    Duration end() throws Exception {
        questions.end();
        product.patience().until("the webhook answers", this::ask);
        return longest;
    }

    private boolean ask() throws Exception {
        var run =
                product.cluster()
                        .kubectl(
                                "create",
                                "--dry-run=server",
                                "--filename=" + pod,
                                "--output=jsonpath={.spec.containers[0].resources.requests}");
        if (run.succeeded()) {
            assertTrue(run.out().contains("topolvm.io/capacity"), "unmarked: " + run.out());
            answered();
            return true;
        }
        assertTrue(run.err().contains("failed calling webhook"), run.err());
        refusedSinceNanos = refusedSinceNanos == 0 ? System.nanoTime() : refusedSinceNanos;
        return false;
    }

    private void answered() {
        if (refusedSinceNanos != 0) {
            var refused = Duration.ofNanos(System.nanoTime() - refusedSinceNanos);
            longest = longest.compareTo(refused) > 0 ? longest : refused;
            refusedSinceNanos = 0;
        }
    }
}
