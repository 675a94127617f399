package lvms.tests.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import lvms.api.Names;
import lvms.tests.cluster.workload.Product;
import lvms.tests.runner.FullOnly;
import lvms.tests.runner.Lasts;

import org.junit.jupiter.api.Test;

/** Who writes a mistake into an LVMCluster hears of it at once, as long as an operator answers. */
@Lasts(seconds = 90)
@FullOnly("ClusterAdmissionTests ask the same webhook at a real API server")
class AdmissionTests {
    private static final String SECOND_DEFAULT =
            "[{\"op\":\"add\",\"path\":\"/spec/storage/deviceClasses/-\",\"value\":{"
                    + "\"name\":\"second\",\"default\":true,"
                    + "\"deviceSelector\":{\"paths\":[\"/dev/none\"]}}}]";
    private static final String REFUSED =
            "admission webhook \"vlvmcluster.kb.io\" denied the request: only one device class may"
                    + " be the default";

    @Test
    void aMistakeIsRefusedWhileAnOperatorAnswers() throws Exception {
        var product = Product.shared();
        var usual = product.pods(Names.OPERATOR).size();
        product.kubectl("apply", "-k", "deploy/admission");
        try {
            awaitRefusal(product); // by a certificate that the operator made
            scale(product, 0);
            var accepted = dryRun(product);
            assertTrue(accepted.contains("patched"), accepted);
            scale(product, usual);
            awaitRefusal(product); // by that of another process
        } finally {
            product.kubectl("delete", "-k", "deploy/admission");
            scale(product, usual);
        }
        product.awaitReady();
    }

    private static void awaitRefusal(Product product) throws Exception {
        product.patience().until("a mistake is refused", () -> dryRun(product).contains(REFUSED));
    }

    private static String dryRun(Product product) throws Exception {
        var run =
                product.cluster()
                        .kubectl(
                                "patch",
                                "lvmcluster",
                                Product.LVM_CLUSTER.name(),
                                "--namespace=" + Product.SYSTEM,
                                "--type=json",
                                "--patch=" + SECOND_DEFAULT,
                                "--dry-run=server");
        return run.out() + run.err();
    }

    private static void scale(Product product, int replicas) throws Exception {
        var deployment = "deployment/" + Names.OPERATOR;
        var namespace = "--namespace=" + Product.SYSTEM;
        product.kubectl("scale", namespace, deployment, "--replicas=" + replicas);
        product.kubectl("rollout", "status", namespace, deployment, "--timeout=120s");
        product.patience()
                .until(
                        replicas + " operators",
                        () -> product.pods(Names.OPERATOR).size() == replicas);
    }
}
