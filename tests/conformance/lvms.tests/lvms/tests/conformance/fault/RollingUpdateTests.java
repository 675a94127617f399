package lvms.tests.conformance.fault;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Names;
import lvms.k8s.object.KubeObject;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;

import org.junit.jupiter.api.Test;

import java.util.List;

/** The product is updated under load: no claim fails, and what is mounted stays mounted. */
@FullOnly("two updates take minutes")
class RollingUpdateTests extends FaultSuite {
    private static final double LONGEST_GAP_SECONDS = 10;
    private static final ObjectKey OPERATOR = ObjectKey.of(Product.SYSTEM, Names.OPERATOR);
    private static final ObjectKey AGENTS = ObjectKey.of(Product.SYSTEM, Names.VG_MANAGER);

    @Test
    void anUpdateUnderLoadIsNotNoticed() throws Exception {
        var image = image(product().kube().get(Types.DEPLOYMENT, OPERATOR));
        var next = image + "-next";
        var writers =
                List.of(
                        writer("on-one", Product.THIN_CLASS, "320Mi", "node1"),
                        writer("on-two", Product.THICK_CLASS, "64Mi", "node2"));
        for (var node : product().cluster().nodes()) {
            node.shell("ctr -n k8s.io images tag --force " + image + " " + next);
        }
        var churn = new Churn(product(), box(), 1);
        update(next, churn);
        update(image, churn);
        churn.awaitBound();
        for (var claim : churn.living()) {
            assertEquals(List.of(), Claims.failures(box(), claim), claim);
        }
        for (var writer : writers) {
            assertEquals(0, writer.restarts());
            writer.assertHolds(writer.awaitMore(writer.told()));
            double gap = writer.longestGap();
            assertTrue(gap < LONGEST_GAP_SECONDS, "nothing was written for " + gap + " s");
        }
    }

    /** Changes the image as an administrator does, with load until every pod has it. */
    private void update(String image, Churn churn) throws Exception {
        product()
                .kubectl(
                        "set",
                        "image",
                        "--namespace=" + Product.SYSTEM,
                        "deployment/" + Names.OPERATOR,
                        "manager=" + image);
        patiently(
                "operator and agents run " + image,
                () -> {
                    churn.step();
                    return updated(image);
                });
        product().awaitReady();
    }

    private boolean updated(String image) throws Exception {
        var operator = product().kube().get(Types.DEPLOYMENT, OPERATOR);
        var agents = product().kube().get(Types.DAEMON_SET, AGENTS);
        long nodes = product().cluster().nodes().size();
        return image(operator).equals(image)
                && image(agents).equals(image)
                && fresh(operator)
                && fresh(agents)
                && operator.number("status", "updatedReplicas").orElse(0)
                        == operator.number("status", "availableReplicas").orElse(-1)
                && agents.number("status", "updatedNumberScheduled").orElse(0) == nodes
                && agents.number("status", "numberReady").orElse(0) == nodes;
    }

    private static boolean fresh(KubeObject workload) {
        return workload.number("status", "observedGeneration").orElse(0) >= workload.generation();
    }

    private static String image(KubeObject workload) {
        return KubeObject.of(workload.objects("spec", "template", "spec", "containers").getFirst())
                .text("image")
                .orElseThrow();
    }
}
