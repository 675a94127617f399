package lvms.tests.conformance.takeover;

import lvms.k8s.client.ApiException;
import lvms.k8s.object.ObjectKey;
import lvms.k8s.object.Types;
import lvms.tests.cluster.workload.Patience;
import lvms.tests.cluster.workload.Product;

import java.util.ArrayList;
import java.util.List;

/** The Leases of topolvm-controller and of the sidecars beside it. */
record Leases(Product product) {
    private static final List<String> NAMES =
            List.of(
                    "topolvm",
                    "topolvm-io",
                    "external-resizer-topolvm-io",
                    "external-snapshotter-leader-topolvm-io");

    /** Waits until one process has all of them; returns its identity. */
    String awaitOneHolder(Patience patience) throws Exception {
        patience.untilNothingMissing(
                "one process holds all Leases",
                () -> {
                    var holders = holders();
                    boolean one = holders.stream().distinct().count() == 1;
                    return one && !holders.getFirst().isEmpty() ? "" : holders.toString();
                });
        return holders().getFirst();
    }

    /** Waits until each has a holder, and none this one. */
    void awaitOthers(String former, Patience patience) throws Exception {
        patience.untilNothingMissing(
                "others hold all Leases",
                () -> {
                    var holders = holders();
                    boolean others = !holders.contains("") && !holders.contains(former);
                    return others ? "" : holders.toString();
                });
    }

    /** Who has each; empty for nobody. */
    private List<String> holders() throws ApiException, InterruptedException {
        var holders = new ArrayList<String>();
        for (var name : NAMES) {
            holders.add(
                    product.kube()
                            .find(Types.LEASE, ObjectKey.of(WebhookCertificate.NAMESPACE, name))
                            .flatMap(object -> object.text("spec", "holderIdentity"))
                            .orElse(""));
        }
        return holders;
    }
}
