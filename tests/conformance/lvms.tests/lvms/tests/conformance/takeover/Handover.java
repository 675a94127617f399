package lvms.tests.conformance.takeover;

import static org.junit.jupiter.api.Assertions.assertEquals;

import lvms.operator.takeover.Agenda;
import lvms.operator.takeover.Takeover;
import lvms.tests.cluster.workload.Product;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/** A take-over as docs/takeover.md tells an administrator to make it. */
final class Handover {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Product product;
    private final String namespace;
    private final Takeover takeover;

    Handover(Product product, String namespace) {
        this(product, "lvms", namespace);
    }

    /**
     * @param system whose place is taken
     */
    Handover(Product product, String system, String namespace) {
        this.product = product;
        this.namespace = namespace;
        this.takeover = new Takeover(product.kube(), system, namespace);
    }

    Takeover takeover() {
        return takeover;
    }

    /** Takes the place, and waits until our operator and agents run. */
    void take() throws Exception {
        run(takeover.plan(), _ -> {});
        assertEquals(List.of(), takeover.plan().lines());
        product.kubectl("apply", "-k", "deploy/" + namespace + "/guard");
        product.kubectl("apply", "-k", "deploy/" + namespace);
        for (var workload : List.of("deployment/lvms-operator", "daemonset/vg-manager")) {
            product.patience()
                    .untilNothingMissing(
                            workload + " is ours",
                            () -> {
                                var image = image(workload);
                                return image.contains("localhost/lvms:") ? "" : image;
                            });
            product.kubectl(
                    "rollout", "status", "--namespace=" + namespace, workload, "--timeout=240s");
        }
    }

    /**
     * Gives the place back.
     *
     * @param progress gets each line, before it is done
     */
    void back(Consumer<String> progress) throws Exception {
        run(takeover.back(), progress);
    }

    /** Burns the way back. */
    void confirm() throws Exception {
        run(takeover.confirm(), _ -> {});
    }

    private String image(String workload) throws Exception {
        return product.kubectl(
                "get",
                "--namespace=" + namespace,
                "--ignore-not-found",
                workload,
                "--output=jsonpath={.spec.template.spec.containers[0].image}");
    }

    private void run(Agenda agenda, Consumer<String> progress) throws Exception {
        assertEquals(List.of(), agenda.obstacles());
        takeover.run(
                agenda,
                PATIENCE,
                line -> {
                    System.out.println(line);
                    progress.accept(line);
                });
    }
}
